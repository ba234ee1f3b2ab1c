package transcript

import (
	"bytes"
	"fmt"
	"strings"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/zimoos"
)

// View is what a request may know of a transcript. It stays valid, and unchanged, while the transcript grows.
type View struct {
	Head      *wire.Head
	Log       *wire.Log
	Frozen    int      // how many messages of the log belong to this view
	Loose     [][]byte // the pending record and what follows it in its step
	LastRole  Role
	Placement Placement
	Mark      CacheMark
}

// View gives the current state for building a request.
func (t *Transcript) View() View {
	v := View{Head: t.head, Log: t.log, Frozen: t.log.Len(), Placement: t.header.Rules.Placement, Mark: t.header.Rules.CacheMark}
	if v.Placement == "" {
		v.Placement = Attach
	}
	for _, m := range t.visible[t.log.Len():] {
		v.Loose = append(v.Loose, m.wire)
	}
	v.LastRole = t.visible[len(t.visible)-1].role
	return v
}

// Events gives the numbers, from 1, of the events that appended and sealed visible message i; seal is 0 when nothing
// sealed it, and both are 0 for the system message. A store keeps the bytes of a request by them.
func (t *Transcript) Events(i int) (appended, seal int) {
	m := t.visible[i]
	return m.seq, m.seal
}

// SealedBytes is a record's message from the payloads of its two events.
func SealedBytes(appended, seal []byte) []byte { return growRaw(appended, seal) }

// FindState reads the messages from number from on, hidden ones too, and says what frame state it found, if any; found
// is given back when it is not "". next is where to go on. A pending record is read again until it is sealed.
func (t *Transcript) FindState(from int, found string) (next int, what string) {
	for ; from < len(t.all) && found == ""; from++ {
		m := t.all[from]
		if kind, at, bad := zimoos.StateIn(string(t.bytes(m))); bad {
			found = fmt.Sprintf("message %d of the transcript holds frame state (%s at byte %d)", from, kind, at)
		}
		if m.pending {
			break
		}
	}
	return from, found
}

// Prompts gives the text of every user message, in order.
func (t *Transcript) Prompts() (list []string) {
	for _, m := range t.all {
		if m.role == User {
			list = append(list, TextOf(t.bytes(m)))
		}
	}
	return list
}

// TextOf gives the text of a message's content: a string, or the text parts of an array, joined.
func TextOf(msg []byte) string {
	content := wire.Get(msg, "content")
	if s, ok := wire.String(content); ok {
		return s
	}
	var parts []string
	_ = wire.Elements(content, func(start, end int) error {
		if s, ok := wire.String(wire.Get(content[start:end], "text")); ok {
			parts = append(parts, s)
		}
		return nil
	})
	return strings.Join(parts, "\n")
}

// Header gives the stable prefix.
func (t *Transcript) Header() Header { return t.header }

// Tasks gives the stored task stack, nil when there is none.
func (t *Transcript) Tasks() []byte { return t.tasks }

// Turns counts the user messages.
func (t *Transcript) Turns() int { return t.turns }

// Visible counts the messages that the next request holds, the system message included.
func (t *Transcript) Visible() int { return len(t.visible) }

// Cost is the visible history in tokens, by the integer estimate that windows use.
func (t *Transcript) Cost() int { return t.cost }

// Pending says whether a record waits for its Summary, and gives its text.
func (t *Transcript) Pending() (record string, pending bool) {
	if t.pend == nil {
		return "", false
	}
	return TextOf(t.pend.wire), true
}

// Open gives the ids of calls without a result, in order.
func (t *Transcript) Open() []string { return t.open }

// OpenCall gives function name and arguments of an open call, as history holds them.
func (t *Transcript) OpenCall(id string) (function, arguments string) {
	if t.owner == nil {
		return "", ""
	}
	_ = wire.Elements(wire.Get(t.bytes(t.owner), "tool_calls"), func(start, end int) error {
		call := wire.Get(t.bytes(t.owner), "tool_calls")[start:end]
		if got, _ := wire.String(wire.Get(call, "id")); got == id {
			fn := wire.Get(call, "function")
			function, _ = wire.String(wire.Get(fn, "name"))
			arguments, _ = wire.String(wire.Get(fn, "arguments"))
		}
		return nil
	})
	return function, arguments
}

// TurnOpen says that the last message is not an answer: the turn was interrupted.
func (t *Transcript) TurnOpen() bool { return !t.closed }

// Asks says that the interrupted turn began with this text, so that the same prompt once more has nothing to append.
func (t *Transcript) Asks(text string) bool {
	for i := len(t.all) - 1; i >= 0 && t.TurnOpen(); i-- {
		if m := t.all[i]; m.role == User {
			return TextOf(t.bytes(m)) == zimoos.Neutralise(zimoos.Valid(text))
		}
	}
	return false
}

// HasOperations says that this session has records, so that an empty slot deserves a block.
func (t *Transcript) HasOperations() bool {
	for _, m := range t.all {
		if m.op {
			return true
		}
	}
	return false
}

// JSONL is the session as one message a line, as stored: no system message, no block, hidden messages included.
func (t *Transcript) JSONL() []byte {
	var b bytes.Buffer
	for _, m := range t.all[1:] {
		b.Write(t.bytes(m))
		b.WriteByte('\n')
	}
	return b.Bytes()
}
