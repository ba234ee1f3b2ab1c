package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// terminal makes text of models, tools and files inert on its way to a terminal: control characters, escape sequences
// and marks that turn the direction of text become visible as \uXXXX. Inside printed JSON that is the same character.
type terminal struct {
	w    io.Writer
	rest []byte // the start of a character whose end has not come yet
}

// Write takes all of p or fails.
func (t *terminal) Write(p []byte) (int, error) {
	text := append(t.rest, p...)
	t.rest = nil
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 && !utf8.FullRune(text) {
			t.rest = append([]byte(nil), text...)
			break
		}
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || turns(r)) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
		text = text[size:]
	}
	if _, err := io.WriteString(t.w, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// turns says that a character changes the order in which those around it are shown.
func turns(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}

// oneLine keeps a text that others wrote on its line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
