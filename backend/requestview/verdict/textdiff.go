package verdict

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is drawn; beyond them the diff says so.
const (
	maxDiffText  = 256 << 10 // bytes of one part's text on each side, around its first difference
	maxDiffLines = 4000      // lines of all hunks of one part
	maxLineWords = 2000      // words of one line that are compared word by word
	contextLines = 3         // equal lines around a change
)

// LineOp says what became of a line.
type LineOp string

// Line operations.
const (
	LineSame  LineOp = "same"
	LineGone  LineOp = "gone"
	LineAdded LineOp = "added"
)

// Span is a changed stretch of a line, in bytes of its text.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Line is one line of a hunk. Changed is filled where a line was replaced by one like it.
type Line struct {
	Op      LineOp `json:"op"`
	Text    string `json:"text"`
	Changed []Span `json:"changed,omitempty"`
}

// Hunk is a stretch of changed lines with some equal ones around. Line numbers count from 1.
type Hunk struct {
	PrevLine int    `json:"prev_line"`
	NextLine int    `json:"next_line"`
	Lines    []Line `json:"lines"`
}

// TextDiff is the difference of two texts.
type TextDiff struct {
	Hunks   []Hunk `json:"hunks"`
	Preview string `json:"preview,omitempty"` // what was left out, when the texts were too large to show whole
}

// DiffText compares two texts line by line, and replaced lines word by word.
func DiffText(prev, next string) TextDiff {
	var d TextDiff
	prev, next, skipped, note := clip(prev, next)
	d.Preview = note
	la, lb := splitLines(prev), splitLines(next)
	ids := interner[string]{}
	runs := align(lineKeys(ids, la), lineKeys(ids, lb))
	h := &hunker{a: la, b: lb, base: skipped}
	i, j := 0, 0
	for _, r := range runs {
		h.change(i, r.A, j, r.B, r.N)
		i, j = r.A+r.N, r.B+r.N
	}
	h.change(i, len(la), j, len(lb), 0)
	d.Hunks = h.out
	if h.cut {
		d.Preview = strings.TrimSpace(d.Preview + " More changed lines are not shown.")
	}
	return d
}

// clip keeps a window around the first difference of huge texts; skipped counts the lines before it.
func clip(a, b string) (x, y string, skipped int, note string) {
	if len(a) <= maxDiffText && len(b) <= maxDiffText {
		return a, b, 0, ""
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	start := max(0, n-maxDiffText/8)
	if i := strings.LastIndexByte(a[:start], '\n'); i >= 0 && start-i < maxDiffText/8 {
		start = i + 1
	}
	for start > 0 && start < len(a) && !utf8.RuneStart(a[start]) {
		start--
	}
	end := func(s string) int {
		e := min(len(s), start+maxDiffText)
		for e < len(s) && !utf8.RuneStart(s[e]) {
			e--
		}
		return e
	}
	return a[start:end(a)], b[start:end(b)], strings.Count(a[:start], "\n"),
		"Preview: the text around the first difference, 256 KiB of each side."
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

func lineKeys(ids interner[string], lines []string) []int32 {
	out := make([]int32, len(lines))
	for i, l := range lines {
		out[i] = ids.id(l)
	}
	return out
}

type hunker struct {
	a, b  []string
	base  int
	out   []Hunk
	endA  int // line behind the last hunk
	lines int
	cut   bool
}

// change adds the lines [i,ie) of a that became [j,je) of b, joined to the hunk before when its context touches.
// follow counts the equal lines behind them.
func (h *hunker) change(i, ie, j, je, follow int) {
	if i == ie && j == je {
		return
	}
	if h.lines > maxDiffLines {
		h.cut = true
		return
	}
	lead := min(contextLines, i, j)
	if n := len(h.out); n > 0 && i-h.endA <= contextLines {
		last := &h.out[n-1]
		for k := h.endA; k < i; k++ {
			last.Lines = append(last.Lines, Line{Op: LineSame, Text: h.a[k]})
		}
		h.endA = i
	} else {
		lead = min(lead, i-h.endA)
		hunk := Hunk{PrevLine: h.base + i - lead + 1, NextLine: h.base + j - lead + 1}
		for k := i - lead; k < i; k++ {
			hunk.Lines = append(hunk.Lines, Line{Op: LineSame, Text: h.a[k]})
		}
		h.out = append(h.out, hunk)
	}
	last := &h.out[len(h.out)-1]
	before := len(last.Lines)
	h.pairs(last, i, ie, j, je)
	h.endA = ie
	for k := ie; k < ie+min(contextLines, follow); k++ {
		last.Lines = append(last.Lines, Line{Op: LineSame, Text: h.a[k]})
		h.endA = k + 1
	}
	h.lines += len(last.Lines) - before
}

// pairs writes removed lines, then added ones; as many as both have are compared word by word.
func (h *hunker) pairs(hunk *Hunk, i, ie, j, je int) {
	n := min(ie-i, je-j)
	limit := maxDiffLines - h.lines
	marksA, marksB := make([][]Span, n), make([][]Span, n)
	for k := range min(n, limit) {
		marksA[k], marksB[k] = diffWords(h.a[i+k], h.b[j+k])
	}
	write := func(op LineOp, lines []string, marks [][]Span) {
		for k, l := range lines {
			if k >= limit {
				h.cut = true
				return
			}
			line := Line{Op: op, Text: l}
			if k < len(marks) {
				line.Changed = marks[k]
			}
			hunk.Lines = append(hunk.Lines, line)
		}
	}
	write(LineGone, h.a[i:ie], marksA)
	write(LineAdded, h.b[j:je], marksB)
}

// diffWords marks what differs between two lines. Very long lines are marked between their first and last
// difference.
func diffWords(a, b string) (inA, inB []Span) {
	wa, wb := words(a), words(b)
	if len(wa) > maxLineWords || len(wb) > maxLineWords {
		return middle(a, b)
	}
	ids := interner[string]{}
	key := func(s string, ws []Span) []int32 {
		out := make([]int32, len(ws))
		for i, w := range ws {
			out[i] = ids.id(s[w.From:w.To])
		}
		return out
	}
	runs := align(key(a, wa), key(b, wb))
	return outside(wa, runs, func(r run) int { return r.A }), outside(wb, runs, func(r run) int { return r.B })
}

// outside joins the words that no run covers into spans.
func outside(ws []Span, runs []run, at func(run) int) []Span {
	var out []Span
	i := 0
	take := func(end int) {
		if i < end {
			out = append(out, Span{ws[i].From, ws[end-1].To})
		}
	}
	for _, r := range runs {
		take(at(r))
		i = at(r) + r.N
	}
	take(len(ws))
	return out
}

// words cuts a line into words, and each other character into one of its own.
func words(s string) []Span {
	var out []Span
	inWord := false
	for i, r := range s {
		w := unicode.IsLetter(r) && r < 0x2E80 || unicode.IsDigit(r) || r == '_'
		if w && inWord {
			out[len(out)-1].To = i + utf8.RuneLen(r)
		} else {
			out = append(out, Span{i, i + max(1, utf8.RuneLen(r))})
		}
		inWord = w
	}
	for i := range out {
		out[i].To = min(out[i].To, len(s))
	}
	return out
}

func middle(a, b string) (inA, inB []Span) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	t := 0
	for t < len(a)-n && t < len(b)-n && a[len(a)-1-t] == b[len(b)-1-t] {
		t++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	for t > 0 && !utf8.RuneStart(a[len(a)-t]) {
		t--
	}
	return []Span{{n, len(a) - t}}, []Span{{n, len(b) - t}}
}
