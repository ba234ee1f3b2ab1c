package bundle_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/capture/bundle"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/record"
	"zimoscope/backend/store"
)

// withSecretParameter records two requests that carry the same key in their parameters, and one that carries another.
func withSecretParameter(t *testing.T) (*store.Session, []*record.Record) {
	t.Helper()
	var list []exchange.Exchange
	for _, raw := range []string{
		`{"model":"m","metadata":{"key":"sk-known-secret"},"messages":[{"role":"user","content":"hi"}]}`,
		`{"model":"m","metadata":{"key":"sk-known-secret"},"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a"},{"role":"user","content":"b"}]}`,
		`{"model":"m","metadata":{"key":"sk-other-secret"},"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a"},{"role":"user","content":"b"},{"role":"assistant","content":"c"},{"role":"user","content":"d"}]}`,
	} {
		list = append(list, exchange.Exchange{Dialect: exchange.Chat, Request: []byte(raw)})
	}
	return taken(t, []string{"sk-known-secret", "sk-other-secret"}, list)
}

// Parameters that held a secret are a claim, as a part is: both verifiers say how many there are, and neither takes the
// stored parameters for what was sent.
func TestParametersThatHeldASecretAreClaimed(t *testing.T) {
	sess, recs := withSecretParameter(t)
	if v := recs[1].Verdict.Verdict; v != "extended" {
		t.Errorf("the same key was sent twice, and the verdict is %s", v)
	}
	if v := recs[2].Verdict.Verdict; v != "rest-changed" {
		t.Errorf("another key was sent, and the verdict is %s", v)
	}
	dir := filepath.Join(t.TempDir(), "proof")
	if err := bundle.Write(context.Background(), dir, sess, recs, bundle.Options{Program: "test"}); err != nil {
		t.Fatal(err)
	}
	if r, err := bundle.Verify(context.Background(), dir); err != nil || len(r.Problems) > 0 || r.Claimed != 3 {
		t.Errorf("%v, %+v", err, r)
	}
	if status, out := python(t)(dir); status != 0 || !strings.Contains(out, "3 parts claimed") {
		t.Errorf("verify.py says %d: %s", status, out)
	}
	for _, name := range filesOf(t, dir) {
		if raw, err := os.ReadFile(filepath.Join(dir, name)); err != nil || strings.Contains(string(raw), "-secret") {
			t.Errorf("%s holds the secret (%v)", name, err)
		}
	}
}

// A bundle that is stopped leaves nothing behind, and whoever waits hears how far it is.
func TestAStoppedBundleLeavesNothing(t *testing.T) {
	sess, recs := recorded(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var seen []bundle.Progress
	parent := t.TempDir()
	err := bundle.Write(ctx, filepath.Join(parent, "proof"), sess, recs, bundle.Options{OnProgress: func(p bundle.Progress) {
		if seen = append(seen, p); p.Requests == 2 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "2 of 5 requests") {
		t.Errorf("it ended with %v", err)
	}
	if len(seen) != 2 || seen[1].Of != 5 || seen[1].Bytes <= seen[0].Bytes {
		t.Errorf("it told %+v", seen)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) != 0 {
		t.Errorf("it left %v behind (%v)", left, err)
	}
	if _, err := bundle.Verify(ctx, written(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("checking went on after it was stopped: %v", err)
	}
}
