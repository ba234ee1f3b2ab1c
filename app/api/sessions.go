package api

// Settings are what a person changes of what a session runs on. They hold no secret: a secret text reads "" and stays
// what it was when it is given back so.
type Settings struct {
	BaseURL       string `json:"baseURL"`
	Model         string `json:"model"`
	Profile       string `json:"profile"` // "" by address
	APIKeyEnv     string `json:"apiKeyEnv"`
	APIKeyKeyring string `json:"apiKeyKeyring"` // name of a keyring entry
	System        string `json:"system"`        // "" for the built-in one
	Temperature   string `json:"temperature"`   // a number as written, "" for none
	MaxTokens     string `json:"maxTokens"`
	ContextWindow int    `json:"contextWindow"` // tokens, 0 for none
	MaxSteps      int    `json:"maxSteps"`      // requests of a turn, 0 for the default
	Params        string `json:"params"`        // extra parameters, a JSON object
	Servers       string `json:"servers"`       // MCP servers, a JSON object in the shape of mcpServers
}

// SessionSettings are the settings of a session, or of a configuration file before there is one.
type SessionSettings struct {
	Settings
	Session  string   `json:"session"` // "" for a file
	Config   string   `json:"config"`  // path of the file they came from, "" when there is none
	Editable bool     `json:"editable"`
	Why      string   `json:"why"`     // why not: demo, none (it keeps no configuration); "" when they can be changed
	Pending  bool     `json:"pending"` // changed, and not in effect before the next turn
	Missing  []string `json:"missing"` // secrets that are not stored and were not found again, by place
	BuiltIn  string   `json:"builtIn"` // the built-in system prompt
	Profiles []string `json:"profiles"`
}

// DeletedSession is a session in the trash.
type DeletedSession struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Requests  int    `json:"requests"`
	Bytes     int64  `json:"bytes"`
	DeletedAt int64  `json:"deletedAt"`
	GoneAt    int64  `json:"goneAt"` // when it is removed for good
}

// Compaction is what compacting a session's file did, in bytes.
type Compaction struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// SearchQuery asks for requests of all sessions in the timeline's filter language; free text is looked for in what the
// conversation says as well.
type SearchQuery struct {
	Text string      `json:"text"`
	From SearchPlace `json:"from"` // the zero place to begin
}

// SearchPlace is how far a search has come.
type SearchPlace struct {
	Session string `json:"session"`
	Request int    `json:"request"`
	Event   int    `json:"event"`
	Part    int    `json:"part"`
}

// SearchPage is what one slice of a search found, newest session first. Whoever asks goes on from Next until Done, or
// stops asking: nothing runs between two slices.
type SearchPage struct {
	Hits     []SearchHit  `json:"hits"`
	Next     SearchPlace  `json:"next"`
	Done     bool         `json:"done"`
	Searched int          `json:"searched"` // sessions that are done
	Sessions int          `json:"sessions"`
	Skipped  []SearchSkip `json:"skipped"`
}

// SearchHit is one request that fits.
type SearchHit struct {
	Session string   `json:"session"`
	Name    string   `json:"name"`
	Request int      `json:"request"`
	Verdict string   `json:"verdict"`
	Planned *bool    `json:"planned"`
	Tools   []string `json:"tools"`
	Where   string   `json:"where"` // user, assistant, tool, frame, other, facts
	Snippet string   `json:"snippet"`
	Match   Span     `json:"match"` // in Snippet, empty when no text was asked for
}

// SearchSkip is a session that could not be searched.
type SearchSkip struct {
	Session string `json:"session"`
	Name    string `json:"name"`
	Why     string `json:"why"`
}

// KeyState is what is known of a key in the system's keyring: never the key.
type KeyState struct {
	Available bool   `json:"available"` // there is a keyring
	Saved     bool   `json:"saved"`
	Why       string `json:"why"` // what the system said of it, "" when it said nothing
}
