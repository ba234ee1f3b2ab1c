package store

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
	"pgregory.net/rapid"

	"zimoscope/backend/requestview/wire"
)

// slowly resolves a request as the form of a recipe says: from its checkpoint forward, every list of messages whole.
func (s *Session) slowly(tx *bolt.Tx, n int) ([]ref, error) {
	r, err := s.readRecipe(tx, n)
	if err != nil {
		return nil, err
	}
	var base, out []ref
	if r.base > 0 {
		if base, err = s.slowly(tx, r.base); err != nil {
			return nil, err
		}
	}
	for _, p := range r.pieces {
		switch {
		case p.kind != pieceCopy:
			out = append(out, p.ref)
		case int(p.a+p.count) > len(base):
			return nil, errBeyond
		default:
			out = append(out, base[p.a:p.a+p.count]...)
		}
	}
	return out, nil
}

// holdScans reads requests in any order, each beside some that were read before, and holds them to what a look at the
// whole bytes gives, and their plans to the slow way.
func holdScans(t *rapid.T, s *Session) {
	var had []*Scanned
	for range rapid.IntRange(1, 12).Draw(t, "reads") {
		n := rapid.IntRange(1, s.Requests()).Draw(t, "n")
		raw, err := s.Body(n)
		must(t, err)
		var near []*Scanned
		for _, x := range had {
			if rapid.Bool().Draw(t, "near") {
				near = append(near, x)
			}
		}
		got, err := s.Scan(n, near...)
		want, wantErr := wire.Scan(raw)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("request %d: %v, not %v", n, err, wantErr)
		}
		if err != nil {
			continue
		}
		if !bytes.Equal(got.Body.Raw, raw) || !reflect.DeepEqual(got.Body, want) {
			t.Fatalf("request %d is not what its bytes are:\n%+v\n%+v", n, got.Body, want)
		}
		had = append(had, got)
		must(t, s.db.View(func(tx *bolt.Tx) error {
			slow, err := s.slowly(tx, n)
			if err != nil || len(slow) != len(got.plan.refs) || len(slow) > 0 && !reflect.DeepEqual(slow, got.plan.refs) {
				t.Fatalf("request %d is planned as %v, not %v (%v)", n, got.plan.refs, slow, err)
			}
			return nil
		}))
	}
}

func TestScansBesideOthersAreWhatTheBytesAre(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		p := beginAny(rt, dir)
		defer func() { must(rt, p.sess.Close()) }()
		p.goOn(rt, 20, nil)
		holdScans(rt, p.sess)
	})
}

func TestScansOfForeignBodiesBesideOthersAreWhatTheBytesAre(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		st, err := New(dir)
		must(t, err)
		s, err := st.Create(Info{Name: "foreign"})
		must(t, err)
		defer func() { must(t, s.Close()) }()
		storeForeign(t, s)
		holdScans(t, s)
	})
}

// storeForeign stores bodies of others, each going on from any before it.
func storeForeign(t *rapid.T, s *Session) []*Request {
	gaps := []string{",", ", ", ",\n  ", " ,"}
	var bodies []*wire.Body
	var batch Batch
	for k := 1; k <= rapid.IntRange(1, 12).Draw(t, "requests"); k++ {
		raw := foreignBody(t, gaps)
		r := &Request{N: k}
		if b, err := wire.Scan(raw); err == nil {
			r.Body = b
		} else {
			r.Raw = raw
		}
		bodies = append(bodies, r.Body)
		if back := rapid.IntRange(0, k-1).Draw(t, "base"); back > 0 && bodies[back-1] != nil {
			r.Base, r.BaseBody = back, bodies[back-1]
		}
		batch.Requests = append(batch.Requests, r)
	}
	must(t, s.Commit(batch))
	return batch.Requests
}

// A long session whose last messages change all the time: what is read anew is told from what is taken over, also where
// many messages are.
func TestScansOfLongBodiesTakeOverWhatIsTheSame(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	s, err := st.Create(Info{Name: "long"})
	must(t, err)
	defer func() { must(t, s.Close()) }()
	body := func(from, n int, model string) *wire.Body {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"role":"user","content":"message %d"}`, from+i))
		}
		b, err := wire.Scan([]byte(`{"model":"` + model + `","messages":[` + strings.Join(list, ",") + `]}`))
		must(t, err)
		return b
	}
	const many = 3 * readShare
	bodies := []*wire.Body{body(0, many, "m"), body(0, 2*many, "m"), body(many, 2*many, "m"), body(0, 2*many, "n")}
	for i, b := range bodies {
		must(t, s.Commit(Batch{Request: &Request{N: i + 1, Body: b}}))
	}
	var had []*Scanned
	for _, n := range []int{2, 1, 3, 4, 2} {
		x, err := s.Scan(n, had...)
		must(t, err)
		want, err := wire.Scan(bodies[n-1].Raw)
		must(t, err)
		if !reflect.DeepEqual(x.Body, want) {
			t.Fatalf("request %d is not what its bytes are", n)
		}
		had = append(had, x)
	}
	a, err := s.gather(1, had[:1])
	must(t, err)
	for i := range a.messages {
		if a.messages[i].raw != nil {
			t.Fatalf("message %d was read, although it stands in a body that was read before", i)
		}
	}
}

// A file made to mislead: its recipe says more than its base has, or its message is two.
func TestScanRefusesOrLooksAtWhatDoesNotFit(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	s, err := st.Create(Info{Name: "odd"})
	must(t, err)
	defer func() { must(t, s.Close()) }()
	b, err := wire.Scan([]byte(`{"messages":[{"a":1},{"b":2}]}`))
	must(t, err)
	must(t, s.Commit(Batch{Request: &Request{N: 1, Body: b}}))
	put := func(n int, recipe ...byte) {
		must(t, s.db.Update(func(tx *bolt.Tx) error {
			return tx.Bucket(bRequests).Put(key(n), append([]byte{asIs}, recipe...))
		}))
	}
	must(t, s.db.Update(func(tx *bolt.Tx) error {
		return tx.Bucket(bParts).Put(key(9), append([]byte{asIs}, `{"a":1},{"b":2}`...))
	}))
	first, err := s.Scan(1)
	must(t, err)
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x07}
	for name, recipe := range map[string][]byte{
		"beyond its base":   {1, 1, 2, pieceCopy, 1, 2},
		"without a base":    {0, 1, 2, pieceCopy, 0, 1},
		"more than can be":  append([]byte{1, 1, 2, pieceCopy, 0}, huge...),
		"from nowhere":      append(append([]byte{1, 1, 2, pieceCopy}, huge...), 1),
		"an unknown piece":  {1, 1, 2, 99},
		"a missing message": {0, 1, 2, piecePart, 77},
		"its own base":      {2, 1, 2, pieceCopy, 0, 1},
	} {
		put(2, recipe...)
		if _, err := s.Scan(2, first); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	put(2, 0, 1, 2, piecePart, 9) // one part that is two messages
	x, err := s.Scan(2, first)
	if err != nil || x.Body.Messages.Len() != 2 || x.Body.Last() != b.Last() {
		t.Fatalf("two messages in one part: %v", err)
	}
	put(2, 1, 1, 2, pieceCopy, 0, 2, piecePart, 9) // beside it, messages are not counted by pieces
	y, err := s.Scan(2, x)
	if err != nil || y.Body.Messages.Len() != 4 {
		t.Fatalf("two messages and a part that is two: %v", err)
	}
}
