package verdict

import (
	"fmt"
	"regexp"
	"strings"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/zimoos"
)

// Redline is one promise, held against one request.
type Redline struct {
	ID       string `json:"id"`
	OK       *bool  `json:"ok"` // nil: not checkable here, Detail says why
	Degraded bool   `json:"degraded"`
	Request  string `json:"request"`
	Detail   string `json:"detail"`
}

func pass(id, detail string) Redline { return Redline{ID: id, OK: yes(), Detail: detail} }
func fails(id, detail string) Redline {
	return Redline{ID: id, OK: no(), Detail: detail}
}
func unknown(id, reason string) Redline { return Redline{ID: id, Detail: reason} }

func (c *Checker) redlines(v *view, end mark, verdict *Verdict) []Redline {
	list := []Redline{
		c.a1(v, verdict), a2(v, end), a3(v, end), c.a4(v), a5(v, end, verdict), a6(v, end), c.a7(v, end),
		c.a8(v, verdict), c.a9(verdict),
		unknown("A10", "an import test holds it, not a request"),
		a11(v, end), c.a12(v, end),
		unknown("A13", "only a run against a reachable mteam backend shows it"),
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
			return unknown("A1", "a foreign body without a system message")
		}
		return fails("A1", "there is no system message at index 0")
	}
	for _, k := range verdict.Causes {
		switch {
		case k.Kind == SystemChanged && (k.Planned == nil || !*k.Planned):
			return fails("A1", k.Detail+", unannounced, at "+k.Path)
		case k.Kind == SystemChanged:
			return pass("A1", "changed as announced")
		case k.Kind == Leaked && k.Part != nil && systemPlace(v, k.Part):
			return fails("A1", "the system text holds "+k.Detail)
		}
	}
	if c.last == nil {
		return pass("A1", "first request of the thread")
	}
	return pass("A1", "the same bytes as in the request before")
}

func systemPlace(v *view, p *PartRef) bool {
	return p.Kind == wire.KindSystem || p.Kind == wire.KindMessage && p.Index == 0 && v.sys == 1
}

// a2: one system message, at the front.
func a2(v *view, m mark) Redline {
	outside := v.body.System.Len()
	switch {
	case m.stray != none:
		return fails("A2", fmt.Sprintf("message %d is a second system message or not at index 0", m.stray))
	case m.systems+outside == 0 && v.foreign:
		return unknown("A2", "a foreign body without a system message")
	case m.systems+outside != 1:
		return fails("A2", fmt.Sprintf("%d system messages", m.systems+outside))
	case m.state == 0 && v.sys == 1:
		return fails("A2", "the system message holds frame state")
	}
	return pass("A2", "one system message, in front, without frame state")
}

// a3: one block, in the tail, without raw frame JSON.
func a3(v *view, m mark) Redline {
	if v.problem != nil {
		return fails("A3", v.problem.Error())
	}
	if v.tail < 0 {
		if m.audit != none && !v.foreign {
			return fails("A3", "a frame was seen, but the request carries no block")
		}
		if m.state != none {
			return fails("A3", fmt.Sprintf("no tail, but message %d holds frame state", m.state))
		}
		return pass("A3", "no frame was seen: no tail")
	}
	text := v.tailText()
	open, shut, other := tagsIn(text)
	switch {
	case v.partial != nil && !strings.HasPrefix(strings.TrimLeft(text, "\n"), zimoos.OpenTag):
		return fails("A3", "the tail does not start with the block")
	case other != "":
		return fails("A3", "the tail holds "+other)
	case open != 1 || shut != 1:
		return fails("A3", fmt.Sprintf("%d opening and %d closing tags in the tail", open, shut))
	}
	return pass("A3", "one block, in the tail")
}

var (
	openTag  = regexp.MustCompile(`^<zimoos[\s>]`)
	closeTag = regexp.MustCompile(`^</zimoos>`)
)

// tagsIn counts the tags of a tail; other names what must not stand in one.
func tagsIn(text string) (open, shut int, other string) {
	from := 0
	for {
		what, i, found := zimoos.StateIn(text[from:])
		if !found {
			return open, shut, other
		}
		rest := text[from+i:]
		switch {
		case what != zimoos.StateTag:
			other = stateNames[what]
		case openTag.MatchString(rest) && shut == 0:
			open++
		case closeTag.MatchString(rest) && open == 1:
			shut++
		default:
			other = "a tag in a form that only an imitation has"
		}
		from += i + 1
	}
}

// a4 is about the store; bytes can only show that it was broken.
func (c *Checker) a4(v *view) Redline {
	if c.Transcript == nil {
		return unknown("A4", "the transcript is not in the bodies")
	}
	clean, detail := c.Transcript(v.req)
	return Redline{ID: "A4", OK: known(clean), Detail: detail}
}

func a5(v *view, m mark, verdict *Verdict) Redline {
	for _, k := range verdict.Causes {
		if k.Kind == Leaked {
			return fails("A5", fmt.Sprintf("%s at %s, byte %d", k.Detail, k.Path, k.BodyOffset))
		}
	}
	if m.state != none {
		return fails("A5", fmt.Sprintf("message %d holds frame state", m.state))
	}
	return pass("A5", "no frame state in "+count(v.length()))
}

func a6(v *view, m mark) Redline {
	switch {
	case m.badRecord != none:
		return fails("A6", fmt.Sprintf("message %d: %s", m.badRecord, m.problem))
	case m.unsealed != none:
		return fails("A6", fmt.Sprintf("message %d stayed pending past its step", m.unsealed))
	case m.operations == 0:
		return pass("A6", "no operations yet")
	case m.derived > 0:
		r := pass("A6", fmt.Sprintf("%d of %d summaries are derived, not the model's words", m.derived, m.operations))
		r.Degraded = true
		return r
	}
	return pass("A6", fmt.Sprintf("%d operations, each with its record", m.operations))
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
		return unknown("A7", "a foreign body: the form of its records is not known")
	}
	text := v.tailText()
	cursor := shownCursor(text)
	switch {
	case strings.Count(text, cursorAttribute) > 1 || strings.Count(text, cursorLine) > 1:
		return fails("A7", "more than one frame in the tail")
	case cursor == "" || m.audit == none:
		return pass("A7", "no older frame beside the block")
	case v.req.Meta.FrameApart: // a restarted ZimoOS counts its cursors anew, so an old name proves nothing here
		return pass("A7", "the block was read apart from any record, as its sender says")
	case cursor != m.cursor && c.auditedBefore(cursor, m.audit):
		return fails("A7", fmt.Sprintf("the block shows %q, the newest record is %q", cursor, m.cursor))
	case cursor != m.cursor:
		return pass("A7", "the block was read apart from any record")
	}
	return pass("A7", "the block shows the frame of the newest record")
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
		return unknown("A8", "first request: nothing to compare with")
	}
	for _, k := range verdict.Causes {
		if k.Kind != Leaked && k.Violates() {
			return fails("A8", fmt.Sprintf("%s, at %s", k.Detail, k.Path))
		}
	}
	if verdict.Verdict == Extended && v.length() == c.last.length() {
		return pass("A8", "same transcript: every byte before the tail is the same")
	}
	return pass("A8", "every old byte before the tail stands, or its change was planned")
}

// a9: history is a byte prefix of the next history; what was planned is named with its bytes.
func (c *Checker) a9(verdict *Verdict) Redline {
	if c.last == nil {
		return unknown("A9", "first request: nothing to compare with")
	}
	planned := []string{}
	for _, k := range verdict.Causes {
		if k.Kind != Leaked && k.Violates() {
			return fails("A9", fmt.Sprintf("%s: %s, at %s; %d bytes of history lost", k.Kind, k.Detail, k.Path, verdict.HistoryLost))
		}
		if k.Kind != Leaked && k.Kind != Extended {
			planned = append(planned, string(k.Kind))
		}
	}
	if len(planned) == 0 {
		return pass("A9", "the old history is a byte prefix of the new one")
	}
	return pass("A9", fmt.Sprintf("%s; %d bytes sent again", strings.Join(planned, ", "), verdict.HistoryLost))
}

func a11(v *view, m mark) Redline {
	if m.badGroup != none {
		return fails("A11", fmt.Sprintf("message %d: %s", m.badGroup, m.groupWhy))
	}
	return pass("A11", "every call has its result, in order")
}

// nameCheck keeps what was found about a list of tools until the list changes.
type nameCheck struct {
	link    wire.Hash
	checked bool
	problem string
}

func (c *Checker) a12(v *view, m mark) Redline {
	link := base(v.body, wire.KindSystem)
	if !c.names.checked || c.names.link != link {
		c.names = nameCheck{link, true, namesProblem(v.body)}
	}
	switch {
	case c.names.problem != "":
		return fails("A12", c.names.problem)
	case m.badName != none:
		return fails("A12", fmt.Sprintf("message %d: %s", m.badName, m.nameWhy))
	}
	return pass("A12", "all function names are legal and different")
}

func namesProblem(b *wire.Body) string {
	seen := map[string]int{}
	for i := range b.Tools.Len() {
		n := toolName(b.Bytes(wire.KindTool, i))
		if !legalName.MatchString(n) {
			return fmt.Sprintf("tool %d: %q is no legal function name", i, cutText(n, 80))
		}
		if j, twice := seen[n]; twice {
			return fmt.Sprintf("tools %d and %d have the same name %q", j, i, n)
		}
		seen[n] = i
	}
	return ""
}
