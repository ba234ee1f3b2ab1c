package zimoos

import (
	"fmt"
	"regexp"
	"strings"

	"zimoscope/backend/requestview/wire"
)

// Marker is the heading under which older agents put frame state into history.
const Marker = "[ZimoOS Current Frame]"

// Kinds of frame state that StateIn reports.
const (
	StateTag    = "tag"
	StateMarker = "marker"
	StateFrame  = "frame"
)

// nesting bounds how often a text is looked at again as JSON inside a JSON string.
const nesting = 4

// tagPattern is any `<`, optional `/`, and `zimoos`, in any case and with any spacing or control characters between.
var tagPattern = regexp.MustCompile(`(?i)<([\s\p{Cf}\x00-\x1f]*/?[\s\p{Cf}\x00-\x1f]*zimoos)`)

// escapedTagPattern is the same with the `<` written as a JSON escape: inert as text, live once decoded.
var escapedTagPattern = regexp.MustCompile(`(?i)\\+u003c(\s*(?:\\*/)?\s*zimoos)`)

var markerPattern = regexp.MustCompile(`(?i)\[\s*ZimoOS\s+Current\s+Frame\s*\]`)

// framePattern is the protocol member of a frame at any depth of string escapes; the slash may be escaped too.
var framePattern = regexp.MustCompile(`\\*"protocol\\*"\s*:\s*\\*"zimoos(?:\\*/|\\+u002[fF])os-frame\\*"`)

// mayHoldState is a quick refusal: almost all texts hold none of the words.
func mayHoldState(text string) bool {
	return containsFold(text, "zimoos")
}

func containsFold(s, lower string) bool {
	first, upper := lower[0], lower[0]-'a'+'A'
	for i := 0; i+len(lower) <= len(s); i++ {
		j := strings.IndexByte(s[i:], first)
		k := strings.IndexByte(s[i:], upper)
		switch {
		case j < 0 && k < 0:
			return false
		case j < 0 || k >= 0 && k < j:
			j = k
		}
		i += j
		if i+len(lower) <= len(s) && strings.EqualFold(s[i:i+len(lower)], lower) {
			return true
		}
	}
	return false
}

// StateIn finds the first piece of frame state in decoded text: a block tag in any case and spacing, the marker,
// or raw OSFrame JSON, also where it is nested in string escapes. at counts bytes in text.
func StateIn(text string) (what string, at int, found bool) {
	if !mayHoldState(text) {
		return "", 0, false
	}
	at = len(text) + 1
	for _, p := range []struct {
		what string
		re   *regexp.Regexp
	}{{StateTag, tagPattern}, {StateTag, escapedTagPattern}, {StateMarker, markerPattern}, {StateFrame, framePattern}} {
		if loc := p.re.FindStringIndex(text); loc != nil && loc[0] < at {
			what, at, found = p.what, loc[0], true
		}
	}
	if !found {
		return "", 0, false
	}
	return what, at, true
}

// Neutralise makes text safe to stand in history: block tags lose their `<`, the marker its brackets, and raw
// frame JSON becomes a note of its cursor and size. A person still reads what was written; a parser of blocks
// finds nothing. Text without any of these comes back as it is.
func Neutralise(text string) string {
	if !mayHoldState(text) {
		return text
	}
	return neutraliseMarks(replaceFrames(text))
}

func neutraliseMarks(text string) string {
	text = tagPattern.ReplaceAllString(text, "‹$1")
	text = escapedTagPattern.ReplaceAllString(text, "‹$1")
	return markerPattern.ReplaceAllStringFunc(text, func(m string) string {
		return "⟦" + m[1:len(m)-1] + "⟧"
	})
}

// replaceFrames puts a note in the place of each JSON object that is a frame, and breaks the protocol name where
// no whole object stands around it, so that no later reader takes the rest for a frame.
func replaceFrames(text string) string {
	for range len(text) {
		loc := framePattern.FindStringIndex(text)
		if loc == nil {
			return text
		}
		start, end, ok := enclosingObject(text, loc[0])
		if !ok {
			hit := text[loc[0]:loc[1]]
			text = text[:loc[0]] + strings.Replace(hit, "os-frame", "os‑frame", 1) + text[loc[1]:]
			continue
		}
		text = text[:start] + frameNote(text[start:end]) + text[end:]
	}
	return text
}

// frameNote never holds quotes or backslashes: it may stand inside a JSON string at any depth.
func frameNote(object string) string {
	cursor := ""
	if f, _, ok := parseFrame([]byte(object)); ok {
		cursor = " " + strings.Map(plainOnly, f.Cursor)
	}
	return fmt.Sprintf("(OSFrame%s left out, %d bytes)", cursor, len(object))
}

func plainOnly(r rune) rune {
	if r < 0x20 || r == '"' || r == '\\' || r == '<' {
		return '·'
	}
	return r
}

// enclosingObject finds the JSON object whose own member stands at pos. Only the innermost `{` before pos that
// opens a well-formed object reaching past pos counts; a frame wrapped in another object leaves the wrapper.
func enclosingObject(text string, pos int) (start, end int, ok bool) {
	const tries = 64 // unbalanced braces before a frame are rare; hostile ones must not cost quadratic time
	from := pos
	for range tries {
		open := strings.LastIndexByte(text[:from], '{')
		if open < 0 {
			return 0, 0, false
		}
		if _, e, err := wire.Skip([]byte(text[open:]), 0); err == nil && open+e > pos {
			return open, open + e, true
		}
		from = open
	}
	return 0, 0, false
}
