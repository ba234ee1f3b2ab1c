package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
)

// checkpointEvery bounds how many recipes one body is read through. A checkpoint costs a few bytes a message.
const checkpointEvery = 256

// Request is one body to store. Source says, for message i, by which transcript events its bytes are already kept;
// appended 0 means by none (the carrier, the system message).
type Request struct {
	N        int
	Body     *wire.Body
	Source   func(i int) (appended, seal int) // nil: by none
	Carriers int                              // how many messages at the end hold request-only bytes, so that Source does not speak for them

	Raw      []byte     // what no parts were found in; Body is nil then
	Base     int        // the stored request that this one goes on from, 0 for the one before
	BaseBody *wire.Body // its bytes, when Base is set
}

// Pieces of a recipe. A recipe is: base request (0 for a checkpoint), head part, end part, then pieces until its end;
// all numbers are varints.
const (
	pieceCopy   = iota // from, count: messages of the base
	pieceEvent         // event: its payload
	pieceSealed        // event, seal: a sealed record
	piecePart          // part
	pieceGap           // part: what stands before each following message but the first, where it is not one comma
)

// ref is where the bytes of one message lie. gap is the part that stands before it, 0 for one comma.
type ref struct{ kind, a, b, gap int }

var comma = []byte{','}

func (s *Session) putRequest(tx *bolt.Tx, r *Request) error {
	if r.N != s.requests+1 {
		return fmt.Errorf("request %d can't follow request %d", r.N, s.requests)
	}
	base, prev := s.prevN, s.prev
	if r.Base > 0 {
		base, prev = r.Base, r.BaseBody
	}
	if prev == nil || r.Body == nil || (r.N-1)/checkpointEvery != (base-1)/checkpointEvery {
		base, prev = 0, nil
	}
	head, end := around(r)
	out := binary.AppendUvarint(nil, uint64(base))
	for _, piece := range [][]byte{head, end} {
		id, err := s.putPart(tx, piece)
		if err != nil {
			return err
		}
		out = binary.AppendUvarint(out, uint64(id))
	}
	if r.Body != nil {
		w := pieceWriter{s: s, tx: tx, r: r, prev: prev, out: out}
		if err := w.write(); err != nil {
			return err
		}
		out = w.out
	}
	b := tx.Bucket(bRequests)
	b.FillPercent = fill
	if err := b.Put(key(r.N), s.codec.pack(out)); err != nil {
		return err
	}
	s.requests, s.prev, s.prevN = r.N, r.Body, r.N
	return nil
}

// around gives what stands before the first message and behind the last.
func around(r *Request) (head, end []byte) {
	switch {
	case r.Body == nil:
		return r.Raw, nil
	case r.Body.Messages.Len() == 0:
		return r.Body.Raw, nil
	}
	from, _ := r.Body.Range(wire.KindMessage, 0)
	_, to := r.Body.Range(wire.KindMessage, r.Body.Messages.Len()-1)
	return r.Body.Raw[:from], r.Body.Raw[to:]
}

// pieceWriter writes what stands equal in the base as ranges, the rest by reference or as new parts.
type pieceWriter struct {
	s    *Session
	tx   *bolt.Tx
	r    *Request
	prev *wire.Body // nil at a checkpoint
	gap  []byte     // what a reader puts before the next message, nil for one comma
	out  []byte

	places map[wire.Hash]int // of the base's messages, by leaf
}

func (w *pieceWriter) number(list ...int) {
	for _, n := range list {
		w.out = binary.AppendUvarint(w.out, uint64(n))
	}
}

func (w *pieceWriter) write() error {
	n := w.r.Body.Messages.Len()
	for i := 0; i < n; {
		if w.prev != nil {
			if at, count := w.sameRun(i); count > 0 {
				w.out = append(w.out, pieceCopy)
				w.number(at, count)
				i += count
				continue
			}
		}
		if err := w.one(i); err != nil {
			return err
		}
		i++
	}
	return nil
}

func (w *pieceWriter) one(i int) error {
	if err := w.between(gapBefore(w.r.Body, i)); err != nil {
		return err
	}
	appended, seal := 0, 0
	if w.r.Source != nil && i < w.r.Body.Messages.Len()-w.r.Carriers {
		appended, seal = w.r.Source(i)
	}
	switch {
	case appended > 0 && seal > 0:
		w.out = append(w.out, pieceSealed)
		w.number(appended, seal)
	case appended > 0:
		w.out = append(w.out, pieceEvent)
		w.number(appended)
	default:
		id, err := w.s.putPart(w.tx, w.r.Body.Bytes(wire.KindMessage, i))
		if err != nil {
			return err
		}
		w.out = append(w.out, piecePart)
		w.number(id)
	}
	return nil
}

// between notes a gap that is not the one in force. Our own bodies never have one.
func (w *pieceWriter) between(gap []byte) error {
	if gap == nil || bytes.Equal(gap, w.gapNow()) {
		return nil
	}
	id, err := w.s.putPart(w.tx, gap)
	if err != nil {
		return err
	}
	w.out = append(w.out, pieceGap)
	w.number(id)
	w.gap = gap
	return nil
}

func (w *pieceWriter) gapNow() []byte {
	if w.gap == nil {
		return comma
	}
	return w.gap
}

// gapBefore gives what stands between message i and the one before it; nil for the first.
func gapBefore(b *wire.Body, i int) []byte {
	if i == 0 {
		return nil
	}
	_, from := b.Range(wire.KindMessage, i-1)
	to, _ := b.Range(wire.KindMessage, i)
	return b.Raw[from:to]
}

// sameRun finds the messages of the base that stand, in the same order, at i of the new body. At the start one link
// comparison by halves finds the whole run; after a change it looks for where the run goes on.
func (w *pieceWriter) sameRun(i int) (at, count int) {
	if i == 0 {
		if n := wire.SharedMessages(w.prev, w.r.Body); n > 0 {
			return 0, w.sameGaps(0, 0, n)
		}
	}
	prev, next := &w.prev.Messages, &w.r.Body.Messages
	at, ok := w.placeOf(i, next.Part(i).Leaf)
	if !ok {
		return 0, 0
	}
	for at+count < prev.Len() && i+count < next.Len() && prev.Part(at+count).Leaf == next.Part(i+count).Leaf {
		count++
	}
	return at, w.sameGaps(at, i, count)
}

// near is how many messages of the base are looked at from the place on before a table is made: most requests only
// append, and what they change stands at their end.
const near = 64

// placeOf finds a message in the base, from place i on or anywhere.
func (w *pieceWriter) placeOf(i int, leaf wire.Hash) (at int, ok bool) {
	prev := &w.prev.Messages
	for at = i; at < min(prev.Len(), i+near); at++ {
		if prev.Part(at).Leaf == leaf {
			return at, true
		}
	}
	if w.places == nil && prev.Len() <= i+near && w.r.Source != nil {
		return 0, false // our own messages never move towards the end
	}
	if w.places == nil {
		w.places = make(map[wire.Hash]int, prev.Len())
		for k := prev.Len() - 1; k >= 0; k-- {
			w.places[prev.Part(k).Leaf] = k
		}
	}
	at, ok = w.places[leaf]
	return at, ok
}

// sameGaps shortens a run to where what stands between the messages is the same too. In our own bodies it is always
// one comma.
func (w *pieceWriter) sameGaps(at, i, count int) int {
	if w.r.Source != nil {
		return count
	}
	for k := range count {
		was, is := gapBefore(w.prev, at+k), gapBefore(w.r.Body, i+k)
		if (was == nil) != (is == nil) || !bytes.Equal(was, is) {
			return k
		}
	}
	return count
}

// putPart stores bytes once, by hash.
func (s *Session) putPart(tx *bolt.Tx, b []byte) (int, error) {
	sum := sha256.Sum256(b)
	index := tx.Bucket(bPartIndex)
	if v := index.Get(sum[:16]); len(v) == 4 {
		return int(binary.BigEndian.Uint32(v)), nil
	}
	s.parts++
	parts := tx.Bucket(bParts)
	parts.FillPercent = fill
	if err := parts.Put(key(s.parts), s.codec.pack(b)); err != nil {
		return 0, err
	}
	return s.parts, index.Put(sum[:16], key(s.parts))
}

// Body reassembles a stored request: the same bytes that were sent.
func (s *Session) Body(n int) (body []byte, err error) {
	defer guard(&err)
	err = s.db.View(func(tx *bolt.Tx) error {
		head, end, refs, err := s.resolve(tx, n)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		b.Write(head)
		for i, r := range refs {
			if err := s.writeGap(tx, &b, r.gap, i); err != nil {
				return err
			}
			m, err := s.read(tx, r)
			if err != nil {
				return err
			}
			b.Write(m)
		}
		b.Write(end)
		body = b.Bytes()
		return nil
	})
	return body, err
}

func (s *Session) writeGap(tx *bolt.Tx, b *bytes.Buffer, gap, i int) error {
	if i == 0 {
		return nil
	}
	if gap == 0 {
		return b.WriteByte(',')
	}
	raw, err := s.part(tx, gap)
	b.Write(raw)
	return err
}

type recipe struct {
	base, head, end int
	pieces          []byte
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
	r := recipe{base: d.next(), head: d.next(), end: d.next()}
	r.pieces = d.b
	if d.bad || r.base >= n {
		return r, fmt.Errorf("%w (recipe %d)", ErrDamaged, n)
	}
	return r, nil
}

// resolve gives the pieces of a request: from its checkpoint forward, so that each message is read once.
func (s *Session) resolve(tx *bolt.Tx, n int) (head, end []byte, refs []ref, err error) {
	var chain []recipe
	for at := n; at > 0; {
		r, err := s.readRecipe(tx, at)
		if err != nil {
			return nil, nil, nil, err
		}
		chain = append(chain, r)
		at = r.base
	}
	for i := len(chain) - 1; i >= 0; i-- {
		if refs, err = chain[i].apply(refs); err != nil {
			return nil, nil, nil, err
		}
	}
	if head, err = s.part(tx, chain[0].head); err != nil {
		return nil, nil, nil, err
	}
	end, err = s.part(tx, chain[0].end)
	return head, end, refs, err
}

func (r recipe) apply(base []ref) ([]ref, error) {
	d := decoder{b: r.pieces}
	var out []ref
	gap := 0
	for len(d.b) > 0 && !d.bad {
		kind := int(d.b[0])
		d.b = d.b[1:]
		switch kind {
		case pieceCopy:
			from, count := d.next(), d.next()
			if from+count > len(base) {
				return nil, fmt.Errorf("%w (a copy beyond its base)", ErrDamaged)
			}
			if out == nil && from == 0 {
				out = base[:count:count]
			} else {
				out = append(out, base[from:from+count]...)
			}
		case pieceSealed:
			out = append(out, ref{kind, d.next(), d.next(), gap})
		case pieceEvent, piecePart:
			out = append(out, ref{kind: kind, a: d.next(), gap: gap})
		case pieceGap:
			gap = d.next()
		default:
			d.bad = true
		}
	}
	if d.bad {
		return nil, fmt.Errorf("%w (a recipe can't be read)", ErrDamaged)
	}
	return out, nil
}

func (s *Session) read(tx *bolt.Tx, r ref) ([]byte, error) {
	if r.kind == piecePart {
		return s.part(tx, r.a)
	}
	appended, err := s.payload(tx, r.a)
	if err != nil || r.kind == pieceEvent {
		return appended, err
	}
	seal, err := s.payload(tx, r.b)
	if err != nil {
		return nil, err
	}
	return transcript.SealedBytes(appended, seal), nil
}

func (s *Session) part(tx *bolt.Tx, id int) ([]byte, error) {
	return s.codec.unpack(tx.Bucket(bParts).Get(key(id)))
}

func (s *Session) payload(tx *bolt.Tx, event int) ([]byte, error) {
	raw, err := s.codec.unpack(tx.Bucket(bEvents).Get(key(event)))
	if err != nil {
		return nil, err
	}
	return transcript.PayloadOf(raw)
}

type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) next() int {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > 1<<31 {
		d.b, d.bad = nil, true
		return 0
	}
	d.b = d.b[n:]
	return int(v)
}
