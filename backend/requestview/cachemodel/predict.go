package cachemodel

import (
	"fmt"

	"zimoscope/backend/requestview/wire"
)

// Prediction is what a cache could reuse of a prompt, in tokens.
type Prediction struct {
	Class     string `json:"class"`
	Reused    int    `json:"reused"`
	Total     int    `json:"total"`
	Estimated bool   `json:"estimated"` // the tokenizer is not the model's own
}

// String is the prediction for people; ≈ marks an estimate.
func (p Prediction) String() string {
	sign := ""
	if p.Estimated {
		sign = "≈ "
	}
	return fmt.Sprintf("%s%d of %d tokens", sign, p.Reused, p.Total)
}

// recentBodies is how many earlier bodies are kept to compare inside a part; older ones are known by their links.
const recentBodies = 2

// Session predicts for the requests of one session, in order, against everything sent before in it: a cache keeps
// older prompts too, those of side requests included.
type Session struct {
	counts partCounts
	exact  bool

	seen   map[wire.Hash]struct{} // every link of every earlier request
	recent []*wire.Body
	last   *wire.Body
	sums   []int // tokens of the head and the messages up to each, of last
	head   int
}

// NewSession starts a session. exact says that the counter is the model's own.
func NewSession(c Counter, exact bool) *Session {
	return &Session{counts: partCounts{counter: c}, exact: exact, seen: map[wire.Hash]struct{}{}}
}

// Next predicts for one request, under each class, and remembers it.
func (s *Session) Next(b *wire.Body, classes ...Class) []Prediction {
	s.count(b)
	equal := s.known(b)
	for _, r := range s.recent {
		equal = max(equal, s.shared(r, b))
	}
	total := s.head
	if n := len(s.sums); n > 0 {
		total = s.sums[n-1]
	}
	s.remember(b)
	out := make([]Prediction, len(classes))
	for i, c := range classes {
		out[i] = Prediction{c.Name, min(c.Reuse(equal), total), total, !s.exact}
	}
	return out
}

// Predict says how much of next a cache that holds prev alone could reuse.
func (s *Session) Predict(c Class, prev, next *wire.Body) Prediction {
	one := Session{counts: s.counts, exact: s.exact, seen: map[wire.Hash]struct{}{}}
	one.Next(prev)
	p := one.Next(next, c)[0]
	s.counts = one.counts
	return p
}

// count brings sums to b, from the first message that differs from last on.
func (s *Session) count(b *wire.Body) {
	keep := 0
	if s.last != nil && headLink(s.last) == headLink(b) {
		keep = equalMessages(s.last, b)
	} else {
		s.head = 0
		for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem} {
			r := b.Region(k)
			for i := range r.Len() {
				s.head += s.counts.count(r.Part(i).Leaf, b.Bytes(k, i))
			}
		}
	}
	s.sums = s.sums[:keep]
	sum := s.head
	if keep > 0 {
		sum = s.sums[keep-1]
	}
	for i := keep; i < b.Messages.Len(); i++ {
		sum += s.counts.count(b.Messages.Part(i).Leaf, b.Bytes(wire.KindMessage, i))
		s.sums = append(s.sums, sum)
	}
	s.last = b
}

// known counts the tokens of the whole parts at the start of b that some earlier request had.
func (s *Session) known(b *wire.Body) int {
	if _, ok := s.seen[b.Model.Link]; !ok {
		return 0
	}
	sum := 0
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem} {
		for i := range b.Region(k).Len() {
			p := b.Region(k).Part(i)
			if _, ok := s.seen[p.Link]; !ok {
				return sum
			}
			sum += s.counts.count(p.Leaf, b.Bytes(k, i))
		}
	}
	low, high := 0, b.Messages.Len()
	for low < high {
		mid := (low + high) / 2
		if _, ok := s.seen[b.Messages.Part(mid).Link]; ok {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 {
		return sum
	}
	return s.sums[low-1]
}

// shared counts the tokens up to the first differing byte of two requests; the part it lies in is counted up to it.
func (s *Session) shared(a, b *wire.Body) int {
	if a.Model.Leaf != b.Model.Leaf {
		return 0
	}
	sum := 0
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem} {
		ra, rb := a.Region(k), b.Region(k)
		for i := range rb.Len() {
			if i >= ra.Len() || ra.Part(i).Leaf != rb.Part(i).Leaf {
				return sum + s.within(a, b, k, i)
			}
			sum += s.counts.count(rb.Part(i).Leaf, b.Bytes(k, i))
		}
		if ra.Len() > rb.Len() {
			return sum
		}
	}
	n := equalMessages(a, b)
	if n > 0 {
		sum = s.sums[n-1]
	}
	return sum + s.within(a, b, wire.KindMessage, n)
}

// within counts the part that differs up to its first differing byte.
func (s *Session) within(a, b *wire.Body, k wire.Kind, i int) int {
	if i >= a.Region(k).Len() || i >= b.Region(k).Len() {
		return 0
	}
	raw := b.Bytes(k, i)
	return s.counts.counter.Count(raw[:wire.CommonPrefix(a.Bytes(k, i), raw)])
}

func (s *Session) remember(b *wire.Body) {
	s.recent = append(s.recent, b)
	if len(s.recent) > recentBodies {
		s.recent = append(s.recent[:0:0], s.recent[1:]...)
	}
	s.seen[b.Model.Link] = struct{}{}
	for _, k := range []wire.Kind{wire.KindMessage, wire.KindSystem, wire.KindTool} {
		r := b.Region(k)
		for i := r.Len() - 1; i >= 0; i-- {
			link := r.Part(i).Link
			if _, ok := s.seen[link]; ok {
				return // with a link, every link before it is known
			}
			s.seen[link] = struct{}{}
		}
	}
}

// headLink is the link before the first message.
func headLink(b *wire.Body) wire.Hash {
	for _, k := range []wire.Kind{wire.KindSystem, wire.KindTool} {
		if r := b.Region(k); r.Len() > 0 {
			return r.Part(r.Len() - 1).Link
		}
	}
	return b.Model.Link
}

// equalMessages counts the equal messages at the start of two requests whose heads are equal.
func equalMessages(a, b *wire.Body) int {
	low, high := 0, min(a.Messages.Len(), b.Messages.Len())
	for low < high {
		mid := (low + high) / 2
		if a.Messages.Part(mid).Link == b.Messages.Part(mid).Link {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
