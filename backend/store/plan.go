package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	bolt "go.etcd.io/bbolt"
)

const (
	// maxMessages bounds the messages of one recipe: a file made to exhaust memory is refused. A body with more is stored
	// as it came.
	maxMessages = 1 << 20
	// maxChain bounds the recipes that one body is read through: every group begins with a checkpoint.
	maxChain = checkpointEvery
)

// ref is where the bytes of one message lie. gap is the part that stands before it, 0 for one comma. What a ref names
// never changes, so equal refs of one session are equal bytes.
type ref struct {
	kind      int8
	a, b, gap int32
}

// stretch is a piece of a recipe with its place: messages [at, at+count) of the request. In a copy, a is the first of the
// base's.
type stretch struct {
	ref
	at, count int32
}

type recipe struct {
	n, base, head, end int
	pieces             []stretch
	size               int // messages
}

func (s *Session) readRecipe(tx *bolt.Tx, n int) (recipe, error) {
	v := tx.Bucket(bRequests).Get(key(n))
	if v == nil {
		return recipe{}, fmt.Errorf("request %d: %w", n, ErrNotFound)
	}
	raw, err := s.codec.unpack(v)
	if err != nil {
		return recipe{}, err
	}
	d := decoder{b: raw}
	r := recipe{n: n, base: d.next(), head: d.next(), end: d.next()}
	if d.bad || r.base >= n {
		return r, fmt.Errorf("%w (recipe %d)", ErrDamaged, n)
	}
	return r, r.decode(d)
}

// decode reads the pieces.
func (r *recipe) decode(d decoder) error {
	const least = 2 // bytes of a piece
	r.pieces = make([]stretch, 0, min(len(d.b)/least, maxMessages))
	gap := int32(0)
	for len(d.b) > 0 && !d.bad {
		kind := int8(d.b[0])
		d.b = d.b[1:]
		p := stretch{ref: ref{kind: kind}, at: int32(r.size), count: 1}
		switch kind {
		case pieceCopy:
			p.a, p.count = d.short(), d.short()
		case pieceSealed:
			p.a, p.b, p.gap = d.short(), d.short(), gap
		case pieceEvent, piecePart:
			p.a, p.gap = d.short(), gap
		case pieceGap:
			gap = d.short()
			continue
		default:
			d.bad = true
		}
		if p.count > maxMessages || kind == pieceCopy && p.a > maxMessages || r.size+int(p.count) > maxMessages {
			return fmt.Errorf("%w (recipe %d has more messages than a recipe can)", ErrDamaged, r.n)
		}
		d.bad = d.bad || p.count < 1
		r.size += int(p.count)
		r.pieces = append(r.pieces, p)
	}
	if d.bad {
		return fmt.Errorf("%w (a recipe can't be read)", ErrDamaged)
	}
	return nil
}

// plan is a request as what it is put together from: parts around the messages, and where each message lies.
type plan struct {
	head, end int
	refs      []ref
}

// want is messages that are still to be found in a recipe: [from, from+count) of it are those of the plan from at on.
type want struct{ from, count, at int32 }

// plan resolves a request. It goes back from recipe to recipe with what is still copied from there, so that it costs the
// ranges that are followed and not the messages once for each recipe.
func (s *Session) plan(tx *bolt.Tx, n int) (plan, error) {
	r, err := s.readRecipe(tx, n)
	if err != nil {
		return plan{}, err
	}
	p := plan{head: r.head, end: r.end, refs: make([]ref, r.size)}
	wants := []want{{0, int32(r.size), 0}}
	for range maxChain {
		if wants, err = r.fill(p.refs, wants); err != nil || len(wants) == 0 {
			return p, err
		}
		if r.base == 0 {
			return p, errBeyond
		}
		if r, err = s.readRecipe(tx, r.base); err != nil {
			return p, err
		}
	}
	return p, fmt.Errorf("%w (request %d goes on from too many others)", ErrDamaged, n)
}

var errBeyond = fmt.Errorf("%w (a copy beyond its base)", ErrDamaged)

// fill writes the refs that a recipe has itself, and gives what is wanted of its base.
func (r *recipe) fill(refs []ref, wants []want) (rest []want, err error) {
	for _, w := range wants {
		if int(w.from)+int(w.count) > r.size {
			return nil, errBeyond
		}
		i, _ := slices.BinarySearchFunc(r.pieces, w.from, func(p stretch, at int32) int { return int(p.at+p.count) - 1 - int(at) })
		for w.count > 0 {
			p := r.pieces[i]
			skip := w.from - p.at
			take := min(w.count, p.count-skip)
			switch {
			case p.kind != pieceCopy:
				refs[w.at] = p.ref
			case take > 0:
				rest = joined(rest, want{p.a + skip, take, w.at})
			}
			w.from, w.at, w.count = w.from+take, w.at+take, w.count-take
			i++
		}
	}
	return rest, nil
}

// joined adds a range, to the one before where it goes on from that.
func joined(list []want, w want) []want {
	if n := len(list); n > 0 && list[n-1].from+list[n-1].count == w.from && list[n-1].at+list[n-1].count == w.at {
		list[n-1].count += w.count
		return list
	}
	return append(list, w)
}

// own gives the refs that a recipe doesn't copy from its base.
func (r *recipe) own() (list []ref) {
	for _, p := range r.pieces {
		if p.kind != pieceCopy {
			list = append(list, p.ref)
		}
	}
	return list
}

type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) next() int {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > math.MaxInt32 {
		d.b, d.bad = nil, true
		return 0
	}
	d.b = d.b[n:]
	return int(v)
}

func (d *decoder) short() int32 { return int32(d.next()) }
