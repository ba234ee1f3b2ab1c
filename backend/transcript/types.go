package transcript

import (
	"errors"

	"zimoscope/backend/requestview/wire"
)

// Role is the role of a message on the wire.
type Role string

// The roles of messages.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Placement says where the request-only block goes; the profile decides, once for a session.
type Placement string

// The placements. Attach: behind the user's text when the transcript ends with it, else a user message of its
// own. Separate: always of its own. InTool: behind the text of the last tool message.
const (
	Attach   Placement = "attach"
	Separate Placement = "separate"
	InTool   Placement = "tool"
)

// EmptyContent is how an assistant message with calls and no text says that it has no text.
type EmptyContent string

// The forms of empty content. One of them holds for a whole session.
const (
	ContentNull   EmptyContent = "null"
	ContentEmpty  EmptyContent = "empty"
	ContentAbsent EmptyContent = "absent"
)

// CacheMark is the member by which a request tells a provider where to write its cache.
type CacheMark string

// The marks. With one of them the content of system, user and tool messages is always a list of parts, so that a mark
// that comes or goes changes nothing else.
const (
	NoMark           CacheMark = ""
	CacheControl     CacheMark = "cache_control"           // Anthropic, and gateways that speak to it
	PromptBreakpoint CacheMark = "prompt_cache_breakpoint" // OpenAI from 5.6 on
)

// Rules are what a provider profile fixes for the bytes of a session. The zero value means attach and null.
type Rules struct {
	Placement     Placement    `json:"placement,omitempty"`
	EmptyContent  EmptyContent `json:"empty_content,omitempty"`
	KeepReasoning bool         `json:"keep_reasoning,omitempty"`
	KeepExtras    bool         `json:"keep_extras,omitempty"`    // unknown fields on tool calls go back verbatim
	ImageNotes    bool         `json:"image_notes,omitempty"`    // images of tools become a note of their size
	CacheMark     CacheMark    `json:"cache_mark,omitempty"`     // on the last sealed message of each request
	ResultLimit   int          `json:"result_limit,omitempty"`   // bytes of an ordinary result; 0 means DefaultResultLimit
	ContextTokens int          `json:"context_tokens,omitempty"` // window budget by estimate; 0 means never window
}

// ToolDef is one tool as offered: its provider JSON, and the public tool it stands for.
type ToolDef struct {
	Function string `json:"function"`
	Server   string `json:"server"`
	Name     string `json:"name"`
	Raw      []byte `json:"-"`
}

// Header is the stable prefix of a session. It changes only by Rehead, between two turns.
type Header struct {
	Model  string
	Params []wire.Param // in wire order, stream first
	Tools  []ToolDef
	System string
	Rules  Rules
}

// Image is one picture as the wire wants it: a data or https URL.
type Image struct{ URL string }

// Call is one tool call of a response.
type Call struct {
	ID        string // as the provider gave it; "" or a duplicate gets a fresh one
	Function  string
	Arguments string // JSON text as streamed
	Extra     []wire.Param
}

// Reply is one response of the model.
type Reply struct {
	Text           string
	Reasoning      string
	ReasoningField string // member name to replay it under, "reasoning_content" when empty
	Calls          []Call
}

// Outcome is what happened to an operation; it comes from code alone.
type Outcome string

// The outcomes.
const (
	OK         Outcome = "ok"
	Failed     Outcome = "error"
	Rejected   Outcome = "rejected"
	Cancelled  Outcome = "cancelled"
	TimedOut   Outcome = "timed out"
	Superseded Outcome = "superseded"
	NotRun     Outcome = "not run"
	Unknown    Outcome = "unknown"
)

// Source says where a Summary came from.
type Source string

// The sources of a Summary.
const (
	FromNarration Source = "narration"
	FromStep      Source = "step"
	FromCode      Source = "derived"
	SharedLater   Source = "shared"
)

// Errors of appending: each means that the caller broke the order of a conversation, and nothing was appended.
var (
	ErrOpenCalls   = errors.New("tool calls are still open: every call needs its result first")
	ErrNoSuchCall  = errors.New("no open tool call has this id next in order")
	ErrPending     = errors.New("an operation record is still pending: seal it first")
	ErrNotPending  = errors.New("no operation record is pending")
	ErrMidTurn     = errors.New("the header changes only between two turns")
	ErrEmptyHeader = errors.New("a session needs a model and a system message")
)
