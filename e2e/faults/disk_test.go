//go:build linux

package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/agent"
	"zimoscope/backend/store"
)

const (
	// sector is what a disk writes whole or not at all, in bytes.
	sector = 512
	// metas is where the pages end that say which state of the file counts: the first two, of 4096 bytes.
	metas = 2 * 4096
	// metaBytes is how much of such a page is used.
	metaBytes = 80
)

// snapshot is the file after a commit, and what was acknowledged by then.
type snapshot struct {
	file   []byte
	events [][]byte
	bodies [][]byte
	beside string // all that is known of the requests beside their bodies: facts, responses, the reply in hand
}

// filmed is a journal that keeps the file after every commit.
type filmed struct {
	*store.Session
	t     testing.TB
	path  string
	shots []snapshot
	facts map[int]string // what was given to keep, by request
	raw   map[int]string
}

func (f *filmed) Commit(b store.Batch) error {
	if len(f.shots) == 0 {
		f.shoot()
	}
	err := f.Session.Commit(b)
	if err == nil {
		f.note(b)
	}
	f.shoot()
	return err
}

// note keeps what a commit acknowledged, so that the store is not held against itself alone.
func (f *filmed) note(b store.Batch) {
	for _, fact := range b.Facts {
		f.facts[fact.N] = fmt.Sprintf("facts %d: %s %t %s\n", fact.N, fact.Verdict, fact.Violation, fact.Detail)
	}
	if b.Response != nil {
		f.raw[b.Response.N] = fmt.Sprintf("response %d: %q\n", b.Response.N, b.Response.Raw)
	}
}

func (f *filmed) shoot() {
	f.t.Helper()
	file, err := os.ReadFile(f.path)
	must(f.t, err)
	s := snapshot{file: file}
	s.read(f.t, f.Session)
	for _, list := range []map[int]string{f.facts, f.raw} {
		for _, want := range list {
			if !strings.Contains(s.beside, want) {
				f.t.Errorf("after commit %d this is not there: %s", len(f.shots), want)
			}
		}
	}
	f.shots = append(f.shots, s)
}

// read takes what a session holds.
func (s *snapshot) read(t testing.TB, sess *store.Session) {
	t.Helper()
	var err error
	s.events, err = sess.Events()
	must(t, err)
	for n := 1; n <= sess.Requests(); n++ {
		body, err := sess.Body(n)
		must(t, err)
		s.bodies = append(s.bodies, body)
		raw, err := sess.Response(n)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("response %d: %v", n, err)
		}
		s.beside += fmt.Sprintf("response %d: %q\n", n, raw)
	}
	facts, err := sess.AllFacts()
	must(t, err)
	for _, f := range facts {
		s.beside += fmt.Sprintf("facts %d: %s %t %s\n", f.N, f.Verdict, f.Violation, f.Detail)
	}
	reply, err := sess.Reply()
	must(t, err)
	s.beside += fmt.Sprintf("reply: %q\n", reply)
}

// film plays a session and gives the file after each commit.
func film(t *testing.T) []snapshot {
	t.Helper()
	dir := t.TempDir()
	st, err := store.New(dir)
	must(t, err)
	sess, err := st.Create(store.Info{Name: "filmed"})
	must(t, err)
	f := &filmed{Session: sess, t: t, path: filepath.Join(dir, sess.ID+".zimo"), facts: map[int]string{}, raw: map[int]string{}}
	s, err := agent.New(optionsOn(t, f, sess.ID))
	must(t, err)
	for range 3 {
		_, err = s.Prompt(context.Background(), "What is on the screen?", nil)
		must(t, err)
	}
	must(t, sess.Close())
	return f.shots
}

// crash is a state of the disk between two commits.
type crash struct {
	how    string
	file   []byte
	must   snapshot // all of it is there
	orelse snapshot // or all of this
}

// between makes a state that a power cut between two writes of a commit can leave: sectors of the new pages in any
// combination, and when all of them are there, a torn page of those that say what counts.
func between(r *rand.Rand, was, is snapshot) crash {
	c := crash{must: was, orelse: is}
	size := len(is.file)
	if r.IntN(3) == 0 {
		size = len(was.file) // it had not grown yet
	}
	c.file = make([]byte, size)
	copy(c.file, was.file)
	var changed []int
	for at := metas; at+sector <= size; at += sector {
		if !bytes.Equal(c.file[at:at+sector], is.file[at:at+sector]) {
			changed = append(changed, at)
		}
	}
	write := func(at int) { copy(c.file[at:at+sector], is.file[at:at+sector]) }
	switch kind := r.IntN(4); {
	case kind == 0:
		n := r.IntN(len(changed) + 1)
		c.how = fmt.Sprintf("the first %d of %d sectors", n, len(changed))
		for _, at := range changed[:n] {
			write(at)
		}
	case kind == 1 || size < len(is.file):
		c.how = fmt.Sprintf("any of %d sectors", len(changed))
		for _, at := range changed {
			if r.IntN(2) == 0 {
				write(at)
			}
		}
	default:
		for _, at := range changed {
			write(at)
		}
		page := 0
		if bytes.Equal(was.file[:metas/2], is.file[:metas/2]) {
			page = metas / 2
		}
		n := r.IntN(metaBytes + 1)
		c.how = fmt.Sprintf("all %d sectors, and %d bytes of the page at %d", len(changed), n, page)
		copy(c.file[page:page+n], is.file[page:page+n])
	}
	return c
}

// TestWhatAPowerCutLeavesOpensAndGoesOn: 1,000 kills are these and the real ones of the next test together.
func TestWhatAPowerCutLeavesOpensAndGoesOn(t *testing.T) {
	r := chance(t)
	shots := film(t)
	for round := range times(60, 800) {
		at := r.IntN(len(shots) - 1)
		c := between(r, shots[at], shots[at+1])
		if !survived(t, c) {
			t.Fatalf("round %d, after commit %d of %d: %s", round, at, len(shots), c.how)
		}
	}
}

func survived(t *testing.T, c crash) bool {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	must(t, err)
	defer func() { must(t, os.RemoveAll(dir)) }()
	const id = "crashed"
	must(t, os.WriteFile(filepath.Join(dir, id+".zimo"), c.file, 0o600))
	st, err := store.New(dir)
	must(t, err)
	sess, err := st.Open(id)
	if err != nil {
		t.Error(err)
		return false
	}
	defer func() { must(t, sess.Close()) }()
	holds(t, sess, c)
	var found snapshot
	found.read(t, sess)
	if found.beside != c.must.beside && found.beside != c.orelse.beside {
		t.Errorf("beside the bodies there is neither what was acknowledged nor what was being stored, but\n%s", found.beside)
	}
	goesOn(t, sess)
	holds(t, sess, crash{must: c.must, orelse: c.must})
	return !t.Failed()
}

// holds compares what is stored with what was acknowledged, byte for byte.
func holds(t *testing.T, sess *store.Session, c crash) {
	t.Helper()
	events, err := sess.Events()
	must(t, err)
	want := c.must
	if len(events) >= len(c.orelse.events) && sess.Requests() >= len(c.orelse.bodies) {
		want = c.orelse
	}
	if len(events) < len(want.events) || sess.Requests() < len(want.bodies) {
		t.Errorf("%d events and %d requests are there, %d and %d were acknowledged", len(events), sess.Requests(), len(want.events), len(want.bodies))
		return
	}
	for i, e := range want.events {
		if !bytes.Equal(e, events[i]) {
			t.Errorf("event %d was changed", i+1)
		}
	}
	for i, b := range want.bodies {
		if body, err := sess.Body(i + 1); err != nil || !bytes.Equal(b, body) {
			t.Errorf("request %d: %v, %d bytes, acknowledged %d", i+1, err, len(body), len(b))
		}
	}
}
