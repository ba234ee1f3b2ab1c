package store

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"zimoscope/backend/requestview/wire"
)

// doubled gives a message and n recipes of which each has the messages of the one before it twice.
func doubled(n int) [][]byte {
	list := [][]byte{numbers(0, 1, 2, piecePart, 4)}
	for k := 1; k <= n; k++ {
		size := uint64(1) << (k - 1)
		list = append(list, numbers(uint64(k), 1, 2, pieceCopy, 0, size, pieceCopy, 0, size))
	}
	return list
}

// A few hundred bytes can name the same message a million times.
func TestAFileMadeToExhaustMemoryIsRefused(t *testing.T) {
	s := crafted(t)
	s.maxBody = 4 << 20
	must(t, s.db.Update(func(tx *bolt.Tx) error {
		_, err := s.putPart(tx, []byte(`"`+strings.Repeat("x", 64<<10)+`"`))
		return err
	}))
	long := [][]byte{numbers(0, 1, 2, pieceEvent, 2)}
	for k := 1; k <= maxChain; k++ {
		long = append(long, numbers(uint64(k), 1, 2, pieceCopy, 0, 1))
	}
	for _, c := range []struct {
		name, want string
		recipes    [][]byte
	}{
		{"too many messages", "more messages than a recipe can", doubled(21)},
		{"too many bytes", "larger than 4 MiB", doubled(15)},
		{"too many recipes", "goes on from too many others", long},
		{"a copy of nothing", "a recipe can't be read", [][]byte{numbers(0, 1, 2, pieceCopy, 0, 0)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := numbers(0, 1, 2)
			for range 100 {
				own = append(own, numbers(piecePart, 4)...)
			}
			s.putRecipes(t, append(c.recipes, own))
			_, err := s.Body(len(c.recipes))
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v", err)
			}
			if c.name == "too many bytes" {
				if _, _, err := s.Fresh(Mark{Request: len(c.recipes)}); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("what is new in it: %v", err)
				}
			}
			if _, err := s.Body(len(c.recipes) - 1); len(c.recipes) == len(long) && err != nil {
				t.Fatalf("the longest chain that is written can't be read: %v", err)
			}
		})
	}
}

// What another program sends can have more messages than a recipe; its bytes come back all the same.
func TestABodyOfVeryManyMessagesIsKept(t *testing.T) {
	raw := []byte(`{"messages":[` + strings.Repeat(`{},`, maxMessages) + `{}]}`)
	b, err := wire.Scan(raw)
	must(t, err)
	st, err := New(t.TempDir())
	must(t, err)
	s, err := st.Create(Info{Name: "many"})
	must(t, err)
	small, err := wire.Scan([]byte(`{"messages":[{}]}`))
	must(t, err)
	must(t, s.Commit(Batch{Request: &Request{N: 1, Body: b}}))
	must(t, s.Commit(Batch{Request: &Request{N: 2, Body: small, Base: 1, BaseBody: b}}))
	must(t, s.Commit(Batch{Request: &Request{N: 3, Body: small}}))
	for n, want := range [][]byte{raw, small.Raw, small.Raw} {
		if got, err := s.Body(n + 1); err != nil || !bytes.Equal(got, want) {
			t.Errorf("request %d came back as %d bytes of %d (%v)", n+1, len(got), len(want), err)
		}
	}
	must(t, s.Close())
}

// A commit that ends in the middle counts nothing, whatever ended it.
func TestACommitThatPanicsCountsNothing(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	must(t, p.tr.AppendUser("go", nil))
	must(t, p.request())
	must(t, p.sess.Commit(Batch{Reply: []byte("{}"), Response: &Response{N: 1, Raw: []byte("one")}, Facts: []Facts{{N: 1, Verdict: "sealed"}}}))
	must(t, p.tr.AppendUser("on", nil))
	events := p.tr.Drain()
	body, err := wire.Scan(append(bytes.TrimSuffix(p.bodies[0], []byte("}")), `,"x":1}`...))
	must(t, err)
	broken := func(int) (int, int) { panic("no source") }
	changed, err := wire.Scan([]byte(`{"messages":[1,2]}`))
	must(t, err)
	if err := p.sess.Commit(Batch{Events: events, Done: true, Request: &Request{N: 2, Body: changed, Source: broken}}); !errors.Is(err, ErrDamaged) {
		t.Fatal(err)
	}
	expectFacts(t, p.sess, 1, "sealed", "one")
	must(t, p.sess.Commit(Batch{Events: events, Done: true, Request: &Request{N: 2, Body: body, Source: p.tr.Events}}))
	if n := waiting(t, p.sess); n != 0 {
		t.Errorf("%d values were forgotten where they waited", n)
	}
	must(t, p.sess.Commit(Batch{Facts: []Facts{{N: 1, Verdict: "extended"}}}))
	if f, err := p.sess.Facts(1); err != nil || f.Verdict != "extended" {
		t.Errorf("%+v, %v: what waited hides what came later", f, err)
	}
	list, err := p.sess.Events()
	must(t, err)
	p.bodies = append(p.bodies, body.Raw)
	must(t, p.reopen(st))
	again, err := p.sess.Events()
	must(t, err)
	if len(list) != len(again) || p.sess.events != len(again) {
		t.Errorf("%d events are counted, %d are there", p.sess.events, len(again))
	}
	must(t, p.verify())
	must(t, p.sess.Close())
}
