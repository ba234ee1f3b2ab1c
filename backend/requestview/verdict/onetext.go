package verdict

import (
	"bytes"

	"zimoscope/backend/requestview/wire"
)

// Some agents write a text as one part while a cache mark stands on it, and as a plain string before and after. A
// provider reads the same message; only the mark needed the part.

// oneText writes content that is one text part as the string that it holds. Any other message comes back as it is.
func oneText(msg []byte) []byte {
	content := wire.Get(msg, "content")
	if len(content) == 0 || content[0] != '[' {
		return msg
	}
	parts, text := 0, []byte(nil)
	_ = wire.Elements(content, func(start, end int) error {
		parts++
		text = loneText(content[start:end])
		return nil
	})
	if parts != 1 || text == nil {
		return msg
	}
	at := bytes.Index(msg, content)
	return append(append(bytes.Clone(msg[:at]), text...), msg[at+len(content):]...)
}

// loneText gives the raw text of a part that holds nothing else.
func loneText(part []byte) (text []byte) {
	members, isText := 0, false
	_ = wire.Members(part, func(m wire.Member) error {
		members++
		switch m.Name {
		case "type":
			kind, _ := wire.String(part[m.Start:m.End])
			isText = kind == "text"
		case "text":
			text = part[m.Start:m.End]
		}
		return nil
	})
	if members != 2 || !isText || len(text) == 0 || text[0] != '"' {
		return nil
	}
	return text
}

// sameForMark says that two messages differ by a cache mark and the part that was needed to carry it.
func sameForMark(a, b *elem) bool {
	return (a.marked || b.marked) && !a.partial && !b.partial &&
		bytes.Equal(oneText(stripMarks(a.raw)), oneText(stripMarks(b.raw)))
}

// TextLeaf is PlainLeaf, with content that is one text part taken for the string that it holds: what conversations are
// told apart by.
func TextLeaf(b *wire.Body, i int) wire.Hash {
	raw := b.Bytes(wire.KindMessage, i)
	if !bytes.Contains(raw, []byte(`"text"`)) { // no part names its text: most messages are told by this alone
		return plainLeaf(wire.KindMessage, raw, b.Messages.Part(i).Leaf)
	}
	if one := oneText(stripMarks(raw)); len(one) != len(raw) {
		return wire.Leaf(wire.KindMessage, one)
	}
	return b.Messages.Part(i).Leaf
}
