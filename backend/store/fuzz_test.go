package store

import (
	"encoding/binary"
	"errors"
	"testing"

	bolt "go.etcd.io/bbolt"

	"zimoscope/backend/transcript"
)

// crafted is a session with three events and three parts, into which recipes of any bytes are put.
func crafted(t testing.TB) *Session {
	t.Helper()
	st, err := New(t.TempDir())
	must(t, err)
	s, err := st.Create(Info{Name: "crafted"})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	s.db.NoSync = true // nothing of it is to last
	tr, err := transcript.New(header(0))
	must(t, err)
	must(t, tr.AppendUser("go", nil))
	must(t, s.Commit(Batch{Events: tr.Drain()}))
	must(t, s.db.Update(func(tx *bolt.Tx) error {
		for _, part := range []string{`{"messages":[`, `]}`, ", "} {
			if _, err := s.putPart(tx, []byte(part)); err != nil {
				return err
			}
		}
		return nil
	}))
	return s
}

// put replaces all recipes.
func (s *Session) putRecipes(t testing.TB, list [][]byte) {
	t.Helper()
	must(t, s.db.Update(func(tx *bolt.Tx) error {
		if err := tx.DeleteBucket(bRequests); err != nil {
			return err
		}
		b, err := tx.CreateBucket(bRequests)
		for i, r := range list {
			if err == nil {
				err = b.Put(key(i+1), s.codec.pack(r))
			}
		}
		return err
	}))
	s.requests = len(list)
}

func numbers(list ...uint64) (out []byte) {
	for _, n := range list {
		out = binary.AppendUvarint(out, n)
	}
	return out
}

// FuzzAnyRecipeIsReadOrRefused: the recipes of a file that someone made give a request, or an error that says so.
func FuzzAnyRecipeIsReadOrRefused(f *testing.F) {
	const cut = 0xff // between two recipes
	whole := numbers(0, 1, 2, pieceEvent, 2, pieceGap, 3, pieceEvent, 2, piecePart, 1)
	f.Add(whole)
	f.Add(append(append(whole, cut), numbers(1, 1, 2, pieceCopy, 1, 2, pieceSealed, 2, 2, pieceCopy, 0, 3)...))
	f.Add(append(append(whole, cut), numbers(1, 1, 2, pieceCopy, 2, 9)...))
	f.Add(append(append(whole, cut), numbers(2, 1, 2, pieceCopy, 0, 1)...))
	f.Add(numbers(0, 1, 2, pieceCopy, 0, 0))
	f.Add(numbers(0, 1, 2, pieceCopy, 1<<31-1, 1<<31-1))
	f.Add(numbers(0, 9, 9, 7))
	s := crafted(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		var list [][]byte
		from := 0
		for i, b := range raw {
			if b == cut {
				list, from = append(list, raw[from:i]), i+1
			}
		}
		s.putRecipes(t, append(list, raw[from:]))
		var had []*Scanned
		mark, known := Mark{}, true
		for n := 1; n <= s.requests; n++ {
			body, err := s.Body(n)
			x, scanErr := s.Scan(n, had...)
			if err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatalf("recipe %d: %v", n, err)
			}
			if err != nil != errors.Is(scanErr, ErrDamaged) {
				t.Fatalf("recipe %d: %v, looked at in parts: %v", n, err, scanErr)
			}
			if scanErr == nil {
				if string(x.Body.Raw) != string(body) {
					t.Fatalf("recipe %d is %q, looked at in parts %q", n, body, x.Body.Raw)
				}
				had = append(had, x)
			}
			if known {
				_, mark, err = s.Fresh(mark)
				known = err == nil
			}
		}
	})
}
