package infer

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/said"
)

// quoteBytes is how much of a text an evidence quotes.
const quoteBytes = 80

func cut(s string) string {
	if len(s) <= quoteBytes {
		return s
	}
	return strings.ToValidUTF8(s[:quoteBytes], "") + "…"
}

func names(list []string) *said.Sentence {
	const most = 6
	quoted := make([]string, 0, most)
	for _, n := range list[:min(len(list), most)] {
		quoted = append(quoted, strconv.Quote(cut(n)))
	}
	if more := len(list) - most; more > 0 {
		return say("names-more", strings.Join(quoted, ", "), more)
	}
	return say("names", strings.Join(quoted, ", "))
}

func text(raw []byte) string {
	s, ok := wire.String(raw)
	if !ok {
		return string(raw)
	}
	return s
}

// allText is what a model reads in a message or system value: a string, or its text parts.
func allText(raw []byte) string {
	if s, ok := wire.String(raw); ok {
		return s
	}
	if t := verdict.TextOf(raw); t != "" {
		return t
	}
	if len(raw) > 0 && raw[0] == '[' { // a system value of several text parts
		return verdict.TextOf(append(append([]byte(`{"content":`), raw...), '}'))
	}
	return string(raw)
}

// change quotes where two texts differ.
func change(was, is string) *said.Sentence {
	from := 0
	for from < min(len(was), len(is)) && was[from] == is[from] {
		from++
	}
	end := 0
	for end < min(len(was), len(is))-from && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	return say("became", cut(widen(was, from, len(was)-end)), cut(widen(is, from, len(is)-end)))
}

// widen takes whole words.
func widen(s string, from, to int) string {
	for from > 0 && !strings.ContainsRune(" \n\t\"", rune(s[from-1])) {
		from--
	}
	for to < len(s) && !strings.ContainsRune(" \n\t\"", rune(s[to])) {
		to++
	}
	return strings.ToValidUTF8(s[from:to], "")
}

// sameValue says that two texts are the same JSON value, numbers by their digits.
func sameValue(a, b []byte) bool {
	x, okA := decode(a)
	y, okB := decode(b)
	return okA && okB && reflect.DeepEqual(x, y)
}

func decode(raw []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return v, d.Decode(&v) == nil
}

// token finds what may differ between two runs of the same template: dates and times, identifiers, numbers. The first
// that fits wins.
var token = regexp.MustCompile(`(?i)` +
	`(?P<time>\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?` +
	`|\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m\b)?|\d{1,4}/\d{1,2}/\d{1,4}|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s\d{1,2}(?:,?\s\d{4})?)` +
	`|(?P<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{10,}\b)` +
	`|(?P<number>\d+(?:\.\d+)?)`)

var kinds = []string{"", TimeInSystem, IDInSystem, NumberInSystem}

// classify says in which kind of token alone two texts differ.
func classify(was, is string) (cause string, evidence *said.Sentence) {
	a, b := token.FindAllStringSubmatchIndex(was, -1), token.FindAllStringSubmatchIndex(is, -1)
	if len(a) != len(b) {
		return SystemText, change(was, is)
	}
	atA, atB := 0, 0
	var first [2]string // what became what, where the cause was found
	for i := range a {
		if was[atA:a[i][0]] != is[atB:b[i][0]] {
			return SystemText, change(was, is)
		}
		atA, atB = a[i][1], b[i][1]
		x, y := was[a[i][0]:a[i][1]], is[b[i][0]:b[i][1]]
		kind := kindOf(a[i])
		switch {
		case x == y:
		case kind != kindOf(b[i]):
			return SystemText, change(was, is)
		case cause == "" || cause == NumberInSystem && kind != NumberInSystem:
			cause, evidence, first = kind, say("only-became", cut(x), cut(y)), [2]string{cut(x), cut(y)}
		default:
			evidence = say("became", first[0], first[1])
		}
	}
	if was[atA:] != is[atB:] || cause == "" {
		return SystemText, change(was, is)
	}
	return cause, evidence
}

func kindOf(m []int) string {
	for g := 1; g < len(kinds); g++ {
		if m[2*g] >= 0 {
			return kinds[g]
		}
	}
	return ""
}

func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}

func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return s[:i]
	}
	return s
}
