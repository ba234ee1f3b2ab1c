package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
	"pgregory.net/rapid"
)

// expectFacts reads request n in both ways, and its response.
func expectFacts(t *testing.T, s *Session, n int, verdict, response string) {
	t.Helper()
	f, err := s.Facts(n)
	must(t, err)
	all, err := s.AllFacts()
	must(t, err)
	if len(all) != n || f.Verdict != verdict || all[n-1].Verdict != verdict || all[n-1].N != n || string(all[n-1].Detail) != string(f.Detail) {
		t.Fatalf("facts of request %d: %+v and %+v, want %s", n, f, all, verdict)
	}
	raw, err := s.Response(n)
	must(t, err)
	if string(raw) != response {
		t.Fatalf("response of request %d: %d bytes, want %d", n, len(raw), len(response))
	}
}

func waiting(t *testing.T, s *Session) (n int) {
	t.Helper()
	must(t, s.db.View(func(tx *bolt.Tx) error {
		return eachLate(tx, func(_, _, _ []byte) error { n++; return nil })
	}))
	return n
}

func TestWhatComesWithAReplyIsReadWhereverItIsKept(t *testing.T) {
	for _, c := range []struct {
		name string
		raw  string
		wait int
	}{
		{"short", "data: hello\n\n", 2},
		{"long", "data: " + strings.Repeat("x\x00\x07y", lateLimit), 2}, // compresses well
	} {
		t.Run(c.name, func(t *testing.T) {
			st, err := New(t.TempDir())
			must(t, err)
			p := begin(t, st, 0)
			must(t, p.tr.AppendUser("go", nil))
			must(t, p.request())
			must(t, p.sess.Commit(Batch{Reply: []byte("{}"), Response: &Response{N: 1, Raw: []byte(c.raw)}, Facts: []Facts{{N: 1, Verdict: "sealed", Detail: json.RawMessage(`{"u":1}`)}}}))
			if got := waiting(t, p.sess); got != c.wait {
				t.Fatalf("%d values wait, want %d", got, c.wait)
			}
			expectFacts(t, p.sess, 1, "sealed", c.raw)
			p.sess = again(t, st, p.sess)
			expectFacts(t, p.sess, 1, "sealed", c.raw)
			if got := p.sess.Summary().Verdicts["sealed"]; got != 1 {
				t.Fatalf("%d sealed after opening, want 1", got)
			}
			must(t, p.sess.Commit(Batch{Done: true}))
			if got := waiting(t, p.sess); got != 0 {
				t.Fatalf("%d values still wait after the step was stored", got)
			}
			expectFacts(t, p.sess, 1, "sealed", c.raw)
			p.sess = again(t, st, p.sess)
			expectFacts(t, p.sess, 1, "sealed", c.raw)
			must(t, p.sess.Close())
		})
	}
}

func again(t *testing.T, st *Store, s *Session) *Session {
	t.Helper()
	must(t, s.Close())
	next, err := st.Open(s.ID)
	must(t, err)
	return next
}

func TestALargeResponseIsWrittenOnce(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	must(t, p.tr.AppendUser("go", nil))
	must(t, p.request())
	noise := make([]byte, 2*lateLimit)
	seed := uint32(1)
	for i := range noise {
		seed = seed*1664525 + 1013904223
		noise[i] = byte(seed >> 24)
	}
	must(t, p.sess.Commit(Batch{Reply: []byte("{}"), Response: &Response{N: 1, Raw: noise}, Facts: []Facts{{N: 1, Verdict: "first"}}}))
	if got := waiting(t, p.sess); got != 1 {
		t.Fatalf("%d values wait, want the facts alone", got)
	}
	expectFacts(t, p.sess, 1, "first", string(noise))
	must(t, p.sess.Close())
}

func TestACommitThatFailsCountsNothing(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	must(t, p.tr.AppendUser("go", nil))
	must(t, p.request())
	err = p.sess.Commit(Batch{Reply: []byte("{}"), Facts: []Facts{{N: 1, Verdict: "rewritten", Violation: true}, {N: 2, Verdict: "rewritten", Detail: json.RawMessage("{")}}})
	if err == nil {
		t.Fatal("facts that are no JSON were stored")
	}
	if m := p.sess.Summary(); m.Violations != 0 || m.Verdicts["rewritten"] != 0 || m.Verdicts["extended"] != 1 {
		t.Fatalf("after a failed commit the list counts %+v", m)
	}
	if _, err := p.sess.Response(1); !errors.Is(err, ErrNotFound) {
		t.Fatalf("a response that was never stored: %v", err)
	}
	must(t, p.sess.Commit(Batch{Done: true}))
	if f, err := p.sess.Facts(1); err != nil || f.Verdict != "extended" {
		t.Fatalf("after a failed commit the facts are %+v, %v", f, err)
	}
	must(t, p.sess.Close())
}

func TestFactsAreWrittenAsJSONReadsThem(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := Facts{Verdict: rapid.String().Draw(r, "verdict"), Violation: rapid.Bool().Draw(r, "violation")}
		if rapid.Bool().Draw(r, "detailed") {
			f.Detail, _ = json.Marshal(map[string]any{"text": rapid.String().Draw(r, "text"), "n": rapid.Int().Draw(r, "n")})
		}
		raw, err := f.encode()
		if err != nil {
			r.Fatal(err)
		}
		var back Facts
		if err := json.Unmarshal(raw, &back); err != nil {
			r.Fatalf("%s: %v", raw, err)
		}
		if fmt.Sprint(back) != fmt.Sprint(f) {
			r.Fatalf("%+v became %+v", f, back)
		}
	})
}

func TestAFileOfAnOlderFormatGetsThisOneWithItsNextCommit(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	must(t, p.sess.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bMeta).Put(kFormat, key(format-1)) }))
	p.sess = again(t, st, p.sess)
	says := func() (n []byte) {
		must(t, p.sess.db.View(func(tx *bolt.Tx) error { n = append(n, tx.Bucket(bMeta).Get(kFormat)...); return nil }))
		return n
	}
	if got := says(); string(got) != string(key(format-1)) {
		t.Fatalf("opening alone wrote %v", got)
	}
	must(t, p.tr.AppendUser("go", nil))
	must(t, p.request())
	if got := says(); string(got) != string(key(format)) {
		t.Fatalf("after a commit the file says %v", got)
	}
	must(t, p.sess.Close())
}
