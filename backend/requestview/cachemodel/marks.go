package cachemodel

import "slices"

// marksOf lists the places at which a class writes.
func (c *Cache) marksOf(class Class, p Prompt) []int {
	own := p.Marks[max(0, len(p.Marks)-maxPerPrompt):]
	switch {
	case class.Implicit == LatestInput:
		own = own[max(0, len(own)-(class.Writes-1)):]
		if at := c.latestInput(p); at > 0 && !slices.Contains(own, at) {
			own = append(slices.Clone(own), at)
			slices.Sort(own)
		}
	case class.Implicit == HeadAndLast && len(own) == 0 && !p.Explicit:
		own = []int{p.Head, len(p.Pieces)}
	}
	return own[max(0, len(own)-class.Writes):]
}

func (c *Cache) latestInput(p Prompt) int {
	for i := len(p.Pieces); i > p.Head; i-- {
		if c.pieces.list[p.Pieces[i-1]].Input {
			return i
		}
	}
	return 0
}

// marked finds the longest earlier write that the class looks at.
func (c *Cache) marked(i int, class Class, p Prompt, known int, marks []int) Reuse {
	hit := 0
	if class.Places > 0 {
		hit = c.latestWrite(i, class, p, known, marks)
	} else {
		for _, at := range marks {
			hit = max(hit, c.writeBehind(i, class, p, known, at))
		}
	}
	r := Reuse{Reused: c.sums[hit], From: -1}
	if hit > 0 {
		r.From = c.nodes[c.path[hit]].by
		c.entries[i][c.path[hit]] = entry{used: p.At}
	}
	if n := len(marks); n > 0 && c.sums[marks[n-1]] >= class.Minimum {
		r.Written = max(0, c.sums[marks[n-1]]-r.Reused)
	}
	return r
}

func (c *Cache) readable(i int, class Class, p Prompt, at, known int) bool {
	if at > known {
		return false
	}
	e, ok := c.entries[i][c.path[at]]
	return ok && c.alive(class, p, e.used, c.n)
}

// writeBehind looks back from a mark, block by block.
func (c *Cache) writeBehind(i int, class Class, p Prompt, known, mark int) int {
	blocks := 0
	for at := mark; at > 0 && blocks < class.Lookback; at-- {
		if c.readable(i, class, p, at, known) {
			return at
		}
		blocks += c.pieces.list[p.Pieces[at-1]].Blocks
	}
	return 0
}

// latestWrite looks at the ends of messages and at marks, the latest first.
func (c *Cache) latestWrite(i int, class Class, p Prompt, known int, marks []int) int {
	places := 0
	for at := len(p.Pieces); at > 0 && places < class.Places; at-- {
		if !c.pieces.list[p.Pieces[at-1]].Input && !slices.Contains(marks, at) {
			continue
		}
		places++
		if c.readable(i, class, p, at, known) {
			return at
		}
	}
	return 0
}

// unit finds the longest whole unit: a prompt that ended, with the output behind it; a start that two prompts shared; a
// fixed interval.
func (c *Cache) unit(i int, class Class, p Prompt, known int) Reuse {
	r := Reuse{From: -1}
	tokens := 0
	for at := known; at > 0; at-- {
		e, ok := c.entries[i][c.path[at]]
		if !ok || !c.alive(class, p, e.used, c.n) {
			continue
		}
		tokens, r.From = c.sums[at], c.nodes[c.path[at]].by
		c.entries[i][c.path[at]] = entry{used: p.At, end: e.end}
		if e.end && at < len(p.Pieces) && c.pieces.list[p.Pieces[at]].Output {
			tokens = c.sums[at+1]
		}
		break
	}
	if class.Interval > 0 {
		if equal, from := c.equal(class, p, known); equal-equal%class.Interval > tokens {
			tokens, r.From = equal-equal%class.Interval, from
		}
	}
	r.Reused = class.Reuse(tokens)
	return r
}

// leaveUnits keeps the units that a prompt leaves: its end, and the start that it shared with an earlier one.
func (c *Cache) leaveUnits(i int, p Prompt, known int) {
	if known > 0 && known < len(p.Pieces) {
		node := c.path[known]
		c.entries[i][node] = entry{used: p.At, end: c.entries[i][node].end}
	}
	c.entries[i][c.path[len(p.Pieces)]] = entry{used: p.At, end: true}
}
