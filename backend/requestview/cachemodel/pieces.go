package cachemodel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/safely/together"
)

// Piece is a stretch of a prompt that is counted once, however many prompts hold it. Pieces of equal text and equal
// flags are one piece.
type Piece struct {
	Text   []byte
	Blocks int  // content blocks that end in it; 0 when its block goes on in the next piece
	Input  bool // a message that is not the model's own ends with it: a place for a mark
	Output bool // it is a whole message of the model
}

// Pieces holds all pieces of a session. Add from one goroutine; everything else may run side by side with itself.
type Pieces struct {
	counter Counter
	list    []Piece
	tokens  []int
	counted int
	ids     map[pieceKey]int32

	mu     sync.Mutex
	within map[[2]int32]int // tokens at the start that two pieces share
}

type pieceKey struct {
	leaf   wire.Hash
	blocks int
	flags  uint8
}

// NewPieces starts an empty table.
func NewPieces(c Counter) *Pieces {
	return &Pieces{counter: c, ids: map[pieceKey]int32{}, within: map[[2]int32]int{}}
}

// Add gives the number of a piece. leaf is a hash of its text.
func (p *Pieces) Add(leaf wire.Hash, piece Piece) int32 {
	key := pieceKey{leaf: leaf, blocks: piece.Blocks}
	if piece.Input {
		key.flags |= 1
	}
	if piece.Output {
		key.flags |= 2
	}
	if id, ok := p.ids[key]; ok {
		return id
	}
	id := int32(len(p.list))
	p.list, p.tokens = append(p.list, piece), append(p.tokens, 0)
	p.ids[key] = id
	return id
}

// Get gives a piece by its number.
func (p *Pieces) Get(id int32) Piece { return p.list[id] }

// Tokens gives the tokens of a piece; 0 before Count.
func (p *Pieces) Tokens(id int32) int { return p.tokens[id] }

// Count counts what was added since the last Count, on all cores. done is told how many bytes of how many are counted;
// it may be nil and is called from one goroutine at a time. The error is the context's.
func (p *Pieces) Count(ctx context.Context, done func(bytes, of int)) error {
	todo := p.list[p.counted:]
	size, sum := 0, 0
	for _, x := range todo {
		size += len(x.Text)
	}
	count := func(n int) {
		p.mu.Lock()
		defer p.mu.Unlock() // also when done panics: the others wait for it
		sum += n
		done(sum, size)
	}
	var next atomic.Int64
	var workers together.Group
	for range min(runtime.GOMAXPROCS(0), max(1, len(todo))) {
		workers.Run(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(todo) {
					return
				}
				p.tokens[p.counted+i] = p.counter.Count(todo[i].Text)
				if done != nil {
					count(len(todo[i].Text))
				}
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	p.counted = len(p.list)
	return nil
}

// shared counts the tokens that two different pieces have in common at their start.
func (p *Pieces) shared(a, b int32) int {
	key := [2]int32{min(a, b), max(a, b)}
	p.mu.Lock()
	n, ok := p.within[key]
	p.mu.Unlock()
	if ok {
		return n
	}
	x, y := p.list[a].Text, p.list[b].Text
	if len(y) < len(x) {
		x, y, a = y, x, b
	}
	k := wire.CommonPrefix(x, y)
	switch {
	case k == 0:
	case len(x)-k < k: // most of the shorter one: what is left is counted faster
		n = max(0, p.tokens[a]-p.counter.Count(x[k:]))
	default:
		n = p.counter.Count(x[:k])
	}
	p.mu.Lock()
	p.within[key] = n
	p.mu.Unlock()
	return n
}
