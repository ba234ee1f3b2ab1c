package verdict

import (
	"zimoscope/backend/requestview/wire"
)

// history compares the messages behind the system message. In place first: only what doesn't match there is
// aligned, which is what finds a block that left.
func (c *comparison) history() {
	from := 0
	if c.a.sys == c.b.sys {
		same := equalParts(c.a.body, c.b.body, wire.KindMessage)
		if same == 0 && c.a.sys == 1 { // another system message: what stands behind it is compared all the same
			same = 1
			for same < min(c.a.hist, c.b.hist) && c.a.body.Messages.Part(same).Leaf == c.b.body.Messages.Part(same).Leaf {
				same++
			}
		}
		from = max(0, min(same, c.a.hist, c.b.hist)-c.a.sys)
	}
	if c.announcedWindows(from) {
		return
	}
	a, b := c.a.elems(c.a.sys+from), c.b.elems(c.b.sys+from)
	if n := c.inPlace(a, b); n < len(a) {
		c.aligned(a[n:], b[n:])
	}
}

// inPlace walks as far as each element stands, or is sealed, in its old place, and notes the seals.
func (c *comparison) inPlace(a, b []elem) int {
	for i := range a {
		if i >= len(b) {
			return i
		}
		g, offset := compareElems(&a[i], &b[i])
		switch g {
		case same:
			c.onlyMark(&a[i], &b[i])
		case sealed:
			c.sealedAt(&b[i], offset)
		default:
			return i
		}
	}
	return len(a)
}

func (c *comparison) onlyMark(a, b *elem) {
	if !a.marked && !b.marked {
		return
	}
	if n := wire.CommonPrefix(a.raw, b.raw); n < len(a.raw) && n < len(b.raw) {
		c.markMoved(at(c.b.body, wire.KindMessage, b.index, n))
	}
}

func (c *comparison) sealedAt(b *elem, offset int) {
	c.add(Sealed, true, at(c.b.body, wire.KindMessage, b.index, offset), say("sealed"))
}

// announcedWindows takes the announced ranges out of the earlier history and looks whether the rest stands in
// place. It adds nothing and gives false when that is not so. from counts the messages known to be equal in place; a
// range may start before that, where the messages that left and those that moved up are alike.
func (c *comparison) announcedWindows(from int) bool {
	var ranges []Range
	size := 0
	for _, n := range c.announced {
		if n.Kind == AnnounceWindow && n.To > n.From {
			ranges = append(ranges, Range{n.From, n.To})
			size += n.To - n.From
			from = min(from, n.From-c.a.sys)
		}
	}
	if len(ranges) == 0 || from < 0 {
		return false
	}
	var rest []elem
	left := 0
	for _, e := range c.a.elems(c.a.sys + from) {
		if inRanges(ranges, e.index) {
			left++
			continue
		}
		rest = append(rest, e)
	}
	if left != size { // ranges overlap, or reach beyond the history
		return false
	}
	kept := len(c.causes)
	if c.inPlace(rest, c.b.elems(c.b.sys+from)) < len(rest) {
		c.causes = c.causes[:kept]
		return false
	}
	shift := c.b.sys - c.a.sys
	for _, r := range ranges {
		c.windowed(r, r.From+shift)
		shift -= r.To - r.From
	}
	return true
}

func inRanges(ranges []Range, i int) bool {
	for _, r := range ranges {
		if i >= r.From && i < r.To {
			return true
		}
	}
	return false
}

func (c *comparison) windowed(r Range, place int) {
	planned := false
	for _, n := range c.announced {
		planned = planned || n.Kind == AnnounceWindow && n.From == r.From && n.To == r.To
	}
	p := gone(c.b.body, wire.KindMessage, place)
	words := say("left", r.From, r.To-1)
	if r.To == r.From+1 {
		words = say("left-one", r.From)
	}
	cause := because(Windowed, c.b.planned(planned), p, words)
	cause.Range = &r
	c.causes = append(c.causes, cause)
}

// aligned finds what became of messages that no longer stand in their place.
func (c *comparison) aligned(a, b []elem) {
	ids := interner[wire.Hash]{}
	keys := func(list []elem) []int32 {
		out := make([]int32, len(list))
		for i := range list {
			out[i] = ids.id(list[i].leaf)
		}
		return out
	}
	ka, kb := keys(a), keys(b)
	runs := align(ka, kb)
	if total(runs) <= matchesInPlace(ka, kb) {
		runs = runsInPlace(ka, kb)
	}
	used := map[int32]bool{} // leaves that stand in b outside the matched runs: moved there, not gone
	endB := 0
	for _, r := range runs {
		for j := endB; j < r.B; j++ {
			used[kb[j]] = true
		}
		endB = r.B + r.N
	}
	for j := endB; j < len(b); j++ {
		used[kb[j]] = true
	}
	i, j := 0, 0
	for _, r := range runs {
		c.gap(a[i:r.A], b[j:r.B], b[r.B].index, false, used, ka[i:r.A])
		for n := range r.N {
			c.onlyMark(&a[r.A+n], &b[r.B+n])
		}
		i, j = r.A+r.N, r.B+r.N
	}
	end := c.b.body.Messages.Len()
	if j < len(b) {
		end = b[j].index
	}
	c.gap(a[i:], b[j:], end, true, used, ka[i:])
}

// gap explains a stretch between two matched runs: gone were in the earlier request, came are in the later one.
// place is the index in the later request of what follows. Behind the last run, what came is what was appended.
func (c *comparison) gap(gone, came []elem, place int, last bool, used map[int32]bool, keys []int32) {
	switch {
	case len(gone) == 0 && (len(came) == 0 || last):
	case len(gone) == 0:
		c.inserted(came)
	case len(came) == 0:
		c.vanished(gone, place, last, used, keys)
	case last || len(gone) <= len(came):
		n := min(len(gone), len(came))
		for i := range n {
			c.changed(&gone[i], &came[i])
		}
		if n < len(gone) {
			c.vanished(gone[n:], c.b.body.Messages.Len(), true, used, keys[n:])
		} else if n < len(came) && !last {
			c.inserted(came[n:])
		}
	default:
		off := wire.CommonPrefix(gone[0].raw, came[0].raw)
		p := at(c.b.body, wire.KindMessage, came[0].index, min(off, len(came[0].raw)-1))
		c.add(Rewritten, false, p, say("replaced", len(gone), len(came)))
	}
}

func (c *comparison) inserted(came []elem) {
	c.add(Rewritten, false, at(c.b.body, wire.KindMessage, came[0].index, 0), one("inserted", len(came)))
}

// vanished is a window when what follows stands in order, and none of it reappears elsewhere.
func (c *comparison) vanished(list []elem, place int, last bool, used map[int32]bool, keys []int32) {
	for i := range list {
		if used[keys[i]] {
			c.add(Rewritten, false, gone(c.b.body, wire.KindMessage, place), say("moved", list[i].index))
			return
		}
	}
	if last {
		c.add(Rewritten, false, gone(c.b.body, wire.KindMessage, place), one("vanished", len(list)))
		return
	}
	c.windowed(Range{list[0].index, list[len(list)-1].index + 1}, place)
}

// changed compares two different messages in one place.
func (c *comparison) changed(a, b *elem) {
	g, offset := compareElems(a, b)
	if g == sealed {
		c.sealedAt(b, offset)
		return
	}
	if g == same {
		return
	}
	first := min(wire.CommonPrefix(a.raw, b.raw), len(b.raw)-1)
	p := at(c.b.body, wire.KindMessage, b.index, first)
	words := say("changed")
	switch {
	case a.partial:
		words = say("changed-text")
	case hasSummary(textOf(a.whole)) && roleOf(a.whole) == "tool":
		words = say("changed-record")
	case g == grew:
		words = say("grew", roleOf(a.whole))
	case roleOf(a.whole) != roleOf(b.whole):
		words = say("other-role", roleOf(b.whole), roleOf(a.whole))
	}
	c.add(Rewritten, false, p, words)
}

func total(runs []run) (n int) {
	for _, r := range runs {
		n += r.N
	}
	return n
}

func matchesInPlace(a, b []int32) int { return total(runsInPlace(a, b)) }

func runsInPlace(a, b []int32) []run {
	var out []run
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			out = append(out, run{i, i, 1})
		}
	}
	return joinRuns(out)
}
