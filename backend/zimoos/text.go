package zimoos

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// OneLine escapes everything that a reader could take for a line break or that turns the direction of writing, so
// that one field stays one line.
func OneLine(s string) string {
	if strings.IndexFunc(s, breaksLine) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteByte(' ')
		case breaksLine(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func breaksLine(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Cut shortens s to at most limit bytes at a boundary between characters as a person sees them, the ellipsis
// inside the limit. Text within the limit comes back as it is.
func Cut(s string, limit int) string {
	const ellipsis = "…"
	if len(s) <= limit {
		return s
	}
	keep := limit - len(ellipsis)
	if keep <= 0 {
		return ""
	}
	end, state := 0, -1
	rest := s[:min(len(s), keep+64)] // a cluster longer than this is hostile and is cut at a rune
	for rest != "" {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if end+len(cluster) > keep {
			break
		}
		end += len(cluster)
	}
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + ellipsis
}

// Valid makes s valid UTF-8.
func Valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// EstimateTokens is the integer estimate that budgets use: four ASCII bytes or one other character are a token. It
// errs on the high side for all tokenizers in common use and needs no table.
func EstimateTokens(s string) int {
	ascii, other := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] < utf8.RuneSelf:
			ascii++
		case utf8.RuneStart(s[i]):
			other++
		}
	}
	return (ascii+3)/4 + other
}

// fieldLine is one bounded, inert line of untrusted text. The input is cut before it is searched, so that a field
// of megabytes costs no more than a long one.
func fieldLine(s string, limit int) string {
	return Cut(OneLine(Neutralise(Valid(Cut(s, 4*limit)))), limit)
}

// exact says that an executable field can be shown whole: one line, inert as it stands, and of bearable length.
func exact(s string) bool {
	if s == "" || len(s) > maxExact || strings.IndexFunc(s, breaksLine) >= 0 || !utf8.ValidString(s) {
		return false
	}
	_, _, state := StateIn(s)
	return !state
}
