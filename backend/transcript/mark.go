package transcript

import (
	"slices"

	"zimoscope/backend/requestview/wire"
)

// value is what stands behind the name of a mark.
func (m CacheMark) value() string {
	switch m {
	case CacheControl:
		return `{"type":"ephemeral"}`
	case PromptBreakpoint:
		return `{"mode":"explicit"}`
	}
	return ""
}

// partStart is how the text part begins that a mark stands on.
const partStart = `{"type":"text"`

// WithMark clones a message with the mark on its last part. ok is false when it can't carry one: a message of the model,
// or one whose content is no list of parts that ends with a text.
func WithMark(msg []byte, m CacheMark) (marked []byte, ok bool) {
	value := m.value()
	if role, _ := wire.String(wire.Get(msg, "role")); value == "" || role == string(Assistant) {
		return nil, false
	}
	at := lastPart(msg)
	if at < 0 || len(msg)-at < len(partStart) || string(msg[at:at+len(partStart)]) != partStart {
		return nil, false
	}
	at += len(partStart)
	return slices.Concat(msg[:at], wire.AppendQuoted([]byte{','}, string(m)), []byte(":"+value), msg[at:]), true
}

// lastPart is the offset of the last element of a message's content; -1 when content is no list.
func lastPart(msg []byte) int {
	last := -1
	_ = wire.Members(msg, func(m wire.Member) error {
		if m.Name == "content" && msg[m.Start] == '[' {
			return wire.Elements(msg[m.Start:m.End], func(start, _ int) error {
				last = m.Start + start
				return nil
			})
		}
		return nil
	})
	return last
}

// UserText is a user message of text as it is given, in the form that the mark needs.
func (m CacheMark) UserText(text string) []byte {
	return Rules{CacheMark: m}.contentLast([]byte(`{"role":"user"`), text, nil)
}
