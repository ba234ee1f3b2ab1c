package cachemodel

import "sort"

// Prompt is one request as a cache sees it. Mark places count the pieces before them.
type Prompt struct {
	Pieces []int32 // the model first, then tools, system, messages
	Head   int     // how many of the pieces stand before the first message
	Marks  []int   // explicit marks, ascending, without doubles
	At     int64   // when it was sent, in milliseconds; 0: unknown, nothing is ever idle then

	Explicit bool // its sender places marks or none: where it has none, its client would not have placed any
}

// Reuse is what a class makes of one prompt, in tokens.
type Reuse struct {
	Reused  int
	Written int // of the rest, what is written at marks; 0 where writing is not told apart
	From    int // the earlier prompt that holds the same start, by its place from 0; -1 for none
}

// Cache is a cache of every class side by side, for prompts in the order in which they were sent. What it holds is a
// tree of pieces, so that a prompt costs its new pieces and a walk over the old ones. It is for one goroutine.
type Cache struct {
	pieces  *Pieces
	classes []Class
	entries []map[int32]entry // by class: nodes that may be read, for rules that need it

	nodes []node
	kids  map[uint64]int32
	n     int
	last  []int32 // pieces of the latest prompt
	path  []int32 // its nodes: path[i] is the node behind i pieces
	sums  []int   // tokens before each of them
}

// node is a prefix that ends with a whole piece.
type node struct {
	piece  int32
	used   int64    // when it was last sent
	by     int      // in which prompt
	recent [2]int32 // the children that were sent last, 0 for none
}

// entry is a place that may be read.
type entry struct {
	used int64
	end  bool // a whole prompt ended here
}

// NewCache starts with nothing held. The pieces of the prompts must be counted before they come.
func NewCache(p *Pieces, classes []Class) *Cache {
	c := &Cache{pieces: p, classes: classes, nodes: make([]node, 1), kids: map[uint64]int32{}, path: []int32{0}, sums: []int{0}}
	c.nodes[0].by = -1
	for range classes {
		c.entries = append(c.entries, map[int32]entry{})
	}
	return c
}

// Next says what each class reuses of a prompt, and takes the prompt in. total is its size in tokens.
func (c *Cache) Next(p Prompt) (reuse []Reuse, total int) {
	known := c.walk(p)
	total = c.sums[len(p.Pieces)]
	reuse = make([]Reuse, len(c.classes))
	marks := make([][]int, len(c.classes))
	for i, class := range c.classes {
		switch class.Rule {
		case RuleMarks:
			marks[i] = c.marksOf(class, p)
			reuse[i] = c.marked(i, class, p, known, marks[i])
		case RuleUnits:
			reuse[i] = c.unit(i, class, p, known)
		default:
			equal, from := c.equal(class, p, known)
			reuse[i] = Reuse{Reused: class.Reuse(equal), From: from}
		}
	}
	c.keep(p, known)
	for i, class := range c.classes {
		for _, at := range marks[i] {
			if c.sums[at] >= class.Minimum {
				c.entries[i][c.path[at]] = entry{used: p.At}
			}
		}
		if class.Rule == RuleUnits {
			c.leaveUnits(i, p, known)
		}
	}
	c.last = p.Pieces
	c.n++
	return reuse, total
}

// walk finds how many pieces at the start some earlier prompt had, and adds up tokens.
func (c *Cache) walk(p Prompt) (known int) {
	for known < len(p.Pieces) && known < len(c.last) && p.Pieces[known] == c.last[known] {
		known++
	}
	c.path, c.sums = c.path[:known+1], c.sums[:known+1]
	at := c.path[known]
	for known < len(p.Pieces) {
		next, ok := c.kids[edge(at, p.Pieces[known])]
		if !ok {
			break
		}
		at = next
		known++
		c.path = append(c.path, at)
		c.sums = append(c.sums, c.sums[known-1]+c.pieces.tokens[p.Pieces[known-1]])
	}
	for i := known; i < len(p.Pieces); i++ {
		c.sums = append(c.sums, c.sums[i]+c.pieces.tokens[p.Pieces[i]])
	}
	return known
}

func edge(parent, piece int32) uint64 { return uint64(uint32(parent))<<32 | uint64(uint32(piece)) }

// keep adds the new pieces to the tree and notes for all that they were sent now.
func (c *Cache) keep(p Prompt, known int) {
	for i := known; i < len(p.Pieces); i++ {
		parent, id := c.path[i], int32(len(c.nodes))
		c.nodes = append(c.nodes, node{piece: p.Pieces[i]})
		c.kids[edge(parent, p.Pieces[i])] = id
		c.path = append(c.path, id)
	}
	for i, id := range c.path {
		n := &c.nodes[id]
		n.used, n.by = max(n.used, p.At), c.n
		if i+1 < len(c.path) {
			if kid := c.path[i+1]; n.recent[0] != kid {
				n.recent = [2]int32{kid, n.recent[0]}
			}
		}
	}
}

// alive says whether a class still holds what was last sent then.
func (c *Cache) alive(class Class, p Prompt, used int64, by int) bool {
	if class.Prompts > 0 && by < c.n-class.Prompts {
		return false
	}
	return class.Idle == 0 || p.At == 0 || used == 0 || p.At-used <= class.Idle.Milliseconds()
}

// equal is the longest start, in tokens, that a class still holds. Whoever sent a prefix sent all shorter ones, so the
// place is found by halves.
func (c *Cache) equal(class Class, p Prompt, known int) (tokens, from int) {
	gone := sort.Search(known, func(i int) bool {
		n := &c.nodes[c.path[i+1]]
		return !c.alive(class, p, n.used, n.by)
	})
	at := &c.nodes[c.path[gone]]
	tokens, from = c.sums[gone], at.by
	if gone == 0 {
		from = -1
	}
	if gone == len(p.Pieces) || gone == 0 { // another model shares nothing
		return tokens, from
	}
	best := 0
	for _, kid := range at.recent {
		if kid == 0 || !c.alive(class, p, c.nodes[kid].used, c.nodes[kid].by) {
			continue
		}
		if n := c.pieces.shared(c.nodes[kid].piece, p.Pieces[gone]); n > best {
			best, from = n, c.nodes[kid].by
		}
	}
	return tokens + best, from
}
