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
	Source   func(i int) (appended, seal int)
	Carriers int // how many messages at the end hold request-only bytes, so that Source does not speak for them
}

// Pieces of a recipe. A recipe is: base request (0 for a checkpoint), head part, end part, then pieces until its end;
// all numbers are varints.
const (
	pieceCopy   = iota // from, count: messages of the base
	pieceEvent         // event: its payload
	pieceSealed        // event, seal: a sealed record
	piecePart          // part
)

// ref is where the bytes of one message lie.
type ref struct{ kind, a, b int }

func (s *Session) putRequest(tx *bolt.Tx, r *Request) error {
	if r.N != s.requests+1 {
		return fmt.Errorf("request %d can't follow request %d", r.N, s.requests)
	}
	base := s.prevN
	if s.prev == nil || (r.N-1)%checkpointEvery == 0 {
		base = 0
	}
	out := binary.AppendUvarint(nil, uint64(base))
	from, to := r.Body.Messages.At, len(r.Body.Raw)-2
	if r.Body.Messages.Len() == 0 {
		to = from
	} else if _, end := r.Body.Range(wire.KindMessage, r.Body.Messages.Len()-1); end != to {
		return fmt.Errorf("request %d is not in wire form", r.N)
	}
	for _, piece := range [][]byte{r.Body.Raw[:from], r.Body.Raw[to:]} {
		id, err := s.putPart(tx, piece)
		if err != nil {
			return err
		}
		out = binary.AppendUvarint(out, uint64(id))
	}
	out, err := s.pieces(tx, r, base, out)
	if err != nil {
		return err
	}
	b := tx.Bucket(bRequests)
	b.FillPercent = fill
	if err := b.Put(key(r.N), s.codec.pack(out)); err != nil {
		return err
	}
	s.requests, s.prev, s.prevN = r.N, r.Body, r.N
	return nil
}

// pieces writes what stands equal in the base as ranges, the rest by reference or as new parts.
func (s *Session) pieces(tx *bolt.Tx, r *Request, base int, out []byte) ([]byte, error) {
	n := r.Body.Messages.Len()
	for i := 0; i < n; {
		if base > 0 {
			if at, count := s.sameRun(r.Body, i); count > 0 {
				out = binary.AppendUvarint(append(out, pieceCopy), uint64(at))
				out = binary.AppendUvarint(out, uint64(count))
				i += count
				continue
			}
		}
		appended, seal := 0, 0
		if i < n-r.Carriers {
			appended, seal = r.Source(i)
		}
		switch {
		case appended > 0 && seal > 0:
			out = binary.AppendUvarint(append(out, pieceSealed), uint64(appended))
			out = binary.AppendUvarint(out, uint64(seal))
		case appended > 0:
			out = binary.AppendUvarint(append(out, pieceEvent), uint64(appended))
		default:
			id, err := s.putPart(tx, r.Body.Bytes(wire.KindMessage, i))
			if err != nil {
				return nil, err
			}
			out = binary.AppendUvarint(append(out, piecePart), uint64(id))
		}
		i++
	}
	return out, nil
}

// sameRun finds the messages of the stored predecessor that stand, in the same order, at i of the new body. At the
// start one link comparison by halves finds the whole run; after a window move it looks for where the run goes on.
func (s *Session) sameRun(b *wire.Body, i int) (at, count int) {
	prev, next := &s.prev.Messages, &b.Messages
	if i == 0 {
		return 0, wire.SharedMessages(s.prev, b)
	}
	for at = i; at < prev.Len(); at++ {
		if prev.Part(at).Leaf == next.Part(i).Leaf {
			for at+count < prev.Len() && i+count < next.Len() && prev.Part(at+count).Leaf == next.Part(i+count).Leaf {
				count++
			}
			return at, count
		}
	}
	return 0, 0
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
			if i > 0 {
				b.WriteByte(',')
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
			out = append(out, ref{kind, d.next(), d.next()})
		case pieceEvent, piecePart:
			out = append(out, ref{kind: kind, a: d.next()})
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
	e, err := transcript.DecodeEvent(raw)
	return e.Payload, err
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
