// Package api is the contract between the program and its front end: what can be asked, and the shapes of the answers.
// Both shells (the window and `zimoscope serve`) offer the same Service. Events carry ids only; whatever is shown is
// pulled. Offsets and sizes are bytes, times are milliseconds since the Unix epoch, durations are milliseconds, hashes
// are 64 hexadecimal digits. The TypeScript types of the front end are generated from this file.
package api

import "encoding/json"

// Snapshot is where a front end starts: everything it needs to draw the frame of the window. Seq is the number of the
// last event it already includes.
type Snapshot struct {
	Seq       uint64        `json:"seq"`
	Version   string        `json:"version"`
	Shell     string        `json:"shell"` // "window" or "serve"
	DataDir   string        `json:"dataDir"`
	Sessions  []SessionInfo `json:"sessions"`
	Current   string        `json:"current"` // id of the open session, "" when none
	State     RunState      `json:"state"`
	Languages []string      `json:"languages"` // the system's preferred languages, best first
}

// SessionInfo is one line of the session list.
type SessionInfo struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	CreatedAt  int64          `json:"createdAt"`
	UpdatedAt  int64          `json:"updatedAt"`
	Requests   int            `json:"requests"`
	Verdicts   map[string]int `json:"verdicts"` // verdict word -> count
	Violations int            `json:"violations"`
	Bytes      int64          `json:"bytes"` // size of the stored file
	Model      string         `json:"model"`
	Host       string         `json:"host"` // of the provider
	Simulated  bool           `json:"simulated"`
	ReadOnly   bool           `json:"readOnly"`
	HeldBy     string         `json:"heldBy"` // who else holds the store, "" when nobody
	Pinned     bool           `json:"pinned"`
	Foreign    string         `json:"foreign"`  // where another agent's traffic comes from: proxy, import; "" for our own
	Baseline   string         `json:"baseline"` // its name when it is one, to compare later runs with
}

// RunState is what the agent of the open session does right now.
type RunState struct {
	Session     string        `json:"session"`
	Phase       string        `json:"phase"` // idle, building, staged, sending, receiving, tool, summary, paused, stopping
	Request     int           `json:"request"`
	Tool        string        `json:"tool"`      // public name while a tool runs or is staged
	PausedAt    string        `json:"pausedAt"`  // "", request, tool, frame, verdict, redline
	Staged      bool          `json:"staged"`    // a request stands built and not sent
	Error       string        `json:"error"`     // the last error as a sentence, "" when none
	Retryable   bool          `json:"retryable"` // the last prompt can be tried again
	Provider    ProviderState `json:"provider"`
	Servers     []ServerState `json:"servers"`
	Tools       int           `json:"tools"`
	ZimoOS      string        `json:"zimoos"` // simulator, mteam, other, none
	Breakpoints Breakpoints   `json:"breakpoints"`
	StoreBytes  int64         `json:"storeBytes"`
	Proxy       ProxyState    `json:"proxy"`
}

// ProviderState is the connection to the model.
type ProviderState struct {
	Model    string `json:"model"`
	Host     string `json:"host"`
	Profile  string `json:"profile"`
	Scripted bool   `json:"scripted"` // the built-in scripted provider
	Status   string `json:"status"`   // ok, error, unknown
	Error    string `json:"error"`
}

// ServerState is one MCP server.
type ServerState struct {
	Name     string   `json:"name"`
	Status   string   `json:"status"` // starting, ready, failed, exited
	Tools    []string `json:"tools"`  // public names
	Error    string   `json:"error"`
	ExitCode *int     `json:"exitCode"`
	Stderr   string   `json:"stderr"` // last lines
	Path     string   `json:"path"`   // the PATH it ran with
	PID      int      `json:"pid"`
}

// Breakpoints are where a run pauses.
type Breakpoints struct {
	BeforeRequest bool   `json:"beforeRequest"`
	BeforeTool    bool   `json:"beforeTool"`
	Tool          string `json:"tool"` // only before this public tool, "" for any
	AfterFrame    bool   `json:"afterFrame"`
	OnUnplanned   bool   `json:"onUnplanned"`
	OnRedline     bool   `json:"onRedline"`
}

// Timeline is the request list of a session and the figures of its status bar. Rev is what TimelineSince takes.
type Timeline struct {
	Session  string       `json:"session"`
	Rev      uint64       `json:"rev"`
	Rows     []RequestRow `json:"rows"`
	Turns    []Turn       `json:"turns"`
	Figures  Figures      `json:"figures"`
	Redlines []Redline    `json:"redlines"` // of the whole session, A1 to A13
}

// TimelineDelta is what changed in a timeline since a revision. Rows are numbered from 1 without holes, a staged one is
// the last: what a front end holds beyond RowCount is gone.
type TimelineDelta struct {
	Session   string     `json:"session"`
	Rev       uint64     `json:"rev"`  // to ask with the next time
	Full      bool       `json:"full"` // Rows and Turns are all there are: whatever was held is replaced
	Rows      RowColumns `json:"rows"` // new and changed ones, in order
	RowCount  int        `json:"rowCount"`
	Turns     []Turn     `json:"turns"` // new and changed ones, in order
	TurnCount int        `json:"turnCount"`
	Figures   Figures    `json:"figures"`
	Redlines  []Redline  `json:"redlines"` // always all
}

// Turn is one user prompt and the first request that answers it.
type Turn struct {
	Number  int    `json:"number"`
	Request int    `json:"request"`
	Prompt  string `json:"prompt"`
}

// RequestRow is one line of the timeline.
type RequestRow struct {
	N           int      `json:"n"`    // from 1
	Base        int      `json:"base"` // its predecessor, 0 when none
	Kind        string   `json:"kind"` // main, side, retry, other: listed and not compared
	Verdict     string   `json:"verdict"`
	Planned     *bool    `json:"planned"` // nil: can't be told for foreign traffic
	Staged      bool     `json:"staged"`
	Proof       string   `json:"proof"`  // pending, proved, broken, partial, claimed, imported
	Status      string   `json:"status"` // staged, sending, receiving, done, error, cancelled
	SentAt      int64    `json:"sentAt"`
	Millis      int64    `json:"millis"`
	Attempts    int      `json:"attempts"`
	Tools       []string `json:"tools"` // public names of the calls it was answered with; empty for an answer
	Bytes       int      `json:"bytes"`
	Prefix      int      `json:"prefix"` // bytes of model, tools, system
	Equal       int      `json:"equal"`  // bytes of history equal to the predecessor's
	New         int      `json:"new"`    // bytes of history that are new
	Tail        int      `json:"tail"`   // bytes of the request-only tail
	Lost        int      `json:"lost"`   // history bytes lost
	Usage       Usage    `json:"usage"`
	Predicted   *Predict `json:"predicted"`
	Unpredicted string   `json:"unpredicted"` // why Predicted is nil, of another agent's request: counting, elsewhere (its provider keeps the history), unread, stopped (by a mistake of the program); else ""
	Violations  []string `json:"violations"`  // ids of redlines that fail on this request
	Error       string   `json:"error"`
	Thread      string   `json:"thread"` // conversation of another agent's request: c1, c2, …; "" for our own
	Turn        int      `json:"turn"`
	Method      string   `json:"method"` // of what is not compared
	Path        string   `json:"path"`   // likewise
	HTTP        int      `json:"http"`   // likewise: status of the response, 0 when none came
}

// Usage is what the provider reported, in one form. Reported false means that it did not: never 0.
type Usage struct {
	Reported   bool `json:"reported"`
	Prompt     int  `json:"prompt"`
	Cached     int  `json:"cached"`
	CachedSaid bool `json:"cachedSaid"` // the cached figure was reported
	Completion int  `json:"completion"`
}

// Predict is what a cache of one class would have reused, in tokens: in a row, of the class that the provider is said to
// follow.
type Predict struct {
	Class  string `json:"class"`
	Reused int    `json:"reused"`
	Total  int    `json:"total"`
	Exact  bool   `json:"exact"` // false: an estimate, shown with ≈
}

// Figures are the sums in the status bar; predicted and reported are kept apart.
type Figures struct {
	Requests       int   `json:"requests"`
	Pairs          int   `json:"pairs"`
	PrefixEqual    int   `json:"prefixEqual"`
	PlannedBreaks  int   `json:"plannedBreaks"`
	Violations     int   `json:"violations"`
	PredictedReuse int64 `json:"predictedReuse"` // tokens
	PredictedTotal int64 `json:"predictedTotal"`
	PredictedExact bool  `json:"predictedExact"`
	ReportedReuse  int64 `json:"reportedReuse"` // tokens, over requests that reported
	ReportedTotal  int64 `json:"reportedTotal"`
	NotReported    int   `json:"notReported"`
	Proved         int   `json:"proved"`
	Imported       int   `json:"imported"` // from files: nobody here saw them on the wire
	Claimed        int   `json:"claimed"`  // with a part that can't be recomputed
	Others         int   `json:"others"`   // listed, not compared
	StoreBytes     int64 `json:"storeBytes"`
}

// Redline is one rule of the context model, checked on the bytes sent. OK nil means not checkable here.
type Redline struct {
	ID       string `json:"id"`
	OK       *bool  `json:"ok"`
	Degraded int    `json:"degraded"` // how many derived summaries it counted
	Request  int    `json:"request"`  // where it failed first, 0 when it did not
	Detail   string `json:"detail"`   // the evidence, or why it can't be checked
	Words    *Words `json:"words"`    // what Detail says
}

// RequestView is one request in the three panes.
type RequestView struct {
	Row       RequestRow    `json:"row"`
	Rev       uint64        `json:"rev"`
	Model     PartView      `json:"model"`
	Tools     []PartView    `json:"tools"`
	System    PartView      `json:"system"`
	Rest      PartView      `json:"rest"`      // parameters, beside the chain
	Unchanged int           `json:"unchanged"` // for how many requests the stable prefix stood
	Messages  []MessageView `json:"messages"`  // the part of the history that is shown first
	History   HistoryPart   `json:"history"`   // which part that is, and how much there is
	Hidden    []HiddenRun   `json:"hidden"`
	Carrier   CarrierView   `json:"carrier"`
	Verdict   VerdictView   `json:"verdict"`
	Redlines  []Redline     `json:"redlines"`
	Foreign   *ForeignView  `json:"foreign"` // of another agent's request, nil for our own
	// Predictions are of another agent's request, under every class; empty for our own, and where Row says why.
	Predictions []Predict `json:"predictions"`
	Diff        *DiffView `json:"diff"` // with its predecessor, where that is quickly made; nil: to be asked for
}

// HistoryPart says which part of a history is given. The history is all messages but the system's and an own carrier.
type HistoryPart struct {
	From  int `json:"from"`  // place of the first message that is given, from 0
	Total int `json:"total"` // messages in all
	Index int `json:"index"` // of the first message of all, in the body
	Bytes int `json:"bytes"` // of all messages
}

// PartView is one part of the chain. Text is its start; Bytes its true size.
type PartView struct {
	Kind    string `json:"kind"`
	Index   int    `json:"index"`
	Name    string `json:"name"`   // public tool name, model, system
	Server  string `json:"server"` // of a tool
	Text    string `json:"text"`
	Whole   bool   `json:"whole"` // Text is all of it
	Bytes   int    `json:"bytes"`
	Offset  int    `json:"offset"` // in the body
	Leaf    string `json:"leaf"`
	Link    string `json:"link"`
	Changed string `json:"changed"` // "", new, grew, changed: against the predecessor
	Claimed bool   `json:"claimed"` // not yet observed on the wire
}

// MessageView is one message of the history.
type MessageView struct {
	PartView
	Role   string      `json:"role"`
	Calls  []CallView  `json:"calls"`
	Record *RecordView `json:"record"` // of an operation
	Images int         `json:"images"`
	// Pictures are the images of our own message, as they were sent; nothing of one is drawn. Empty for another agent's.
	Pictures []PictureView `json:"pictures"`
	Blocks   []BlockView   `json:"blocks"` // of another agent's message, all of it; empty for our own
}

// Picture is one that goes with a prompt. What it is, its bytes say: PNG, JPEG, GIF or WebP.
type Picture struct {
	Name string `json:"name"` // for the sentence that refuses it; it is not sent
	Data string `json:"data"` // base64
}

// PictureView says what picture a message holds.
type PictureView struct {
	Type  string `json:"type"`  // image/png; "" when the message holds only an address
	Bytes int    `json:"bytes"` // of the picture itself; 0 when unknown
}

// CallView is one tool call of an assistant message.
type CallView struct {
	ID        string `json:"id"`
	Name      string `json:"name"` // public
	Arguments string `json:"arguments"`
}

// RecordView is an operation record, line by line, in its own bytes.
type RecordView struct {
	Tool      string `json:"tool"`
	Arguments string `json:"arguments"`
	Outcome   string `json:"outcome"`
	Result    string `json:"result"`
	Audit     string `json:"audit"`
	Summary   string `json:"summary"`
	State     string `json:"state"`  // pending, sealed, just-sealed
	Source    string `json:"source"` // narration, step, derived, shared; "" while pending or for foreign traffic
	Grown     int    `json:"grown"`  // bytes that sealing added, when just sealed
}

// HiddenRun says that messages left the window before a place in the list.
type HiddenRun struct {
	Before   int `json:"before"` // index in messages
	Messages int `json:"messages"`
	Bytes    int `json:"bytes"`
	Request  int `json:"request"` // with which request they left
}

// CarrierView is the request-only part.
type CarrierView struct {
	Present   bool       `json:"present"`
	Index     int        `json:"index"`     // of the message that carries it
	Placement string     `json:"placement"` // own, attached, tool
	Bytes     int        `json:"bytes"`
	Offset    int        `json:"offset"`
	Block     string     `json:"block"`   // as sent, decoded
	Notices   string     `json:"notices"` // what follows the block
	Frame     *FrameView `json:"frame"`
	Previous  string     `json:"previous"` // the block of the base, for the difference
}

// FrameView is a frame as a person reads it, parsed from the block that was sent.
type FrameView struct {
	Title      string      `json:"title"`
	Cursor     string      `json:"cursor"`
	Status     string      `json:"status"`
	Summary    string      `json:"summary"`
	UpdatedAt  string      `json:"updatedAt"`
	Breadcrumb []string    `json:"breadcrumb"`
	Budget     string      `json:"budget"`
	Lists      []FrameList `json:"lists"` // visibleContent, actions, handles, recoveryActions, notifications
}

// FrameList is one section of a frame.
type FrameList struct {
	Name    string   `json:"name"`
	Total   int      `json:"total"`
	LeftOut int      `json:"leftOut"`
	Items   []string `json:"items"` // as sent
}

// Live is the response while it streams.
type Live struct {
	Session   string     `json:"session"`
	Request   int        `json:"request"`
	Text      string     `json:"text"`
	Reasoning string     `json:"reasoning"`
	Calls     []CallView `json:"calls"`
	Deltas    int        `json:"deltas"`
	Millis    int64      `json:"millis"`
	Done      bool       `json:"done"`
}

// TextPage is a piece of something long: a body, a part, a response.
type TextPage struct {
	Text   string `json:"text"`
	Offset int    `json:"offset"`
	Total  int    `json:"total"` // bytes
	SHA256 string `json:"sha256"`
	Binary bool   `json:"binary"` // not UTF-8: Text shows it with U+FFFD
}

// TrafficRow is one JSON-RPC message or line of stderr.
type TrafficRow struct {
	Seq       int    `json:"seq"`
	Server    string `json:"server"`
	Direction string `json:"direction"` // out, in, stderr, noise
	At        int64  `json:"at"`
	Method    string `json:"method"`
	ID        string `json:"id"`
	Note      string `json:"note"` // late, noise, encoding
	Bytes     int    `json:"bytes"`
	Text      string `json:"text"` // its start
}

// ToolInfo is one public tool with its schema, for calling it by hand.
type ToolInfo struct {
	Server      string          `json:"server"`
	Name        string          `json:"name"`
	Function    string          `json:"function"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	ZimoOS      bool            `json:"zimoos"`
}

// ToolResult is the answer to a call by hand.
type ToolResult struct {
	State  string     `json:"state"` // ok, tool-error, rpc-error, timeout, cancelled, transport
	Text   string     `json:"text"`
	Raw    string     `json:"raw"`
	Frame  *FrameView `json:"frame"` // nil unless the slot moved
	Millis int64      `json:"millis"`
}

// NewSession says what a new session runs on. Empty fields take the configuration's values.
type NewSession struct {
	Name     string    `json:"name"`
	Config   string    `json:"config"` // path of a configuration file, "" for the default one
	Demo     bool      `json:"demo"`
	Lang     string    `json:"lang"`     // of the demo: en or zh
	Settings *Settings `json:"settings"` // in the place of the file's, nil for the file's own
}

// Event tells a front end that something changed. It carries no content.
type Event struct {
	Seq   uint64 `json:"seq"`
	Topic string `json:"topic"` // sessions, state, timeline, request, live, traffic, jobs, e2e, lab
	ID    string `json:"id"`    // session id, or session id "/" request number
	Rev   uint64 `json:"rev"`
}
