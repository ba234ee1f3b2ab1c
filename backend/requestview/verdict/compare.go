package verdict

import (
	"bytes"
	"slices"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/said"
)

// maxCauses bounds the list; a request with more changes than this is not read cause by cause.
const maxCauses = 64

// Compare says what became of prev in next. Any two requests can be compared; without prev the verdict is First.
// The announcements of next count only when prev is, or may be, its predecessor.
func Compare(prev, next *Request) Verdict {
	b := newView(next)
	leaks := b.leaks(b.scanMessage)
	if prev == nil {
		return firstVerdict(b, leaks)
	}
	return compareViews(newView(prev), b, leaks)
}

func firstVerdict(b *view, leaks []Cause) Verdict {
	v := Verdict{Verdict: First, Causes: leaks, Place: nowhere, Planned: b.planned(true)}
	if len(leaks) > 0 {
		v.Place = leaks[0].Place
	}
	if len(leaks) == 0 {
		v.Causes = []Cause{because(First, v.Planned, nowhere, say("no-earlier"))}
	}
	v.name()
	return v
}

// planned is nil for a foreign body: nobody announced anything there.
func (v *view) planned(ok bool) *bool {
	if v.foreign {
		return nil
	}
	return known(ok)
}

type comparison struct {
	a, b      *view
	announced []Announcement
	causes    []Cause
	notes     []*said.Sentence
	context   *Context
}

func compareViews(a, b *view, leaks []Cause) Verdict {
	c := &comparison{a: a, b: b, causes: leaks}
	if m := b.req.Meta; m != nil {
		if a.req.Number > 0 && m.Predecessor > 0 && !slices.Contains(a.numbers, m.Predecessor) {
			c.note("note-apart", a.req.Number, m.Predecessor)
		} else {
			c.announced = m.Announcements
		}
	}
	c.tailNotes()
	c.prefix()
	c.history()
	if a.body.Rest != b.body.Rest {
		cause, ctx := restCause(a.body, b.body)
		c.causes = append(c.causes, cause)
		c.context = ctx
	}
	if len(c.causes) == 0 || !slices.ContainsFunc(c.causes, func(x Cause) bool { return x.Kind != MarkMoved }) {
		c.causes = append(c.causes, c.extended())
	}
	return c.verdict()
}

func (c *comparison) note(code string, values ...any) {
	c.notes = append(c.notes, say(code, values...))
}

func (c *comparison) tailNotes() {
	if c.a.problem != nil {
		c.note("note-earlier", c.a.problem)
	}
	if c.b.problem != nil {
		c.note("note-later", c.b.problem)
	}
	if c.a.foreign && c.a.tail >= 0 {
		c.note("note-tail")
	}
	if historyElsewhere(c.b.body) {
		c.note("note-elsewhere")
	}
}

// historyElsewhere finds a body that continues a response the provider keeps.
func historyElsewhere(b *wire.Body) bool {
	for _, p := range restPieces(b) {
		if bytes.Contains(p.raw, []byte(`"previous_response_id"`)) {
			return true
		}
	}
	return false
}

func (c *comparison) verdict() Verdict {
	v := Verdict{Causes: c.causes, HistoryLost: c.historyLost()}
	slices.SortStableFunc(v.Causes, func(x, y Cause) int { return rank(x.Kind) - rank(y.Kind) })
	if n := len(v.Causes); n > maxCauses {
		v.Causes = v.Causes[:maxCauses]
		c.note("note-more", n-maxCauses)
	}
	for _, n := range c.notes {
		v.Notes, v.NoteWords = append(v.Notes, n.Text), append(v.NoteWords, n.Words)
	}
	var prevAt int
	v.Place, prevAt = firstDifference(c.a.body, c.b.body)
	v.name()
	switch {
	case v.Part == nil || v.Verdict == RestChanged:
		v.Place, v.Context = v.Causes[0].Place, c.context
	case v.Verdict == Leaked:
		v.Place = v.Causes[0].Place
		v.Context = c.contextAt(v.Place, -1)
	default:
		v.Context = c.contextAt(v.Place, prevAt)
	}
	return v
}

// name takes the verdict and the plan from the causes.
func (v *Verdict) name() {
	v.Verdict = v.Causes[0].Kind
	for _, k := range v.Causes {
		if rank(k.Kind) < rank(v.Verdict) {
			v.Verdict = k.Kind
		}
		switch {
		case k.Planned == nil:
		case !*k.Planned:
			v.Planned = no()
		case v.Planned == nil:
			v.Planned = yes()
		}
	}
	if v.Verdict == RestChanged {
		v.Planned = nil // nothing announces parameters
	}
}

// firstDifference is the first part of the later request whose link differs; prevAt is the offset in the earlier
// part of that place, -1 when there is none.
func firstDifference(a, b *wire.Body) (Place, int) {
	if a.Model.Link != b.Model.Link {
		if b.Model.End == 0 {
			return Place{Part: &PartRef{wire.KindModel, 0}, Path: "$.model"}, 0
		}
		n := wire.CommonPrefix(a.Bytes(wire.KindModel, 0), b.Bytes(wire.KindModel, 0))
		return at(b, wire.KindModel, 0, n), n
	}
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem, wire.KindMessage} {
		ra, rb := a.Region(k), b.Region(k)
		n := 0
		if base(a, k) == base(b, k) {
			n = equalParts(a, b, k)
		}
		if n == rb.Len() {
			continue
		}
		if n >= ra.Len() {
			return at(b, k, n, 0), -1
		}
		off := wire.CommonPrefix(a.Bytes(k, n), b.Bytes(k, n))
		if ra.Part(n).Leaf == rb.Part(n).Leaf {
			off = 0 // the same bytes behind something else
		}
		return at(b, k, n, off), off
	}
	return nowhere, -1
}

func (c *comparison) contextAt(p Place, prevAt int) *Context {
	get := func(b *wire.Body) []byte {
		if p.Part.Kind == wire.KindModel {
			return b.Bytes(wire.KindModel, 0)
		}
		if p.Part.Index < b.Region(p.Part.Kind).Len() {
			return b.Bytes(p.Part.Kind, p.Part.Index)
		}
		return nil
	}
	return contextOf(get(c.a.body), prevAt, get(c.b.body), p.PartOffset)
}

// extended is the cause of a request that only grew at its end.
func (c *comparison) extended() Cause {
	added := c.b.length() - c.a.length()
	place, _ := firstDifference(c.a.body, c.b.body)
	words := one("appended", added)
	if added == 0 {
		words = say("only-tail")
		if place.Part == nil {
			words = say("same-bytes")
		}
	}
	return because(Extended, c.b.planned(true), place, words)
}

// historyLost counts the bytes of the earlier request's messages before its tail that a cache of it could no longer
// give: from the first message whose link differs, less what that message still shares. When something before the
// messages changed, that is all of them.
func (c *comparison) historyLost() int {
	a, b := c.a.body, c.b.body
	first := 0
	intact := base(a, wire.KindMessage) == base(b, wire.KindMessage)
	if intact {
		first = equalParts(a, b, wire.KindMessage)
	}
	lost := 0
	for i := first; i < c.a.hist; i++ {
		lost += len(a.Bytes(wire.KindMessage, i))
	}
	if c.a.partial != nil && first <= c.a.hist {
		lost += len(c.a.partial.raw)
	}
	if !intact || first >= b.Messages.Len() || first >= c.a.length() {
		return lost
	}
	raw := a.Bytes(wire.KindMessage, first)
	if first == c.a.hist {
		raw = c.a.partial.raw
	}
	return lost - wire.CommonPrefix(raw, b.Bytes(wire.KindMessage, first))
}
