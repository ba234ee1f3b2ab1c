// Package conversation tells interleaved conversations apart by what their requests hold, not by when they came.
//
// Contract: requests are placed in the order they are given, each once. A request goes on from the earlier one whose
// whole history it starts with; else from the one it shares the most with, when that includes something a model
// wrote. What shares less starts a conversation of its own: to say too little is better than to pair what is not one.
// Memory grows with distinct messages, not with requests. Not safe for use by several goroutines.
package conversation

import (
	"crypto/sha256"
	"slices"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// How a request was placed.
const (
	ByResponse = "response id" // it names the response it continues
	ByHistory  = "history"     // it starts with the whole of an earlier request
	ByPrefix   = "prefix"      // it starts with part of an earlier request, with a model's words in it
	ByOverlap  = "overlap"     // it holds words of a model that an earlier request holds, at other places
	ByName     = "name"        // source or body name the same session, and the tools are the same
	First      = "first"       // nothing before it is like it
)

// Claims are what source, body and response say of where a request belongs.
type Claims struct {
	Session  string // a session id or cache key, "" when none is named
	Previous string // the id of the response that it continues
}

// Place is where a request belongs.
type Place struct {
	Thread  int // from 1
	Follows int // number of the request it goes on from, 0 for none
	How     string
	Attempt int // number of an earlier request with the same bytes, 0 for none
	Leaf    int // an earlier request that turns out to be a leaf: nothing goes on from it; 0 for none
}

// node is one point of the tree of histories.
type node struct {
	ends    int // the last request whose history ends here
	through int // the last request whose history passes here or ends here
}

type placed struct {
	thread  int
	follows int
	head    head
	persons []bool    // which messages a person wrote; nil once a model's words are in it
	newest  wire.Hash // leaf of its last message of history
	words   int       // how many messages a model wrote
	last    int       // the last request that goes on from it, 0 for none
	leaf    bool
}

// Finder places requests.
type Finder struct {
	nodes     map[wire.Hash]node
	words     map[wire.Hash]int // what a model wrote -> the last request that holds it
	requests  map[int]*placed
	newest    map[int]int    // thread -> its last request that is no leaf
	responses map[string]int // response id -> request
	sessions  map[string]int // claimed session -> its last request
	bodies    map[[sha256.Size]byte]int
	messages  map[wire.Hash]message // by the leaf of their bytes: most of a request was read with the one before
	threads   int
}

// New makes a finder that knows nothing.
func New() *Finder {
	return &Finder{nodes: map[wire.Hash]node{}, words: map[wire.Hash]int{}, requests: map[int]*placed{}, newest: map[int]int{},
		responses: map[string]int{}, sessions: map[string]int{}, bodies: map[[sha256.Size]byte]int{}, messages: map[wire.Hash]message{}}
}

// Place finds where request n belongs. sum is the SHA-256 of its body.
func (f *Finder) Place(n int, b *wire.Body, sum [sha256.Size]byte, claims Claims) Place {
	if was := f.bodies[sum]; was > 0 {
		p := f.requests[was]
		f.requests[n] = p // what goes on from one attempt goes on from the request
		return Place{Thread: p.thread, Follows: p.follows, Attempt: was, How: ByHistory}
	}
	f.bodies[sum] = n
	t := f.trace(b)
	at, how := f.before(t, claims)
	p := &placed{follows: at, head: t.head, persons: t.persons, words: len(t.words)}
	if t.end > 0 {
		p.newest = t.leaves[t.end-1]
	}
	if t.firstWords >= 0 {
		p.head.system, p.persons = nil, nil // only histories without a model's words are ever held against another's
	}
	out := Place{Follows: at, How: how}
	if at == 0 {
		f.threads++
		p.thread = f.threads
	} else {
		p.thread, out.Leaf = f.join(at, n, how)
	}
	out.Thread = p.thread
	f.requests[n] = p
	f.newest[p.thread] = n
	f.note(n, t, claims)
	return out
}

// Answered notes the id of the response to request n.
func (f *Finder) Answered(n int, id string) {
	if id != "" {
		f.responses[id] = n
	}
}

// join lets request n go on from at. What went on from at before, without having been continued itself, was a leaf; a
// leaf that is continued after all becomes a conversation of its own.
func (f *Finder) join(at, n int, how string) (thread, leaf int) {
	before := f.requests[at]
	if before.leaf {
		f.threads++
		before.last = n
		return f.threads, 0
	}
	if old := before.last; old > 0 && how == ByHistory {
		if o := f.requests[old]; o.last == 0 && !o.leaf {
			o.leaf = true
			leaf = old
		}
	}
	before.last = n
	return before.thread, leaf
}

// before finds the request that a new one goes on from. Where the start and the rest point to different ones, the one
// with more of a model's words in it is right: a window that moved leaves the start as it was.
func (f *Finder) before(t *traced, claims Claims) (n int, how string) {
	if n := f.responses[claims.Previous]; claims.Previous != "" && n > 0 {
		return n, ByResponse
	}
	whole, at := f.wholeHistory(t)
	moved, votes := f.overlap(t)
	if whole > 0 && t.wordsTo(at) >= votes {
		return whole, ByHistory
	}
	for i := len(t.links) - 1; i >= t.firstWords && t.firstWords >= 0; i-- {
		if k, ok := f.nodes[t.links[i]]; ok && t.wordsTo(i) >= votes {
			return f.main(k.through, t), ByPrefix
		}
	}
	if moved > 0 {
		return moved, ByOverlap
	}
	if n := f.beginning(t); n > 0 {
		return n, ByPrefix
	}
	if n := f.sessions[claims.Session]; claims.Session != "" && n > 0 && f.requests[n].head.sameTools(t.head) {
		return f.main(n, t), ByName
	}
	return 0, First
}

// wholeHistory finds the longest earlier history that this one starts with. Without a model's words in it, the two
// must also be akin in what stands before: many agents open every conversation with the same message.
func (f *Finder) wholeHistory(t *traced) (n, at int) {
	for i := len(t.links) - 1; i >= 0; i-- {
		k, ok := f.nodes[t.links[i]]
		if !ok || k.ends == 0 {
			continue
		}
		if t.firstWords >= 0 && i >= t.firstWords || f.requests[k.ends].head.akin(t.head) {
			return k.ends, i
		}
	}
	return 0, -1
}

// beginning finds a request without a model's words yet, of the same agent, that differs from this one only behind what
// a person wrote: a message that the agent moves or replaces.
func (f *Finder) beginning(t *traced) int {
	for i := len(t.links) - 1; i >= 0; i-- {
		k, ok := f.nodes[t.links[i]]
		if !ok {
			continue
		}
		p := f.requests[k.through]
		if i+1 < len(p.persons) && !p.persons[i+1] && p.head.akin(t.head) {
			return k.through
		}
		return 0
	}
	return 0
}

// main gives the request of the same thread that a new one goes on from: of those with as many of a model's words as the
// last, the last whose newest message it holds, since that of a side request is gone with it. When it holds none, the
// last one stands.
func (f *Finder) main(n int, t *traced) int {
	if f.requests[n].leaf {
		n = f.newest[f.requests[n].thread]
	}
	words := f.requests[n].words
	for at, back := n, 0; at > 0 && back < maxBack && f.requests[at].words == words; at, back = f.requests[at].follows, back+1 {
		if slices.Contains(t.leaves, f.requests[at].newest) {
			return at
		}
	}
	return n
}

// maxBack is how many requests back a side request is looked through.
const maxBack = 8

// overlap finds the conversation that holds most of the model's words in this request: at least half.
func (f *Finder) overlap(t *traced) (n, votes int) {
	count := map[int]int{}
	best := 0
	for _, w := range t.words {
		at := f.words[w]
		if at == 0 {
			continue
		}
		th := f.requests[at].thread
		count[th]++
		if count[th] > votes {
			best, votes = th, count[th]
		}
	}
	if votes == 0 || 2*votes < len(t.words) {
		return 0, 0
	}
	return f.main(f.newest[best], t), votes
}

func (f *Finder) note(n int, t *traced, claims Claims) {
	for i, link := range t.links[:t.end] {
		k := f.nodes[link]
		k.through = n
		if i == t.end-1 {
			k.ends = n
		}
		f.nodes[link] = k
	}
	for _, w := range t.words {
		f.words[w] = n
	}
	if claims.Session != "" {
		f.sessions[claims.Session] = n
	}
}

// head is what stands before the conversation.
type head struct {
	tools  wire.Hash // over the tools alone; zero without any
	system []byte
	sum    wire.Hash // of system
}

func (h head) sameTools(o head) bool { return h.tools == o.tools && h.tools != wire.Hash{} }

// akin says that two heads are of one agent: the same tools, the same system text, or one that shares at least half
// of its bytes at start and end (a date in its middle, a list that grew).
func (h head) akin(o head) bool {
	if h.sum == o.sum || h.sameTools(o) {
		return true
	}
	short := min(len(h.system), len(o.system))
	start := wire.CommonPrefix(h.system[:short], o.system[:short])
	end := 0
	for end < short-start && h.system[len(h.system)-1-end] == o.system[len(o.system)-1-end] {
		end++
	}
	return short > 0 && 2*(start+end) >= max(len(h.system), len(o.system))
}

// traced is a request as the finder reads it.
type traced struct {
	head       head
	links      []wire.Hash // a chain over the messages behind the system ones, without cache marks
	end        int         // how many of them are history: a live block at the end is not
	words      []wire.Hash // leaves of what a model wrote
	leaves     []wire.Hash // of the messages of links
	persons    []bool      // which of them a person wrote
	wordAt     []int       // their indexes in links
	firstWords int         // the first of wordAt, -1 for none
}

// wordsTo counts the words in links[0..i].
func (t *traced) wordsTo(i int) int {
	n, _ := slices.BinarySearch(t.wordAt, i+1)
	return n
}

func (f *Finder) trace(b *wire.Body) *traced {
	n := b.Messages.Len()
	t := &traced{firstWords: -1, links: make([]wire.Hash, 0, n), leaves: make([]wire.Hash, 0, n), persons: make([]bool, 0, n)}
	for i := range b.Tools.Len() {
		t.head.tools = wire.NextLink(t.head.tools, verdict.PlainLeaf(b, wire.KindTool, i))
	}
	if b.System.Len() > 0 {
		t.head.system = append(t.head.system, b.Bytes(wire.KindSystem, 0)...)
	}
	i := 0
	for ; i < n && f.message(b, i).by == bySystem; i++ {
		t.head.system = append(t.head.system, b.Bytes(wire.KindMessage, i)...)
	}
	t.head.sum = sha256.Sum256(t.head.system)
	var link wire.Hash
	tail := verdict.TailMessages(b)
	for ; i < n; i++ {
		m := f.message(b, i)
		t.persons = append(t.persons, m.by == byPerson && i < n-tail)
		if m.by == byModel {
			t.words, t.wordAt = append(t.words, m.leaf), append(t.wordAt, len(t.links))
			if t.firstWords < 0 {
				t.firstWords = len(t.links)
			}
		}
		link = wire.NextLink(link, m.leaf)
		t.links, t.leaves = append(t.links, link), append(t.leaves, m.leaf)
	}
	t.end = len(t.links) - tail
	return t
}
