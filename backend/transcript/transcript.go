package transcript

import (
	"fmt"
	"slices"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/zimoos"
)

// message is one entry, visible or not.
type message struct {
	role    Role
	wire    []byte // bytes of a message outside the log: pending, behind a pending one, or hidden; else nil
	at      int    // place in the log when wire is nil
	tool    string
	op      bool
	pending bool
	derived bool
	opens   bool // an assistant message with calls, or any message that starts a group
	cost    int  // tokens by estimate
	seq     int  // number of the event that appended it
	seal    int  // number of the event that sealed it, 0 when none did
}

// Transcript is one session's memory. Make it with New or Replay.
type Transcript struct {
	header  Header
	head    *wire.Head
	log     *wire.Log  // the visible frozen messages, joined
	visible []*message // in wire order; the first log.Len() of them are in the log
	all     []*message // every message ever appended, hidden ones too
	open    []string   // ids of calls without a result, in order
	owner   *message   // the assistant message that made them
	pend    *message   // the one pending record, nil when none
	cost    int        // tokens of all visible messages, by estimate
	tasks   []byte
	calls   int // numbers fresh call ids
	seq     int // events applied so far; the next one has number seq+1
	events  []Event
	turns   int
	closed  bool // the last message is an answer without calls
}

// New starts a session. The header's values must be JSON.
func New(h Header) (*Transcript, error) {
	if h.Model == "" || h.System == "" {
		return nil, ErrEmptyHeader
	}
	h.System = zimoos.Neutralise(zimoos.Valid(h.System))
	t := &Transcript{closed: true}
	return t, t.emit(Event{Type: EventHeader, Payload: encodeHeader(h)})
}

// Replay rebuilds a session from its stored events. On an error the transcript holds everything before the event
// that can't be read.
func Replay(events [][]byte) (*Transcript, error) { return ReplayWatched(events, nil) }

// ReplayWatched also shows each event after it was applied: with its number, from 1, and what stood before it.
func ReplayWatched(events [][]byte, watch func(n int, before View, e Event)) (*Transcript, error) {
	t := &Transcript{closed: true}
	for i, raw := range events {
		e, err := DecodeEvent(raw)
		var before View
		if watch != nil && i > 0 {
			before = t.View()
		}
		if err == nil {
			err = t.apply(e)
		}
		if err != nil {
			return t, fmt.Errorf("event %d of %d: %w", i+1, len(events), err)
		}
		if watch != nil {
			watch(i+1, before, e)
		}
	}
	return t, nil
}

// Seq counts the events so far.
func (t *Transcript) Seq() int { return t.seq }

// Drain gives the events since the last Drain, in order: what a store has to keep before anything is acknowledged.
func (t *Transcript) Drain() []Event {
	e := t.events
	t.events = nil
	return e
}

// emit applies a change and queues it for the store; an event that does not apply is not queued.
func (t *Transcript) emit(e Event) error {
	if err := t.apply(e); err != nil {
		return err
	}
	t.events = append(t.events, e)
	return nil
}

// apply is the one door through which a transcript changes.
func (t *Transcript) apply(e Event) error {
	if err := t.change(e); err != nil {
		return err
	}
	t.seq++
	return nil
}

func (t *Transcript) change(e Event) error {
	switch e.Type {
	case EventHeader:
		return t.applyHeader(e.Payload)
	case EventMessage:
		return t.applyMessage(e)
	case EventSeal:
		return t.applySeal(e)
	case EventWindow:
		return t.applyWindow(e.Cuts)
	case EventTasks:
		t.tasks = slices.Clone(e.Payload)
		return nil
	}
	return fmt.Errorf("%w: unknown type %q (a newer version wrote it)", ErrBadEvent, e.Type)
}

func (t *Transcript) applyHeader(payload []byte) error {
	h, err := decodeHeader(payload)
	if err != nil {
		return err
	}
	tools := make([][]byte, len(h.Tools))
	for i, tool := range h.Tools {
		tools[i] = tool.Raw
	}
	head, err := wire.NewHead(h.Model, h.Params, tools)
	if err != nil {
		return err
	}
	t.header, t.head = h, head
	sys := &message{role: System, wire: h.Rules.systemMessage(h.System), cost: zimoos.EstimateTokens(h.System)}
	if len(t.visible) == 0 {
		t.visible, t.all = []*message{sys}, []*message{sys}
	} else {
		t.visible[0] = sys
	}
	t.rebuild()
	return nil
}

// rebuild makes the frozen log anew after the visible sequence changed elsewhere than at its end.
func (t *Transcript) rebuild() {
	t.cost = 0
	for _, m := range t.visible {
		m.wire = t.bytes(m)
		t.cost += m.cost
	}
	t.log = wire.NewLog(t.head.Link())
	t.freeze()
}

func (t *Transcript) bytes(m *message) []byte {
	if m.wire != nil {
		return m.wire
	}
	return t.log.Message(m.at)
}

// freeze moves messages into the log up to the pending record.
func (t *Transcript) freeze() {
	for _, m := range t.visible[t.log.Len():] {
		if m.pending {
			return
		}
		m.at = t.log.Len()
		t.log.Append(m.wire)
		m.wire = nil // the log owns the bytes: a slice of it here would keep every outgrown buffer alive
	}
}

func (t *Transcript) applyMessage(e Event) error {
	if t.head == nil {
		return fmt.Errorf("%w: a message before the header", ErrBadEvent)
	}
	if !wire.IsValue(e.Payload) {
		return fmt.Errorf("%w: a message is not one JSON value", ErrBadEvent)
	}
	m := &message{role: e.Role, seq: t.seq + 1, wire: slices.Clone(e.Payload), tool: e.Tool, op: e.Op, pending: e.Pending, cost: costOf(e.Payload)}
	switch e.Role {
	case Tool:
		if len(t.open) == 0 || len(e.CallIDs) != 1 || t.open[0] != e.CallIDs[0] {
			return ErrNoSuchCall
		}
		t.open = t.open[1:]
	default:
		if len(t.open) > 0 {
			return ErrOpenCalls
		}
		if t.pend != nil {
			return ErrPending
		}
		m.opens = true
	}
	if e.Pending {
		if t.pend != nil {
			return ErrPending
		}
		t.pend = m
	}
	if e.Role == Assistant {
		t.open = slices.Clone(e.CallIDs)
		t.owner, t.calls = m, t.calls+len(e.CallIDs)
	}
	if e.Role == User {
		t.turns++
	}
	t.closed = answers(e)
	t.all, t.visible = append(t.all, m), append(t.visible, m)
	t.cost += m.cost
	t.freeze()
	return nil
}

func (t *Transcript) applySeal(e Event) error {
	m := t.pend
	if m == nil {
		return ErrNotPending
	}
	grown := growRaw(m.wire, e.Payload)
	if !wire.IsValue(grown) {
		return fmt.Errorf("%w: a seal does not fit its record", ErrBadEvent)
	}
	added := zimoos.EstimateTokens(string(e.Payload))
	m.wire, m.pending, m.derived, m.seal = grown, false, e.Source == FromCode, t.seq+1
	m.cost, t.cost, t.pend = m.cost+added, t.cost+added, nil
	t.freeze()
	return nil
}
