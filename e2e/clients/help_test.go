package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"zimoscope/app/foreign"
	"zimoscope/backend/capture/proxy"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// modules fetches packages into a cache of the user's, once for each list.
func modules(t *testing.T, name string, packages ...string) string {
	t.Helper()
	if os.Getenv("ZIMOSCOPE_SLOW") == "" {
		t.Skip("slow: it fetches programs with npm; set ZIMOSCOPE_SLOW=1, or run make test-slow")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm to fetch the programs with")
	}
	cache, err := os.UserCacheDir()
	must(t, err)
	dir := filepath.Join(cache, "zimoscope", name)
	list := strings.Join(packages, "\n")
	if have, err := os.ReadFile(filepath.Join(dir, "fetched")); err != nil || string(have) != list {
		must(t, os.MkdirAll(dir, 0o700))
		must(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`), 0o600))
		args := append([]string{"--prefix", dir, "install", "--save-exact", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"}, packages...)
		if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
			t.Skipf("npm could not fetch the programs (is there a network?): %v\n%s", err, out)
		}
		must(t, os.WriteFile(filepath.Join(dir, "fetched"), []byte(list), 0o600))
	}
	return filepath.Join(dir, "node_modules")
}

// recording is a proxy before the puppet, with the session that it records into.
type recording struct {
	t    *testing.T
	url  string
	up   *puppet
	st   *store.Store
	stop func() []*record.Record
}

func record1(t *testing.T, dir string) *recording {
	t.Helper()
	r := &recording{t: t, up: newPuppet(t, dir)}
	var err error
	r.st, err = store.New(t.TempDir())
	must(t, err)
	sess, err := foreign.Open(r.st, foreign.Options{Name: "x", From: foreign.Proxy, Source: "proxy"})
	must(t, err)
	p, err := proxy.New(proxy.Options{Upstream: r.up.URL + "/v1", Log: func(s string) { t.Log(s) }})
	must(t, err)
	must(t, p.Listen())
	r.url = p.URL()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Serve(ctx, sess) }()
	var recs []*record.Record
	done := false
	r.stop = func() []*record.Record {
		if done {
			return recs
		}
		done = true
		cancel()
		must(t, <-ended)
		facts, err := sess.Store.AllFacts()
		must(t, err)
		for _, f := range facts {
			rec, err := record.Of(f)
			must(t, err)
			recs = append(recs, rec)
		}
		r.compare(sess, recs)
		must(t, sess.Close())
		return recs
	}
	t.Cleanup(func() { r.stop() })
	return r
}

// compare holds what is stored against what the provider saw, byte by byte, and each verdict against the bytes.
func (r *recording) compare(sess *foreign.Session, recs []*record.Record) {
	r.t.Helper()
	arrived := map[string]int{}
	r.up.mu.Lock()
	for _, s := range r.up.seen {
		arrived[s.body]++
	}
	total := len(r.up.seen)
	r.up.mu.Unlock()
	if len(recs) != total {
		r.t.Errorf("%d requests arrived, %d were recorded", total, len(recs))
	}
	for _, rec := range recs {
		raw, err := sess.Store.Body(rec.N)
		must(r.t, err)
		if rec.Foreign.Claimed == nil && rec.Meta.Kind != record.KindOther && arrived[string(raw)] == 0 {
			r.t.Errorf("request %d is stored otherwise than it arrived", rec.N)
		}
		if rec.Meta.Kind == record.KindOther || rec.Meta.Predecessor == 0 || rec.Meta.Kind == verdict.KindRetry {
			continue
		}
		before, err := sess.Store.Body(rec.Meta.Predecessor)
		must(r.t, err)
		r.agrees(rec, before, raw)
	}
}

// agrees compares two bodies in the plainest way there is, and the verdict with that.
func (r *recording) agrees(rec *record.Record, before, after []byte) {
	r.t.Helper()
	a, err := wire.Scan(before)
	must(r.t, err)
	b, err := wire.Scan(after)
	must(r.t, err)
	same := a.Messages.Len() <= b.Messages.Len()
	for i := 0; same && i < a.Messages.Len(); i++ {
		same = reflect.DeepEqual(plain(r.t, a.Bytes(wire.KindMessage, i)), plain(r.t, b.Bytes(wire.KindMessage, i)))
	}
	rewritten := rec.Verdict.Has(verdict.Rewritten) || rec.Verdict.Has(verdict.Windowed) || rec.Verdict.Has(verdict.SystemChanged)
	if same == rewritten {
		r.t.Errorf("request %d after %d is judged %s; its history stands: %v", rec.N, rec.Meta.Predecessor, rec.Verdict.Verdict, same)
	}
}

// plain decodes a message, without cache marks and with one text in one form.
func plain(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	must(t, json.Unmarshal(raw, &v))
	unmark(v)
	if m, ok := v.(map[string]any); ok {
		if list, ok := m["content"].([]any); ok && len(list) == 1 {
			if part, ok := list[0].(map[string]any); ok && len(part) == 2 && part["type"] == "text" {
				m["content"] = part["text"]
			}
		}
	}
	return v
}

func unmark(v any) {
	switch x := v.(type) {
	case map[string]any:
		delete(x, "cache_control")
		for _, inner := range x {
			unmark(inner)
		}
	case []any:
		for _, inner := range x {
			unmark(inner)
		}
	}
}

// runTimeout bounds one run of an agent.
const runTimeout = 3 * time.Minute

// run runs a program in an empty home with a clean environment.
func (r *recording) run(home, work string, env []string, name string, args ...string) string {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), runTimeout)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = work
	c.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1", "TMPDIR=" + r.t.TempDir()}, env...)
	c.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		r.tell()
		r.t.Fatalf("%s: %v\n%s", filepath.Base(name), err, out.String())
	}
	return out.String()
}

// tell says what the provider was asked, for whoever looks for why a run failed.
func (r *recording) tell() {
	if r.up == nil {
		return
	}
	r.up.mu.Lock()
	defer r.up.mu.Unlock()
	for _, s := range r.up.seen {
		r.t.Logf("%s: %d bytes, answered %.100q", s.path, len(s.body), s.answer)
	}
}

// place makes a home and a folder with something to read.
func place(t *testing.T) (home, work string) {
	t.Helper()
	home, work = t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(work, "notes.txt"), []byte("buy bread\n"), 0o600))
	return home, work
}
