package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"zimoscope/backend/requestview/wire"
)

// EventType names a change of a transcript.
type EventType string

// The changes. A header event starts a session or announces a new prefix; a message appends; a seal grows the one
// pending record; a window hides messages; tasks replaces the task stack.
const (
	EventHeader  EventType = "header"
	EventMessage EventType = "message"
	EventSeal    EventType = "seal"
	EventWindow  EventType = "window"
	EventTasks   EventType = "tasks"
)

// Event is one change, as it is stored: a small JSON object, a line break, then the payload's own bytes.
type Event struct {
	Type    EventType `json:"t"`
	Role    Role      `json:"r,omitempty"`
	Tool    string    `json:"n,omitempty"` // public tool name of a tool message
	CallIDs []string  `json:"c,omitempty"` // ids that an assistant message opens, or the one a tool message closes
	Op      bool      `json:"o,omitempty"` // a tool message that is an operation record
	Pending bool      `json:"p,omitempty"` // born without its Summary
	Source  Source    `json:"u,omitempty"` // of a seal
	Cuts    []Cut     `json:"w,omitempty"` // of a window move
	Payload []byte    `json:"-"`
}

// Cut hides messages [From, To) of the visible sequence as it was before this cut.
type Cut struct {
	From int `json:"f"`
	To   int `json:"t"`
}

// ErrBadEvent means that a stored event can't be read; what came before it stands.
var ErrBadEvent = errors.New("a stored event can't be read")

// Encode gives the stored form.
func (e Event) Encode() []byte {
	head, err := json.Marshal(e)
	if err != nil { // an Event holds only strings, booleans and integers
		head = []byte("{}")
	}
	return append(append(head, '\n'), e.Payload...)
}

// DecodeEvent reads the stored form; the payload aliases b.
func DecodeEvent(b []byte) (Event, error) {
	var e Event
	head, payload, ok := bytes.Cut(b, []byte{'\n'})
	if !ok {
		return e, fmt.Errorf("%w: no header line", ErrBadEvent)
	}
	if err := json.Unmarshal(head, &e); err != nil {
		return e, fmt.Errorf("%w: %w", ErrBadEvent, err)
	}
	e.Payload = payload
	return e, nil
}

// PayloadOf gives an event's own bytes without reading what it is: a request takes thousands of them.
func PayloadOf(b []byte) ([]byte, error) {
	_, payload, ok := bytes.Cut(b, []byte{'\n'})
	if !ok {
		return nil, fmt.Errorf("%w: no header line", ErrBadEvent)
	}
	return payload, nil
}

// headerRecord is the payload of a header event. Raw values are kept as strings, so that their bytes survive.
type headerRecord struct {
	Model  string       `json:"model"`
	Params []paramEntry `json:"params"`
	Tools  []toolEntry  `json:"tools"`
	System string       `json:"system"`
	Rules  Rules        `json:"rules"`
}

type paramEntry struct {
	Name string `json:"name"`
	Raw  string `json:"raw"`
}

type toolEntry struct {
	ToolDef
	Raw string `json:"raw"`
}

func encodeHeader(h Header) []byte {
	rec := headerRecord{Model: h.Model, System: h.System, Rules: h.Rules}
	for _, p := range h.Params {
		rec.Params = append(rec.Params, paramEntry{p.Name, string(p.Raw)})
	}
	for _, t := range h.Tools {
		rec.Tools = append(rec.Tools, toolEntry{t, string(t.Raw)})
	}
	b, err := json.Marshal(rec)
	if err != nil {
		return []byte("{}")
	}
	return b
}

func decodeHeader(b []byte) (Header, error) {
	var rec headerRecord
	if err := json.Unmarshal(b, &rec); err != nil {
		return Header{}, fmt.Errorf("%w: header: %w", ErrBadEvent, err)
	}
	h := Header{Model: rec.Model, System: rec.System, Rules: rec.Rules}
	for _, p := range rec.Params {
		h.Params = append(h.Params, wire.Param{Name: p.Name, Raw: []byte(p.Raw)})
	}
	for _, t := range rec.Tools {
		t.ToolDef.Raw = []byte(t.Raw)
		h.Tools = append(h.Tools, t.ToolDef)
	}
	return h, nil
}
