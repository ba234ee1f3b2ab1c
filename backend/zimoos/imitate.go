package zimoos

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

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

// tagPattern is any `<`, optional `/`, and `zimoos`, in any case and with any spacing or control characters between.
var tagPattern = regexp.MustCompile(`(?i)<([\s\p{Cf}\x00-\x1f]*/?[\s\p{Cf}\x00-\x1f]*zimoos)`)

// escapedTagPattern is the same with the `<` written as a JSON escape: inert as text, live once decoded.
var escapedTagPattern = regexp.MustCompile(`(?i)\\+u003c(\s*(?:\\*/)?\s*zimoos)`)

var markerPattern = regexp.MustCompile(`(?i)\[\s*ZimoOS\s+Current\s+Frame\s*\]`)

// framePattern is the protocol member of a frame at any depth of string escapes; the slash may be escaped too.
var framePattern = regexp.MustCompile(frameExpression)

var frameStart = regexp.MustCompile(`^` + frameExpression)

const frameExpression = `\\*"protocol\\*"\s*:\s*\\*"zimoos(?:\\*/|\\+u002[fF])os-frame\\*"`

// mayHoldState is a quick refusal: almost all texts hold none of the words.
func mayHoldState(text string) bool { return nextWord(text, 0) >= 0 }

const word = "zimoos"

// nextWord finds the next "zimoos" in any case at or after from, -1 when there is none. It looks for the rarer letter z
// first: that is what lets a long text be passed over at memory speed.
func nextWord(s string, from int) int {
	for i := from; i+len(word) <= len(s); i++ {
		j := indexZ(s[i:])
		if j < 0 {
			return -1
		}
		i += j
		if i+len(word) <= len(s) && strings.EqualFold(s[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

func indexZ(s string) int {
	lower := strings.IndexByte(s, 'z')
	if lower >= 0 {
		s = s[:lower]
	}
	if upper := strings.IndexByte(s, 'Z'); upper >= 0 {
		return upper
	}
	return lower
}

// StateIn finds the first piece of frame state in decoded text: a block tag in any case and spacing, the marker,
// or raw OSFrame JSON, also where it is nested in string escapes. at counts bytes in text.
func StateIn(text string) (what string, at int, found bool) {
	for i := nextWord(text, 0); i >= 0; i = nextWord(text, i+1) {
		if at := tagBefore(text, i); at >= 0 {
			return StateTag, at, true
		}
		if at := markerAround(text, i); at >= 0 {
			return StateMarker, at, true
		}
		if at := frameAround(text, i); at >= 0 {
			return StateFrame, at, true
		}
	}
	return "", 0, false
}

// tagBefore gives where the `<` of a tag stands whose name begins at i, as itself or as a JSON escape; -1 when there
// is none.
func tagBefore(text string, i int) int {
	k := skipBack(text, i)
	if k > 0 && text[k-1] == '/' {
		k = skipBack(text, k-1)
	}
	if k > 0 && text[k-1] == '<' {
		return k - 1
	}
	k = spaceBack(text, i)
	if k > 0 && text[k-1] == '/' {
		for k--; k > 0 && text[k-1] == '\\'; k-- {
		}
	}
	for _, end := range [...]int{k, spaceBack(text, k)} {
		if n := end - len("u003c"); n > 0 && strings.EqualFold(text[n:end], "u003c") && text[n-1] == '\\' {
			for n--; n > 0 && text[n-1] == '\\'; n-- {
			}
			return n
		}
	}
	return -1
}

// markerAround says whether the word at i stands in the marker.
func markerAround(text string, i int) int {
	k := spaceBack(text, i)
	if k == 0 || text[k-1] != '[' || !markerPattern.MatchString(text[k-1:min(len(text), i+markerReach)]) {
		return -1
	}
	return k - 1
}

// markerReach bounds how far behind its first word the marker is looked for, in bytes.
const markerReach = 512

// frameAround says whether the word at i is the value of a protocol member.
func frameAround(text string, i int) int {
	rest := text[i+len(word):]
	if rest == "" || rest[0] != '/' && rest[0] != '\\' {
		return -1
	}
	k := quoteBack(text, i)
	if k < 0 {
		return -1
	}
	if k = spaceBack(text, k); k == 0 || text[k-1] != ':' {
		return -1
	}
	if k = quoteBack(text, spaceBack(text, k-1)); k < 0 || !strings.HasSuffix(text[:k], "protocol") {
		return -1
	}
	if k = quoteBack(text, k-len("protocol")); k < 0 || !frameStart.MatchString(text[k:]) {
		return -1
	}
	return k
}

// quoteBack steps over one quote before i and the backslashes before it; -1 when there is no quote.
func quoteBack(text string, i int) int {
	if i == 0 || text[i-1] != '"' {
		return -1
	}
	for i--; i > 0 && text[i-1] == '\\'; i-- {
	}
	return i
}

func spaceBack(text string, i int) int {
	for i > 0 && strings.IndexByte(" \t\n\r\f\v", text[i-1]) >= 0 {
		i--
	}
	return i
}

// skipBack steps back over what tagPattern allows between the pieces of a tag.
func skipBack(text string, i int) int {
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:i])
		if r > 0x20 && !unicode.Is(unicode.Cf, r) {
			break
		}
		i -= n
	}
	return i
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
