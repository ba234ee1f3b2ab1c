package service

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"zimoscope/app/api"
)

// query is a search in the timeline's filter language: the front end has the same language, and both are held to the same
// cases. All terms must hold. Terms that can't be read are left out; the front end has told of them.
type query struct {
	facts []func(row api.RequestRow, turn int) bool
	words []wordTerm
}

// wordTerm is free text: in a row's words, or in what the request is the first to say.
type wordTerm struct {
	not  bool
	text *regexp.Regexp
}

var (
	termForm   = regexp.MustCompile(`(?i)-?(?:[a-z]+[:<>=]+)?"[^"]*"?|\S+`)
	fieldForm  = regexp.MustCompile(`(?is)^([a-z]+)(:|>=|<=|>|<|=)(.*)$`)
	rangeForm  = regexp.MustCompile(`^(.*)\.\.(.*)$`)
	numberForm = regexp.MustCompile(`(?i)^(\d+(?:[.,]\d+)?)(k|m|ms|s|b)?$`)
)

func parseQuery(text string) (q query) {
	text = strings.ToValidUTF8(text, "\uFFFD") // the forms below count characters
	for _, term := range termForm.FindAllString(text, -1) {
		body, not := strings.CutPrefix(term, "-")
		if body == "" {
			body, not = term, false
		}
		field := fieldForm.FindStringSubmatch(body)
		if field == nil || strings.HasPrefix(body, `"`) {
			if words := unquote(body); words != "" {
				q.words = append(q.words, wordTerm{not, regexp.MustCompile("(?i)" + regexp.QuoteMeta(words))})
			}
			continue
		}
		test := fieldTest(strings.ToLower(field[1]), field[2], field[3])
		if test == nil {
			continue
		}
		q.facts = append(q.facts, func(row api.RequestRow, turn int) bool { return test(row, turn) != not })
	}
	return q
}

func (q query) empty() bool { return len(q.facts)+len(q.words) == 0 }

func unquote(s string) string {
	if rest, ok := strings.CutPrefix(s, `"`); ok {
		return strings.TrimSuffix(rest, `"`)
	}
	return s
}

// holds says whether the fields fit, and whether the row's own words fit each free text.
func (q query) holds(row api.RequestRow, turn int) bool {
	for _, f := range q.facts {
		if !f(row, turn) {
			return false
		}
	}
	return true
}

// inRow says whether the row itself holds a text.
func (w wordTerm) inRow(row api.RequestRow) bool {
	return slices.ContainsFunc(append([]string{fmt.Sprintf("#%d", row.N), rowWord(row), row.Verdict, row.Error}, row.Tools...), w.text.MatchString)
}

func fieldTest(name, op, value string) func(api.RequestRow, int) bool {
	if value == "" {
		return nil
	}
	if words := wordsOf(name); words != nil && (op == ":" || op == "=") {
		return wordTest(name, words, unquote(value))
	}
	if number := numberOf(name); number != nil {
		return numberTest(number, op, value)
	}
	return nil
}

func wordTest(name string, words func(api.RequestRow) []string, value string) func(api.RequestRow, int) bool {
	wants := slices.DeleteFunc(strings.Split(strings.ToLower(value), ","), func(w string) bool { return w == "" })
	return func(row api.RequestRow, _ int) bool {
		for _, has := range words(row) {
			has = strings.ToLower(has)
			if slices.ContainsFunc(wants, func(w string) bool {
				if name == "redline" || name == "thread" || w == "planned" { // A1 must not find A11, nor planned what is unplanned
					return has == w
				}
				return strings.Contains(has, w)
			}) {
				return true
			}
		}
		return false
	}
}

func wordsOf(name string) func(api.RequestRow) []string {
	switch name {
	case "verdict":
		return verdictWords
	case "tool":
		return func(r api.RequestRow) []string {
			if len(r.Tools) == 0 {
				return []string{"answer"}
			}
			return r.Tools
		}
	case "kind":
		return func(r api.RequestRow) []string { return []string{r.Kind} }
	case "status":
		return func(r api.RequestRow) []string { return []string{r.Status} }
	case "proof":
		return func(r api.RequestRow) []string { return []string{r.Proof} }
	case "thread":
		return func(r api.RequestRow) []string { return []string{r.Thread} }
	case "redline":
		return func(r api.RequestRow) []string {
			if len(r.Violations) == 0 {
				return []string{"none"}
			}
			return append([]string{"any"}, r.Violations...)
		}
	}
	return nil
}

func verdictWords(r api.RequestRow) []string {
	list := []string{r.Verdict}
	if r.Staged {
		list = append(list, "staged")
	}
	if r.Planned != nil && !*r.Planned || isViolation(r) {
		list = append(list, "unplanned")
	}
	if r.Planned != nil && *r.Planned {
		list = append(list, "planned")
	}
	return list
}

// rowWord is the word by which the timeline shows a verdict.
func rowWord(r api.RequestRow) string {
	switch {
	case r.Staged:
		return "staged"
	case r.Verdict == "":
		return "unknown"
	}
	return r.Verdict
}

// isViolation says that the timeline shows a row as a violation.
func isViolation(r api.RequestRow) bool {
	if len(r.Violations) > 0 {
		return true
	}
	switch r.Verdict {
	case "rewritten", "leaked":
		return !r.Staged
	case "windowed", "tools-changed", "model-changed", "system-changed":
		return !r.Staged && (r.Planned == nil || !*r.Planned)
	}
	return false
}

// numberOf gives a figure of a row; false where it has none, which no comparison finds.
func numberOf(name string) func(api.RequestRow, int) (float64, bool) {
	plain := func(get func(api.RequestRow) int64) func(api.RequestRow, int) (float64, bool) {
		return func(r api.RequestRow, _ int) (float64, bool) { return float64(get(r)), true }
	}
	switch name {
	case "tokens":
		return func(r api.RequestRow, _ int) (float64, bool) {
			if r.Usage.Reported {
				return float64(r.Usage.Prompt), true
			}
			if r.Predicted != nil {
				return float64(r.Predicted.Total), true
			}
			return 0, false
		}
	case "cached":
		return func(r api.RequestRow, _ int) (float64, bool) { return float64(r.Usage.Cached), r.Usage.CachedSaid }
	case "turn":
		return func(_ api.RequestRow, turn int) (float64, bool) { return float64(turn), turn > 0 }
	case "bytes":
		return plain(func(r api.RequestRow) int64 { return int64(r.Bytes) })
	case "new":
		return plain(func(r api.RequestRow) int64 { return int64(r.New) })
	case "lost":
		return plain(func(r api.RequestRow) int64 { return int64(r.Lost) })
	case "time":
		return plain(func(r api.RequestRow) int64 { return r.Millis })
	case "n":
		return plain(func(r api.RequestRow) int64 { return int64(r.N) })
	}
	return nil
}

func numberTest(get func(api.RequestRow, int) (float64, bool), op, value string) func(api.RequestRow, int) bool {
	low, high, ok := bounds(op, value)
	if !ok {
		return nil
	}
	return func(row api.RequestRow, turn int) bool {
		n, has := get(row, turn)
		if !has {
			return false
		}
		switch op {
		case ">":
			return n > low
		case "<":
			return n < high
		}
		return n >= low && n <= high
	}
}

// infinite stands for an open end: no figure of a request comes near it.
const infinite = 1 << 62

// bounds reads "a..b" or one number with its comparison.
func bounds(op, value string) (low, high float64, ok bool) {
	if r := rangeForm.FindStringSubmatch(value); r != nil && (op == ":" || op == "=") {
		low, high = -infinite, infinite
		var a, b = true, true
		if r[1] != "" {
			low, a = scaled(r[1])
		}
		if r[2] != "" {
			high, b = scaled(r[2])
		}
		return low, high, a && b
	}
	n, ok := scaled(value)
	low, high = n, n
	switch op {
	case ">", ">=":
		high = infinite
	case "<", "<=":
		low = -infinite
	}
	return low, high, ok
}

// scaled reads a number with its unit: k and M are thousands, s is a thousand milliseconds.
func scaled(text string) (float64, bool) {
	m := numberForm.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
	switch strings.ToLower(m[2]) {
	case "k", "s":
		n *= 1000
	case "m":
		n *= 1_000_000
	}
	return n, err == nil
}
