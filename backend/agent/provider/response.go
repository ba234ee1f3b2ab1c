package provider

import (
	"encoding/json"
	"time"
)

// Field is one unknown member kept as it was sent, in order of appearance.
type Field struct {
	Key string
	Raw json.RawMessage
}

// Call is one tool call as the model made it.
type Call struct {
	// ID is the provider's id: empty when it sent none, and not always unique
	// within a response; whoever stores the call gives it one that is.
	ID   string
	Type string // "function" unless the provider said otherwise
	Name string // function name as offered; empty when the provider sent none
	// Arguments is the model's own text, byte for byte; an object in place of a
	// string is its JSON text, null is empty.
	Arguments string
	// ArgumentsValid: Arguments is one JSON object, or empty. A call whose
	// arguments were cut is not valid and must not run.
	ArgumentsValid bool
	// Extra holds unknown members of the call, FunctionExtra those of its
	// function object; the last value of each wins.
	Extra         []Field
	FunctionExtra []Field
	// Legacy marks a call that came as function_call.
	Legacy bool
}

// Response is one answer, or what arrived of it.
type Response struct {
	ID    string
	Model string // the model that answered, in the provider's words
	Text  string
	// Reasoning is the model's reasoning, ReasoningField the member it came
	// under ("reasoning_content", "reasoning", "thinking"; "content" for parts
	// of the content). Empty when there was none.
	Reasoning      string
	ReasoningField string
	Refusal        string
	Calls          []Call // in order of first appearance
	FinishReason   string // empty when the provider sent none
	// Usage is the provider's usage object as sent; nil when not reported.
	Usage json.RawMessage
	// Raw is the body of the answer, exactly the bytes received.
	Raw []byte
	// Status is the HTTP status, 0 when there was no answer.
	Status int
	// Attempts counts how often the body went out, 1 when nothing was repeated.
	Attempts int
	// FirstByte and Done are measured from the start of the last attempt.
	FirstByte, Done time.Duration
	// Stopped: StopWhen ended the stream.
	Stopped bool
	// Streamed: the answer came as a stream, not as one JSON object.
	Streamed bool
}

// Delta is one piece of an answer, for live display.
type Delta struct {
	Text, Reasoning string
	// CallIndex is the place in Response.Calls, -1 when the piece belongs to no
	// call. CallName is the name as known so far, CallArgs the new piece.
	CallIndex          int
	CallName, CallArgs string
}
