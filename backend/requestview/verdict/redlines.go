package verdict

import (
	"regexp"
	"strings"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/said"
	"zimoscope/backend/zimoos"
)

// Redline is one promise, held against one request.
type Redline struct {
	ID       string      `json:"id"`
	OK       *bool       `json:"ok"` // nil: not checkable here, Detail says why
	Degraded bool        `json:"degraded"`
	Request  string      `json:"request"`
	Detail   string      `json:"detail"`
	Words    *said.Words `json:"words,omitempty"` // what Detail says, by code
}

func judged(id string, ok *bool, code string, values []any) Redline {
	s := say(code, values...)
	return Redline{ID: id, OK: ok, Detail: s.Text, Words: s.Words}
}

func pass(id, code string, values ...any) Redline    { return judged(id, yes(), code, values) }
func fails(id, code string, values ...any) Redline   { return judged(id, no(), code, values) }
func unknown(id, code string, values ...any) Redline { return judged(id, nil, code, values) }

func (c *Checker) redlines(v *view, end mark, verdict *Verdict) []Redline {
	list := []Redline{
		c.a1(v, verdict), a2(v, end), a3(v, end), c.a4(v), a5(v, end, verdict), a6(v, end), c.a7(v, end),
		c.a8(v, verdict), c.a9(verdict),
		unknown("A10", "tested"),
		a11(v, end), c.a12(v, end),
		unknown("A13", "needs-backend"),
	}
	for i := range list {
		list[i].Request = v.req.Name
	}
	return list
}

// a1: the system text stands as it was in the request before, unless its change was announced.
func (c *Checker) a1(v *view, verdict *Verdict) Redline {
	if v.sys == 0 && v.body.System.Len() == 0 {
		if v.foreign {
			return unknown("A1", "a1-foreign")
		}
		return fails("A1", "a1-none")
	}
	for _, k := range verdict.Causes {
		switch {
		case k.Kind == SystemChanged && (k.Planned == nil || !*k.Planned):
			return fails("A1", "a1-unannounced", k.detail(), k.Path)
		case k.Kind == SystemChanged:
			return pass("A1", "a1-announced")
		case k.Kind == Leaked && k.Part != nil && systemPlace(v, k.Part):
			return fails("A1", "a1-holds", k.detail())
		}
	}
	if c.last == nil {
		return pass("A1", "first")
	}
	return pass("A1", "a1-same")
}

func systemPlace(v *view, p *PartRef) bool {
	return p.Kind == wire.KindSystem || p.Kind == wire.KindMessage && p.Index == 0 && v.sys == 1
}

// a2: one system message, at the front.
func a2(v *view, m mark) Redline {
	outside := v.body.System.Len()
	switch {
	case m.stray != none:
		return fails("A2", "a2-stray", m.stray)
	case m.systems+outside == 0 && v.foreign:
		return unknown("A2", "a1-foreign")
	case m.systems+outside != 1:
		return fails("A2", "a2-number", m.systems+outside)
	case m.state == 0 && v.sys == 1:
		return fails("A2", "a2-state")
	}
	return pass("A2", "a2")
}

// a3: one block, in the tail, without raw frame JSON.
func a3(v *view, m mark) Redline {
	if v.problem != nil {
		return Redline{ID: "A3", OK: no(), Detail: v.problem.Error(), Words: say("a3-tail").Words}
	}
	if v.tail < 0 {
		if m.audit != none && !v.foreign {
			return fails("A3", "a3-no-block")
		}
		if m.state != none {
			return fails("A3", "a3-no-tail", m.state)
		}
		return pass("A3", "a3-no-frame")
	}
	text := v.tailText()
	open, shut, other := tagsIn(text)
	switch {
	case v.partial != nil && !strings.HasPrefix(strings.TrimLeft(text, "\n"), zimoos.OpenTag):
		return fails("A3", "a3-start")
	case other != nil:
		return fails("A3", "a3-other", other)
	case open != 1 || shut != 1:
		return fails("A3", "a3-tags", open, shut)
	}
	return pass("A3", "a3")
}

var (
	openTag  = regexp.MustCompile(`^<zimoos[\s>]`)
	closeTag = regexp.MustCompile(`^</zimoos>`)
)

// tagsIn counts the tags of a tail; other names what must not stand in one.
func tagsIn(text string) (open, shut int, other *said.Sentence) {
	from := 0
	for {
		what, i, found := zimoos.StateIn(text[from:])
		if !found {
			return open, shut, other
		}
		rest := text[from+i:]
		switch {
		case what != zimoos.StateTag:
			other = say(stateNames[what])
		case openTag.MatchString(rest) && shut == 0:
			open++
		case closeTag.MatchString(rest) && open == 1:
			shut++
		default:
			other = say("a3-imitation")
		}
		from += i + 1
	}
}

// a4 is about the store; bytes can only show that it was broken.
func (c *Checker) a4(v *view) Redline {
	if c.Transcript == nil {
		return unknown("A4", "a4-unknown")
	}
	clean, detail := c.Transcript(v.req)
	if clean {
		return Redline{ID: "A4", OK: yes(), Detail: detail, Words: say("a4-clean").Words}
	}
	return Redline{ID: "A4", OK: no(), Detail: detail, Words: say("a4-broken", detail).Words}
}

func a5(v *view, m mark, verdict *Verdict) Redline {
	for _, k := range verdict.Causes {
		if k.Kind == Leaked {
			return fails("A5", "a5-place", k.detail(), k.Path, k.BodyOffset)
		}
	}
	if m.state != none {
		return fails("A5", "a5-message", m.state)
	}
	return pass("A5", "a5", v.length())
}

func a6(v *view, m mark) Redline {
	switch {
	case m.badRecord != none:
		return fails("A6", "a6-record", m.badRecord, m.problem)
	case m.unsealed != none:
		return fails("A6", "a6-pending", m.unsealed)
	case m.operations == 0:
		return pass("A6", "a6-none")
	case m.derived > 0:
		r := pass("A6", "a6-derived", m.derived, m.operations)
		r.Degraded = true
		return r
	}
	return pass("A6", "a6", m.operations)
}

const (
	cursorAttribute = "frame_cursor=\""
	cursorLine      = "\nframeCursor: "
)

// shownCursor is the cursor that a tail's block names in its own line; "" when it names none.
func shownCursor(tail string) string {
	_, rest, _ := strings.Cut(tail, cursorLine)
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// a7: the block shows the newest frame. A cursor that history knows only from an older record is an old frame.
func (c *Checker) a7(v *view, m mark) Redline {
	if v.foreign {
		return unknown("A7", "a7-foreign")
	}
	text := v.tailText()
	cursor := shownCursor(text)
	switch {
	case strings.Count(text, cursorAttribute) > 1 || strings.Count(text, cursorLine) > 1:
		return fails("A7", "a7-frames")
	case cursor == "" || m.audit == none:
		return pass("A7", "a7-none")
	case v.req.Meta.FrameApart: // a restarted ZimoOS counts its cursors anew, so an old name proves nothing here
		return pass("A7", "a7-apart-said")
	case cursor != m.cursor && c.auditedBefore(cursor, m.audit):
		return fails("A7", "a7-old", cursor, m.cursor)
	case cursor != m.cursor:
		return pass("A7", "a7-apart")
	}
	return pass("A7", "a7")
}

// auditedBefore looks for a cursor in the audits before the newest one; it runs only when that one differs.
func (c *Checker) auditedBefore(cursor string, newest int) bool {
	for i := newest; i != none; i = c.before(i).audit {
		if i < newest && c.marks[i].cursor == cursor {
			return true
		}
	}
	return false
}

// a8: what stands before the tail is what stood there, whatever the frame shows.
func (c *Checker) a8(v *view, verdict *Verdict) Redline {
	if c.last == nil {
		return unknown("A8", "nothing-to-compare")
	}
	for _, k := range verdict.Causes {
		if k.Kind != Leaked && k.Violates() {
			return fails("A8", "a8-broken", k.detail(), k.Path)
		}
	}
	if verdict.Verdict == Extended && v.length() == c.last.length() {
		return pass("A8", "a8-same")
	}
	return pass("A8", "a8")
}

// a9: history is a byte prefix of the next history; what was planned is named with its bytes.
func (c *Checker) a9(verdict *Verdict) Redline {
	if c.last == nil {
		return unknown("A9", "nothing-to-compare")
	}
	planned := []string{}
	for _, k := range verdict.Causes {
		if k.Kind != Leaked && k.Violates() {
			return fails("A9", "a9-broken", k.Kind, k.detail(), k.Path, verdict.HistoryLost)
		}
		if k.Kind != Leaked && k.Kind != Extended {
			planned = append(planned, string(k.Kind))
		}
	}
	if len(planned) == 0 {
		return pass("A9", "a9")
	}
	return pass("A9", "a9-planned", strings.Join(planned, ", "), verdict.HistoryLost)
}

func a11(v *view, m mark) Redline {
	if m.badGroup != none {
		return fails("A11", "a11-group", m.badGroup, m.groupWhy)
	}
	return pass("A11", "a11")
}

// nameCheck keeps what was found about a list of tools until the list changes.
type nameCheck struct {
	link    wire.Hash
	checked bool
	problem *said.Sentence
}

func (c *Checker) a12(v *view, m mark) Redline {
	link := base(v.body, wire.KindSystem)
	if !c.names.checked || c.names.link != link {
		c.names = nameCheck{link, true, namesProblem(v.body)}
	}
	switch {
	case c.names.problem != nil:
		return Redline{ID: "A12", OK: no(), Detail: c.names.problem.Text, Words: c.names.problem.Words}
	case m.badName != none:
		return fails("A12", "a12-message", m.badName, m.nameWhy)
	}
	return pass("A12", "a12")
}

func namesProblem(b *wire.Body) *said.Sentence {
	seen := map[string]int{}
	for i := range b.Tools.Len() {
		n := toolName(b.Bytes(wire.KindTool, i))
		if !legalName.MatchString(n) {
			return say("a12-tool", i, cutText(n, 80))
		}
		if j, twice := seen[n]; twice {
			return say("a12-same", j, i, n)
		}
		seen[n] = i
	}
	return nil
}
