package agent

import (
	"context"
	"encoding/json"
	"time"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/secret"
	"zimoscope/backend/store"
)

// Model sends a body and gives the response. provider.Client is one.
type Model interface {
	Stream(ctx context.Context, body []byte, o provider.StreamOptions) (*provider.Response, error)
}

// Tools calls MCP tools. toolbox.Box is one.
type Tools interface {
	Tools() []toolbox.Tool
	Call(ctx context.Context, server, tool string, args json.RawMessage) toolbox.Result
	Refresh(ctx context.Context) (changed bool, changes []toolbox.Change)
}

// Journal keeps what must survive. store.Session is one.
type Journal interface {
	Commit(b store.Batch) error
	Requests() int
	Events() ([][]byte, error)
	Reply() ([]byte, error)
	Body(n int) ([]byte, error)
	AllFacts() ([]store.Facts, error)
}

// Predictor tells what a cache would have reused of a request that is about to be sent. It may be nil.
type Predictor interface {
	Predict(r *verdict.Request) *Prediction
}

// Options are what a session runs on. Model, Tools, Journal and Profile are needed.
type Options struct {
	Model     Model
	Tools     Tools
	Journal   Journal
	Profile   provider.Profile
	ModelName string
	Params    []Param // beside stream, in wire order
	System    string  // system[0]; "" means DefaultSystem
	Secrets   *secret.Redactor
	Observer  func(Event)
	Stepper   *Stepper // nil: never pauses
	Predictor Predictor
	Thread    string // id of the session, in the meta of captures

	MaxSteps      int // requests of one turn; 0 means DefaultMaxSteps
	ContextTokens int // window budget by estimate; 0 means never
	BlockTokens   int // bound of the block; 0 means zimoos.DefaultBlockTokens
	Now           func() time.Time
}

// Param is one request parameter with its raw JSON value.
type Param struct {
	Name string
	Raw  json.RawMessage
}

// EventKind says what happened.
type EventKind string

// The events of a session, in the order in which a step has them.
const (
	EventStaged   EventKind = "staged"   // a request is built and waits
	EventSending  EventKind = "sending"  // its recipe is stored, the first attempt goes out
	EventAttempt  EventKind = "attempt"  // an attempt ended: Body holds the exact bytes that left
	EventDelta    EventKind = "delta"    // a piece of the response
	EventResponse EventKind = "response" // the response is whole and stored, or failed
	EventSealed   EventKind = "sealed"
	EventTool     EventKind = "tool"   // a call starts
	EventResult   EventKind = "result" // a call ended
	EventFrame    EventKind = "frame"  // the slot holds another frame
	EventWindow   EventKind = "window"
	EventTurn     EventKind = "turn" // a turn starts
	EventDone     EventKind = "done" // a turn ended
	EventPaused   EventKind = "paused"
	EventResumed  EventKind = "resumed"
	EventNote     EventKind = "note" // something a person should know
)

// Event is told to the Observer: from the goroutine that drives the session, and for calls by hand from their own. The
// receiver must not block. A Record belongs to the driving goroutine: copy it to keep it; its View's body and Body are
// valid until the receiver returns: clone them to keep them.
type Event struct {
	Kind    EventKind
	Record  *Record // of staged, sending, attempt, response
	Attempt int
	Body    []byte // of attempt: as sent
	Delta   provider.Delta
	Text    string // the answer, a summary, a note, the reason of a pause
	Tool    string // public name
	State   string // outcome of a tool, source of a summary
	Err     error
}
