package verdict

import (
	"strings"
	"unicode/utf8"

	"zimoscope/backend/requestview/wire"
)

func roleOf(msg []byte) string {
	role, _ := wire.String(wire.Get(msg, "role"))
	return role
}

// isSystem also takes the name that newer providers give to the same role.
func isSystem(role string) bool { return role == "system" || role == "developer" }

// textOf is the decoded text that a model reads in a message: content, be it a string or a list of text parts.
func textOf(msg []byte) string {
	content := wire.Get(msg, "content")
	if s, ok := wire.String(content); ok {
		return s
	}
	if len(content) == 0 || content[0] != '[' {
		return ""
	}
	var b strings.Builder
	_ = wire.Elements(content, func(start, end int) error {
		if s, ok := wire.String(wire.Get(content[start:end], "text")); ok {
			b.WriteString(s)
		}
		return nil
	})
	return b.String()
}

// stringToken is one JSON string of a value: a member name or a value, with the member name it stands under.
type stringToken struct {
	start, end int // with its quotes, in the scanned bytes
	key        string
	isKey      bool
}

// eachString visits the strings of a JSON value in order, in one pass, however deeply they are nested. It also
// copes with text that is not quite JSON, as a model's arguments may be.
func eachString(raw []byte, visit func(stringToken)) {
	key := ""
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := stringEnd(raw, i)
		if end < 0 {
			return
		}
		next := end
		for next < len(raw) && (raw[next] == ' ' || raw[next] == '\n' || raw[next] == '\t' || raw[next] == '\r') {
			next++
		}
		t := stringToken{start: i, end: end, key: key, isKey: next < len(raw) && raw[next] == ':'}
		if t.isKey {
			key, _ = wire.String(raw[i:end])
		}
		visit(t)
		i = end - 1
	}
}

// stringEnd is the offset behind the closing quote, or -1.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// rawOffset turns an offset in a decoded string into the offset in its raw form, quotes included.
func rawOffset(raw []byte, decoded int) int {
	i, n := 1, 0
	for i < len(raw)-1 && n < decoded {
		size, out := escapeLen(raw, i)
		i, n = i+size, n+out
	}
	return i
}

// escapeLen gives how many raw bytes the character at i takes, and how many bytes it decodes to.
func escapeLen(raw []byte, i int) (size, out int) {
	if raw[i] != '\\' || i+1 >= len(raw) {
		return 1, 1
	}
	if raw[i+1] != 'u' || i+6 > len(raw) {
		return 2, 1
	}
	r := hexRune(raw[i+2 : i+6])
	if r >= 0xD800 && r < 0xDC00 && i+12 <= len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
		if low := hexRune(raw[i+8 : i+12]); low >= 0xDC00 && low < 0xE000 {
			return 12, 4
		}
	}
	if n := utf8.RuneLen(r); n > 0 {
		return 6, n
	}
	return 6, len("\uFFFD")
}

func hexRune(b []byte) rune {
	var r rune
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		default:
			r = r<<4 | rune(c|0x20-'a'+10)
		}
	}
	return r
}
