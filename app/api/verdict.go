package api

// VerdictView is a verdict with its place.
type VerdictView struct {
	Verdict     string      `json:"verdict"`
	Planned     *bool       `json:"planned"`
	Causes      []CauseView `json:"causes"`
	PartKind    string      `json:"partKind"` // "" when nothing differs
	PartIndex   int         `json:"partIndex"`
	Path        string      `json:"path"`
	PartOffset  int         `json:"partOffset"`
	BodyOffset  int         `json:"bodyOffset"`
	HistoryLost int         `json:"historyLost"`
	Before      string      `json:"before"` // decoded text around the place, in the base
	After       string      `json:"after"`  // and here
	Notes       []string    `json:"notes"`
	NoteWords   []*Words    `json:"noteWords"` // what Notes say, one by one; may be shorter
}

// CauseView is one of several reasons.
type CauseView struct {
	Verdict    string `json:"verdict"`
	Planned    *bool  `json:"planned"`
	Detail     string `json:"detail"`
	Words      *Words `json:"words"` // what Detail says
	PartKind   string `json:"partKind"`
	PartIndex  int    `json:"partIndex"`
	Path       string `json:"path"`
	PartOffset int    `json:"partOffset"`
	BodyOffset int    `json:"bodyOffset"`
}
