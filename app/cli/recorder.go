package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"zimoscope/backend/agent"
	"zimoscope/backend/capture"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"

	"crypto/sha256"
)

// recorder writes a capture: the exact bytes of each attempt with what was known of it, and the session at the end.
type recorder struct {
	mu     sync.Mutex
	dir    string
	n      int
	number map[int]int // request of the session -> number of its last attempt in the capture
	err    error
}

// newRecorder makes the folder; an empty name records nothing. A folder that already holds a capture is refused, so
// that two runs never mix.
func newRecorder(dir string) (*recorder, error) {
	r := &recorder{dir: dir, number: map[int]int{}}
	if dir == "" {
		return r, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the capture folder can't be made: %w", err)
	}
	old, err := filepath.Glob(filepath.Join(dir, "req-*.body.json"))
	if err != nil {
		return nil, err
	}
	if len(old) > 0 {
		return nil, fmt.Errorf("%s already holds a capture of %d requests: name another folder, so that the two don't mix", dir, len(old))
	}
	return r, nil
}

func (r *recorder) event(e agent.Event) {
	if r.dir == "" || e.Kind != agent.EventAttempt || e.Record == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	m := e.Record.Meta
	m.BodySHA256 = wire.Hash(sha256.Sum256(e.Body))
	m.Predecessor = r.number[m.Predecessor]
	if e.Attempt > 1 {
		m.Kind = verdict.KindRetry
	}
	r.number[e.Record.N] = r.n
	r.err = errors.Join(r.err, capture.WriteCapture(r.dir, r.n, e.Body, m))
}

// finish writes session.jsonl and gives the first thing that could not be written.
func (r *recorder) finish(t *transcript.Transcript) error {
	if r.dir == "" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	err := os.WriteFile(filepath.Join(r.dir, "session.jsonl"), t.JSONL(), 0o600)
	if err = errors.Join(r.err, err); err != nil {
		return fmt.Errorf("the capture is not whole: %w", err)
	}
	return nil
}
