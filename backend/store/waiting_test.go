package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// books is what a session must say of its requests, whatever became of its file meanwhile.
type books struct {
	st        *Store
	p         *play
	verdicts  map[int]string
	responses map[int]string
}

func (b *books) hold(t *rapid.T, s *Session) {
	t.Helper()
	all, err := s.AllFacts()
	must(t, err)
	if len(all) != len(b.verdicts) {
		t.Fatalf("facts of %d requests, want %d", len(all), len(b.verdicts))
	}
	counts := map[string]int{}
	for i, f := range all {
		one, err := s.Facts(f.N)
		must(t, err)
		if f.N != i+1 || f.Verdict != b.verdicts[f.N] || one.Verdict != f.Verdict {
			t.Fatalf("facts %d: %+v and %+v, want %s", i+1, f, one, b.verdicts[i+1])
		}
		counts[f.Verdict]++
	}
	if got := s.Summary().Verdicts; fmt.Sprint(got) != fmt.Sprint(counts) {
		t.Fatalf("the list counts %v, want %v", got, counts)
	}
	for n := range b.verdicts {
		raw, err := s.Response(n)
		want, ok := b.responses[n]
		if ok && (err != nil || string(raw) != want) || !ok && !errors.Is(err, ErrNotFound) {
			t.Fatalf("response %d: %d bytes (%v), want %d", n, len(raw), err, len(want))
		}
	}
}

// batch changes facts and responses of any requests, sometimes beside a reply.
func (b *books) batch(t *rapid.T, fails bool) {
	var batch Batch
	n := rapid.IntRange(1, len(b.verdicts)).Draw(t, "n")
	verdict := rapid.SampledFrom([]string{"first", "sealed", "rewritten"}).Draw(t, "verdict")
	raw := rapid.StringN(0, 40, -1).Draw(t, "response")
	if rapid.IntRange(0, 5).Draw(t, "long") == 0 {
		noise := rapid.SliceOfN(rapid.Byte(), 64, 64).Draw(t, "noise")
		for len(raw) < 2*lateLimit { // it hardly shrinks
			raw += string(noise) + fmt.Sprint(len(raw)*7919)
		}
	}
	batch.Facts = []Facts{{N: n, Verdict: verdict, Detail: json.RawMessage(fmt.Sprintf("%q", verdict))}}
	if rapid.Bool().Draw(t, "reply") {
		batch.Reply, batch.Response = []byte("{}"), &Response{N: n, Raw: []byte(raw)}
	}
	if fails {
		batch.Facts = append(batch.Facts, Facts{N: n, Detail: json.RawMessage("{")})
		if b.p.sess.Commit(batch) == nil {
			t.Fatal("facts that are no JSON were stored")
		}
		return
	}
	must(t, b.p.sess.Commit(batch))
	b.verdicts[n] = verdict
	if batch.Response != nil {
		b.responses[n] = raw
	}
}

func (b *books) reopened(t *rapid.T) {
	s, err := b.st.Open(b.p.sess.ID)
	must(t, err)
	s.db.NoSync = true
	b.p.sess = s
}

func (b *books) steps() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"request": func(t *rapid.T) {
			must(t, b.p.tr.AppendUser("go", nil))
			must(t, b.p.request())
			b.verdicts[b.p.sess.Requests()] = "extended"
		},
		"batch": func(t *rapid.T) { b.batch(t, false) },
		"fails": func(t *rapid.T) { b.batch(t, true) },
		"done":  func(t *rapid.T) { must(t, b.p.sess.Commit(Batch{Done: true})) },
		"compact": func(t *rapid.T) {
			_, _, err := b.p.sess.Compact()
			must(t, err)
		},
		"reopen": func(t *rapid.T) {
			must(t, b.p.sess.Close())
			b.reopened(t)
		},
		"read": func(t *rapid.T) { // as another program does, before it is opened again
			must(t, b.p.sess.Close())
			s, err := b.st.Read(b.p.sess.ID)
			must(t, err)
			b.hold(t, s)
			if err := s.Commit(Batch{Done: true}); !errors.Is(err, ErrReading) {
				t.Fatal(err)
			}
			must(t, s.Close())
			b.reopened(t)
		},
		"trash": func(t *rapid.T) {
			must(t, b.p.sess.Close())
			must(t, b.st.Discard(b.p.sess.ID))
			must(t, b.st.Restore(b.p.sess.ID))
			b.reopened(t)
		},
		"": func(t *rapid.T) { b.hold(t, b.p.sess) },
	}
}

// What waits beside a reply is the same from outside, whatever happens before it is moved.
func TestFactsAndResponsesOutlastAnythingInAnyOrder(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		st, err := New(dir)
		must(rt, err)
		b := &books{st: st, p: begin(rt, st, 0), verdicts: map[int]string{}, responses: map[int]string{}}
		b.p.sess.db.NoSync = true // no power is cut here
		b.steps()["request"](rt)
		rt.Repeat(b.steps())
		must(rt, b.p.verify())
		must(rt, b.p.sess.Close())
	})
}
