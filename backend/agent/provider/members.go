package provider

import (
	"bytes"
	"encoding/json"
)

// member is one name and value of a JSON object, in the order it came. raw is
// the value's bytes as they were sent.
type member struct {
	key string
	raw json.RawMessage
}

// membersOf splits an object into its members; nil when raw is no valid one.
// Values of a member are valid then, and are split with split and elementsOf.
func membersOf(raw []byte) []member {
	if !json.Valid(raw) {
		return nil
	}
	return split(raw)
}

// split splits a valid object; nil when raw is another kind of value. It looks
// at each byte once, which matters for answers of many megabytes.
func split(raw []byte) []member {
	s := scanner{text: bytes.TrimSpace(raw)}
	if len(s.text) == 0 || s.text[0] != '{' {
		return nil
	}
	list := []member{}
	for s.enter(); s.peek() == '"'; {
		key, _ := asString(s.value())
		s.enter() // the colon
		list = append(list, member{key: key, raw: s.value()})
		if s.peek() == ',' {
			s.enter()
		}
	}
	return list
}

// elementsOf splits a valid array; a value that is no array counts as its only
// element, null as none.
func elementsOf(raw []byte) []json.RawMessage {
	trimmed := bytes.TrimSpace(raw)
	if isNull(trimmed) {
		return nil
	}
	if trimmed[0] != '[' {
		return []json.RawMessage{trimmed}
	}
	s := scanner{text: trimmed}
	var list []json.RawMessage
	for s.enter(); s.peek() != ']' && s.peek() != 0; {
		list = append(list, s.value())
		if s.peek() == ',' {
			s.enter()
		}
	}
	return list
}

// scanner walks over text that is known to be valid JSON.
type scanner struct {
	text []byte
	at   int
}

// peek returns the next byte that is no white space, 0 at the end.
func (s *scanner) peek() byte {
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
		default:
			return s.text[s.at]
		}
	}
	return 0
}

// enter steps over one byte of punctuation.
func (s *scanner) enter() {
	s.peek()
	s.at++
}

// value returns the next value and steps over it.
func (s *scanner) value() []byte {
	first := s.peek()
	start := min(s.at, len(s.text))
	depth := 0
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '"':
			s.skipString()
			if depth == 0 {
				return s.text[start:s.at]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']', ',', ' ', '\t', '\r', '\n':
			if depth == 0 && first != '{' && first != '[' {
				return s.text[start:s.at] // a number or a word ends here
			}
			if c == '}' || c == ']' {
				depth--
			}
			if depth == 0 && (c == '}' || c == ']') {
				s.at++
				return s.text[start:s.at]
			}
		}
		s.at++
	}
	return s.text[start:]
}

func (s *scanner) skipString() {
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return
		}
	}
	s.at = min(s.at, len(s.text))
}

// find returns the last member of that name that is not null.
func find(object []member, key string) (json.RawMessage, bool) {
	for i := len(object) - 1; i >= 0; i-- {
		if object[i].key == key && !isNull(object[i].raw) {
			return object[i].raw, true
		}
	}
	return nil, false
}

// has reports whether a member of that name exists, null or not.
func has(object []member, key string) bool {
	for _, m := range object {
		if m.key == key {
			return true
		}
	}
	return false
}

func isNull(raw []byte) bool {
	t := bytes.TrimSpace(raw)
	return len(t) == 0 || string(t) == "null"
}
