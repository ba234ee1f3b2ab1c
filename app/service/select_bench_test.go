package service

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

const (
	// longSession names a folder with one long session, such as make bench-ui writes; without it a short one is made.
	longSession = "ZIMOSCOPE_LONG_SESSION"
	// shortRequests is how many requests that has, each with addedMessages more than the one before.
	shortRequests, addedMessages = 300, 5
	// jump is from one chosen request to the next: none is beside one that was read.
	jump = 11
)

// BenchmarkAnyRequest chooses requests that are beside none that was read, as a person does who clicks anywhere.
func BenchmarkAnyRequest(b *testing.B) {
	s, n := opened(b)
	first := max(2, n-100*jump)
	for i := 0; b.Loop(); i++ {
		k := n - i*jump%(n-first+1)
		if _, err := s.Request(api.RequestRef{N: k}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAnyDiff compares each such request with its predecessor.
func BenchmarkAnyDiff(b *testing.B) {
	s, n := opened(b)
	first := max(2, n-100*jump)
	for i := 0; b.Loop(); i++ {
		k := n - i*jump%(n-first+1)
		if _, err := s.Diff(api.RequestRef{N: k - 1}, api.RequestRef{N: k}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens the session, up to its whole timeline as the window gets it.
func BenchmarkOpen(b *testing.B) {
	s, _ := opened(b)
	id := s.book.sess.ID
	for b.Loop() {
		b.StopTimer()
		if err := s.closeCurrent(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := s.Open(id); err != nil {
			b.Fatal(err)
		}
		t, err := s.TimelineSince(id, 0)
		if err != nil {
			b.Fatal(err)
		}
		text, err := json.Marshal(t)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(text)), "timeline-bytes")
	}
}

// opened gives a service with the long session open and its last request looked at.
func opened(b *testing.B) (*Service, int) {
	b.Helper()
	dir := b.TempDir()
	if from := os.Getenv(longSession); from != "" {
		copied(b, from, dir)
	} else {
		short(b, dir)
	}
	st, err := store.New(dir)
	if err != nil {
		b.Fatal(err)
	}
	hub := bridge.NewHub()
	s := New(Options{Store: st, Events: hub})
	b.Cleanup(func() {
		hub.Close()
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	list, err := st.List()
	if err != nil || len(list) == 0 {
		b.Fatal("there is no session", err)
	}
	if _, err := s.Open(list[0].ID); err != nil {
		b.Fatal(err)
	}
	if s.book.sight == nil { // another agent's session goes on being predicted for as long as it is open
		s.book.users.Wait() // the last request is judged
	}
	return s, list[0].Requests
}

// copied brings the session's files, so that one that is open elsewhere can be read.
func copied(b *testing.B, from, to string) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(from, "*"))
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range files {
		in, err := os.Open(f)
		if err != nil {
			b.Fatal(err)
		}
		out, err := os.Create(filepath.Join(to, filepath.Base(f)))
		if err == nil {
			_, err = io.Copy(out, in)
		}
		if err != nil || out.Close() != nil || in.Close() != nil {
			b.Fatal("the session can't be copied", err)
		}
	}
}

// short writes a session whose requests only grow.
func short(b *testing.B, dir string) {
	b.Helper()
	st, err := store.New(dir)
	if err != nil {
		b.Fatal(err)
	}
	sess, err := st.Create(store.Info{Name: "Short", Foreign: "import"})
	if err != nil {
		b.Fatal(err)
	}
	list := []string{`{"role":"system","content":"Be brief."}`}
	var before *verdict.Request
	for n := 1; n <= shortRequests; n++ {
		for range addedMessages {
			list = append(list, fmt.Sprintf(`{"role":"user","content":"Message %d, of as many words as it needs to be told from the others."}`, len(list)))
		}
		body, err := wire.Scan([]byte(`{"model":"m","messages":[` + strings.Join(list, ",") + `]}`))
		if err != nil {
			b.Fatal(err)
		}
		rec := &record.Record{N: n, Foreign: &record.Foreign{Source: "import"}, Status: record.StatusDone, Meta: verdict.Meta{Predecessor: n - 1}}
		next := rec.Request(body)
		rec.Verdict = verdict.Compare(before, next)
		if err := sess.Commit(store.Batch{Request: &store.Request{N: n, Body: body}, Facts: []store.Facts{rec.Facts()}}); err != nil {
			b.Fatal(err)
		}
		before = next
	}
	if err := sess.Close(); err != nil {
		b.Fatal(err)
	}
}
