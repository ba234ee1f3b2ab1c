package transcript

import (
	"fmt"
	"slices"

	"zimoscope/backend/requestview/wire"
)

// AppendUser appends what a person wrote.
func (t *Transcript) AppendUser(text string, images []Image) error {
	return t.emit(Event{Type: EventMessage, Role: User, Payload: t.header.Rules.userMessage(text, images)})
}

// AppendReply appends a response of the model and gives its calls with the ids that history uses: an empty id or
// one that stands twice in this response gets a fresh one. An earlier step may have used the same id; results are
// matched within their own group.
func (t *Transcript) AppendReply(r Reply) ([]Call, error) {
	r.Calls = slices.Clone(r.Calls)
	seen, ids := map[string]bool{}, []string(nil)
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.ID == "" || seen[c.ID] {
			c.ID = t.freshID(i, seen, r.Calls)
		}
		seen[c.ID] = true
		ids = append(ids, c.ID)
	}
	e := Event{Type: EventMessage, Role: Assistant, CallIDs: ids, Payload: assistantMessage(r, t.header.Rules)}
	return r.Calls, t.emit(e)
}

// freshID has nine letters and digits, the strictest form that a known provider takes (Mistral's chat template).
func (t *Transcript) freshID(i int, seen map[string]bool, calls []Call) string {
	for n := t.calls + i; ; n++ {
		id := fmt.Sprintf("zs%07d", n)
		if !seen[id] && !slices.ContainsFunc(calls, func(c Call) bool { return c.ID == id }) {
			return id
		}
	}
}

// AppendResult closes the next open call with an ordinary tool's text and images.
func (t *Transcript) AppendResult(callID, tool, text string, images []Image) error {
	if t.header.Rules.ImageNotes {
		for _, im := range images {
			text += fmt.Sprintf("\n(image left out, %d bytes as text)", len(im.URL))
		}
		images = nil
	}
	payload := t.header.Rules.toolMessage(callID, ordinaryText(text, t.header.Rules.ResultLimit), images)
	return t.emit(Event{Type: EventMessage, Role: Tool, Tool: tool, CallIDs: []string{callID}, Payload: payload})
}

// AppendOperation closes the next open call with a pending record. An earlier pending record of the same step is
// sealed as shared first: no request has held it yet.
func (t *Transcript) AppendOperation(op Operation) error {
	if len(t.open) == 0 || t.open[0] != op.CallID {
		return ErrNoSuchCall
	}
	if t.pend != nil {
		if err := t.Seal("", SharedLater); err != nil {
			return err
		}
	}
	payload := t.header.Rules.toolMessage(op.CallID, recordText(op), nil)
	return t.emit(Event{Type: EventMessage, Role: Tool, Tool: op.Tool, Op: true, Pending: true, CallIDs: []string{op.CallID}, Payload: payload})
}

// Seal writes the Summary of the pending record: the one time that a message grows.
func (t *Transcript) Seal(text string, source Source) error {
	grow := wire.AppendEscaped(nil, "\n"+summaryLine(text, source))
	return t.emit(Event{Type: EventSeal, Source: source, Payload: grow})
}

// Rehead replaces the header between two turns: an announced change of the prefix.
func (t *Transcript) Rehead(h Header) error {
	if len(t.open) > 0 || t.pend != nil {
		return ErrMidTurn
	}
	if h.Model == "" || h.System == "" {
		return ErrEmptyHeader
	}
	return t.emit(Event{Type: EventHeader, Payload: encodeHeader(h)})
}

// SetTasks stores the task stack, which is shown as a request-only notice.
func (t *Transcript) SetTasks(raw []byte) error {
	return t.emit(Event{Type: EventTasks, Payload: raw})
}
