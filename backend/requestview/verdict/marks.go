package verdict

import (
	"bytes"

	"zimoscope/backend/requestview/wire"
)

// Cache marks tell a provider where to write its cache. They move with every request and are no content, so parts
// are compared a second time without them.
var markNames = []string{"cache_control", "prompt_cache_breakpoint"}

// plainLeaf is the leaf of a value without its cache marks; for a value without any it is the leaf itself.
func plainLeaf(k wire.Kind, raw []byte, leaf wire.Hash) wire.Hash {
	for _, n := range markNames {
		if bytes.Contains(raw, []byte(`"`+n+`"`)) {
			return wire.Leaf(k, stripMarks(raw))
		}
	}
	return leaf
}

// PlainLeaf is the leaf of a part without its cache marks: what a verdict compares by.
func PlainLeaf(b *wire.Body, k wire.Kind, i int) wire.Hash {
	return plainLeaf(k, b.Bytes(k, i), b.Region(k).Part(i).Leaf)
}

// WithoutMarks gives a value without its cache marks, and says whether it had any.
func WithoutMarks(raw []byte) (plain []byte, marked bool) {
	for _, n := range markNames {
		if bytes.Contains(raw, []byte(`"`+n+`"`)) {
			plain = stripMarks(raw)
			return plain, len(plain) != len(raw)
		}
	}
	return raw, false
}

// OneText is a message without cache marks, with content that is one text part written as the string that it holds:
// messages of which this is equal are read alike.
func OneText(msg []byte) []byte { return oneText(stripMarks(msg)) }

// stripMarks cuts the members with the names of marks out of a value, each with one comma beside it.
func stripMarks(raw []byte) []byte {
	for _, n := range markNames {
		from := 0
		for {
			start, end, ok := findMember(raw, n, from)
			if !ok {
				break
			}
			raw = append(bytes.Clone(raw[:start]), raw[end:]...)
			from = start
		}
	}
	return raw
}

// findMember finds the span of a member with that name from an offset on, one neighbouring comma included.
func findMember(raw []byte, name string, from int) (start, end int, ok bool) {
	eachString(raw, func(t stringToken) {
		if ok || !t.isKey || t.start < from {
			return
		}
		if s, _ := wire.String(raw[t.start:t.end]); s != name {
			return
		}
		colon := t.end + bytes.IndexByte(raw[t.end:], ':')
		_, e, err := wire.Skip(raw, colon+1)
		if err != nil {
			return
		}
		start, end, ok = t.start, e, true
	})
	if !ok {
		return 0, 0, false
	}
	before := len(bytes.TrimRight(raw[:start], " \t\r\n"))
	if before > 0 && raw[before-1] == ',' {
		return before - 1, end, true
	}
	rest := bytes.TrimLeft(raw[end:], " \t\r\n")
	if len(rest) > 0 && rest[0] == ',' {
		end = len(raw) - len(rest) + 1
	}
	return start, end, true
}
