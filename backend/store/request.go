package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"zimoscope/backend/requestview/wire"
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

var comma = []byte{','}

func (s *Session) putRequest(tx *bolt.Tx, r *Request) error {
	if r.N != s.requests+1 {
		return fmt.Errorf("request %d can't follow request %d", r.N, s.requests)
	}
	if r.Body != nil && r.Body.Messages.Len() > maxMessages {
		r = &Request{N: r.N, Raw: r.Body.Raw}
	}
	base, prev := s.prevN, s.prev
	if r.Base > 0 {
		base, prev = r.Base, r.BaseBody
	}
	if prev == nil || r.Body == nil || prev.Messages.Len() > maxMessages || (r.N-1)/checkpointEvery != (base-1)/checkpointEvery {
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
