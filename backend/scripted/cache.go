package scripted

import (
	"cmp"
	"slices"
	"sync"
)

const (
	// defaultCacheTokens bounds the cache: 8 million tokens, 64 MB, some
	// thirty different prompts of 1 MB.
	defaultCacheTokens = 8 << 20
	// evictTo is the part of the bound, in per cent, that is left after an
	// eviction, so that not every request has to evict.
	evictTo = 90
)

// cache keeps token sequences in a radix tree for each model. A look-up or an
// addition costs as much as the sequence is long, however many are kept.
type cache struct {
	mu    sync.Mutex
	roots map[string]*node
	size  int // tokens kept
	limit int
	tick  uint64
}

// node is a run of tokens and what can follow it, by first token.
type node struct {
	label []uint64
	next  map[uint64]*node
	used  uint64 // tick of the last sequence that went through
}

func newCache(limit int) *cache {
	return &cache{roots: map[string]*node{}, limit: orDefault(limit, defaultCacheTokens)}
}

// add keeps a sequence and gives the length of its longest prefix that was
// already there.
func (c *cache) add(model string, tokens []uint64) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tick++
	at := c.roots[model]
	if at == nil {
		at = &node{next: map[uint64]*node{}}
		c.roots[model] = at
	}
	common := 0
	for {
		at.used = c.tick
		rest := tokens[common:]
		if len(rest) == 0 {
			return common
		}
		child := at.next[rest[0]]
		if child == nil {
			// A copy: a part of tokens would keep all of it in memory.
			at.next[rest[0]] = &node{label: slices.Clone(rest), next: map[uint64]*node{}, used: c.tick}
			c.size += len(rest)
			c.evict()
			return common
		}
		n := commonLength(child.label, rest)
		common += n
		if n < len(child.label) {
			child = child.split(n)
			at.next[rest[0]] = child
		}
		at = child
	}
}

func commonLength(a, b []uint64) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// split gives a node for the first k tokens, with n as what follows.
func (n *node) split(k int) *node {
	head := &node{label: n.label[:k:k], next: map[uint64]*node{n.label[k]: n}, used: n.used}
	n.label = n.label[k:]
	return head
}

// evict removes the ends of sequences, those used longest ago first, until
// there is room again.
func (c *cache) evict() {
	if c.size <= c.limit {
		return
	}
	target := c.limit * evictTo / 100
	for c.size > target {
		ends := c.ends()
		if len(ends) == 0 {
			return
		}
		slices.SortFunc(ends, func(a, b end) int { return cmp.Compare(a.leaf.used, b.leaf.used) })
		for _, e := range ends {
			if c.size <= target {
				return
			}
			delete(e.parent.next, e.leaf.label[0])
			c.size -= len(e.leaf.label)
		}
	}
}

type end struct{ parent, leaf *node }

func (c *cache) ends() []end {
	var out []end
	var todo []*node
	for _, root := range c.roots {
		todo = append(todo, root)
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, child := range n.next {
			if len(child.next) == 0 {
				out = append(out, end{n, child})
			} else {
				todo = append(todo, child)
			}
		}
	}
	return out
}
