package verdict

import (
	"bytes"
	"slices"

	"zimoscope/backend/requestview/wire"
)

// TranscriptCheck looks into the store: whether the stored transcript and its export hold no tail. It answers A4,
// which bytes alone can't.
type TranscriptCheck func(*Request) (clean bool, detail string)

// Checker compares the requests of one thread, in the order they were sent, each with the main request before it,
// and holds them to the redlines.
type Checker struct {
	Transcript TranscriptCheck // nil: A4 reads "not checkable here"

	last  *view // the last main request
	marks []mark
	base  *view // the request that marks describes: the last one of any kind
	facts map[wire.Hash]*facts
	names nameCheck

	headRead  wire.Hash // the link before the messages for which headLeaks holds
	headLeaks []Cause
}

// NewChecker starts a thread.
func NewChecker() *Checker { return &Checker{} }

// Result is what a Checker says about one request.
type Result struct {
	Verdict  Verdict
	Redlines []Redline
	Attempt  bool // the same bytes as the request before: another attempt to send it, not compared again
}

// Add takes the next request. A side request is compared, but nothing is compared with it.
func (c *Checker) Add(r *Request) Result {
	if c.last != nil && SameAttempt(c.last.req, r) {
		c.last.numbers = append(c.last.numbers, r.Number)
		return Result{Attempt: true}
	}
	v := newView(r)
	c.advance(v)
	end := c.end(v)
	leaks := c.leaks(v, end)
	var verdict Verdict
	if c.last == nil {
		verdict = firstVerdict(v, leaks)
	} else {
		verdict = compareViews(c.last, v, leaks)
	}
	res := Result{Verdict: verdict, Redlines: c.redlines(v, end, &verdict)}
	if !r.IsSide() {
		c.last = v
	}
	return res
}

// SameAttempt says that r sends the bytes of prev once more. A request marked as a retry whose bytes differ is a
// request of its own.
func SameAttempt(prev, r *Request) bool {
	a, b := prev.Body, r.Body
	if r.IsSide() {
		return false
	}
	return a.Last() == b.Last() && a.Rest == b.Rest && bytes.Equal(a.Raw, b.Raw)
}

// maxFacts bounds the memory for facts of messages that no request holds any more, as a share of those it holds.
const maxFacts = 2

// advance brings marks to the history of v, from the first message that differs from what they describe.
func (c *Checker) advance(v *view) {
	keep := 0
	if c.base != nil && c.base.foreign == v.foreign {
		b := v.body
		keep = min(len(c.marks), v.hist)
		if base(c.base.body, wire.KindMessage) == base(b, wire.KindMessage) {
			keep = min(keep, equalParts(c.base.body, b, wire.KindMessage))
		} else {
			for i := range keep {
				if c.base.body.Messages.Part(i).Leaf != b.Messages.Part(i).Leaf {
					keep = i
					break
				}
			}
		}
	}
	if c.facts == nil || len(c.facts) > maxFacts*v.hist+1024 || c.base != nil && c.base.foreign != v.foreign {
		c.facts = map[wire.Hash]*facts{}
	}
	if need := v.hist + 1; cap(c.marks) < need {
		c.marks = slices.Grow(c.marks, need-len(c.marks))
	}
	c.marks = c.marks[:keep]
	for i := keep; i < v.hist; i++ {
		f := c.factsOf(v, i)
		c.marks = append(c.marks, c.before(i).next(i, f, c.groupFacts(i), v.foreign))
	}
	c.base = v
}

func (c *Checker) factsOf(v *view, i int) *facts {
	leaf := v.body.Messages.Part(i).Leaf
	if f := c.facts[leaf]; f != nil {
		return f
	}
	f := readFacts(v.body.Bytes(wire.KindMessage, i), !v.foreign)
	c.facts[leaf] = f
	return f
}

// before is the mark that message i follows.
func (c *Checker) before(i int) mark {
	if i == 0 {
		return fresh
	}
	return c.marks[i-1]
}

// groupFacts are those of the assistant message whose results are due before message i.
func (c *Checker) groupFacts(i int) *facts {
	if i == 0 || c.marks[i-1].group == none {
		return nil
	}
	return c.marks[c.marks[i-1].group].f
}

// end is the mark behind the whole history, the part of the carrier before its tail included.
func (c *Checker) end(v *view) mark {
	m := c.before(v.hist)
	g := c.groupFacts(v.hist)
	if v.partial != nil {
		f := readFacts(v.partial.whole, true)
		m = m.next(v.hist, f, g, false)
		if m.group == v.hist {
			g = f
		}
	}
	if m.group != none && g != nil && m.got < len(g.calls) {
		m.pairing(m.group, say("a11-end"))
	}
	return m
}

// leaks lists what holds frame state outside the tail. The tools are looked at when they change; of messages, only
// those that the marks know to hold any.
func (c *Checker) leaks(v *view, end mark) []Cause {
	head := base(v.body, wire.KindMessage)
	if c.headRead != head {
		c.headRead, c.headLeaks = head, v.prefixLeaks()
	}
	out := slices.Clone(c.headLeaks)
	if end.state == none {
		return out
	}
	for i := end.state; i < v.hist; i++ {
		out = v.leak(out, wire.KindMessage, i, c.marks[i].f.state)
	}
	if v.partial != nil {
		out = v.leak(out, wire.KindMessage, v.hist, stateIn(v.partial.whole, true))
	}
	return out
}
