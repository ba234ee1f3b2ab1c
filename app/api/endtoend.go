package api

// EndToEnd is the real end-to-end run and the backend it needs.
type EndToEnd struct {
	Running  bool         `json:"running"`
	Outcome  string       `json:"outcome"`  // passed, failed, skipped; "" before the first run has ended
	Sentence string       `json:"sentence"` // what came of it
	Started  int64        `json:"started"`
	Millis   int64        `json:"millis"`
	Steps    []CheckStep  `json:"steps"`
	Notes    []string     `json:"notes"`
	Report   string       `json:"report"`  // path of the saved report, "" when none is
	Session  string       `json:"session"` // that it played
	Model    string       `json:"model"`
	Provider string       `json:"provider"`
	Error    string       `json:"error"` // the evidence could not be written
	Backend  BackendState `json:"backend"`
}

// CheckStep is one line of the checklist.
type CheckStep struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	State    string   `json:"state"` // pending, running, ok, failed, skipped
	Evidence []string `json:"evidence"`
	Todo     string   `json:"todo"` // what a person can do about it, "" when nothing
}

// BackendState is the connection to mteam, as the last probe found it.
type BackendState struct {
	Configured bool      `json:"configured"` // the open session runs on it, so it is probed now and then
	Probing    bool      `json:"probing"`
	At         int64     `json:"at"` // of the last probe, 0 before the first
	Hub        string    `json:"hub"`
	Folder     string    `json:"folder"`
	Ready      bool      `json:"ready"`    // the hub answered with its current frame
	Complete   bool      `json:"complete"` // a run can be made
	Missing    []string  `json:"missing"`
	Attempts   []Attempt `json:"attempts"`
}

// Attempt is one question to the hub.
type Attempt struct {
	URL      string `json:"url"`
	Status   int    `json:"status"` // of HTTP, 0 when there was no answer
	Sentence string `json:"sentence"`
}
