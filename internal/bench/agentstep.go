package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

// fake is the model and the tools: what is measured is everything else. A real model thinks for longer.
type fake struct {
	thinks      time.Duration
	steps, left int
	started     time.Time
	took        []time.Duration
	sent        []time.Duration // comparing and keeping the bytes, while they leave
	beside      func() error    // what is measured in the model's time: the same disk at the same moment
}

func (f *fake) Stream(_ context.Context, body []byte, o provider.StreamOptions) (*provider.Response, error) {
	if !f.started.IsZero() {
		f.took = append(f.took, time.Since(f.started)) // from the last response to the next request
	}
	leaving := time.Now()
	tap := o.OnAttempt(1)
	for rest := body; len(rest) > 0; {
		k := min(chunk, len(rest))
		_, _ = tap.Write(rest[:k])
		rest = rest[k:]
	}
	f.sent = append(f.sent, time.Since(leaving))
	tap.Done(200, nil)
	time.Sleep(f.thinks) // not counted: the full hash runs in this time, as it does with a real model
	if f.beside != nil {
		if err := f.beside(); err != nil {
			return nil, err
		}
	}
	defer func() { f.started = time.Now() }()
	r := &provider.Response{Text: "Summary: step done. " + filler, Attempts: 1, FinishReason: "stop", Raw: []byte("data: {}\n\n")}
	if f.left--; f.left > 0 {
		r.Calls = []provider.Call{{ID: "c", Name: "os__zimoos_x2e_act", Arguments: `{"frameCursor":"c1"}`, ArgumentsValid: true}}
	}
	return r, nil
}

func (f *fake) Tools() []toolbox.Tool { return []toolbox.Tool{{Server: "os", Name: "zimoos.act"}} }

func (f *fake) Refresh(context.Context) (bool, []toolbox.Change) { return false, nil }

func (f *fake) Call(context.Context, string, string, json.RawMessage) toolbox.Result {
	f.steps++
	raw := fmt.Sprintf(`{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c%d","title":"Notes","status":"idle","visibleContent":[{"itemId":"n%d","title":"Groceries","content":"%s"}],"shortcuts":[{"cmd":"open n%d"}],"handles":[]}`, f.steps, f.steps, filler, f.steps)
	return toolbox.Result{State: toolbox.StateOK, Raw: append(wire.AppendQuoted([]byte(`{"content":[{"type":"text","text":`), raw), "}]}"...)}
}

// rig is an agent on the fake and a real store.
type rig struct {
	dir  string
	fake *fake
	sess *store.Session
	a    *agent.Session
}

func newRig(dir string, o agent.Options) (*rig, error) {
	st, err := store.New(dir)
	if err != nil {
		return nil, err
	}
	r := &rig{dir: dir, fake: &fake{}}
	if r.sess, err = st.Create(store.Info{Name: "bench"}); err != nil {
		return nil, err
	}
	o.Model, o.Tools, o.Journal, o.ModelName, o.MaxSteps = r.fake, r.fake, r.sess, "m", 1<<30
	if o.Profile, err = provider.ProfileFor("generic", "http://127.0.0.1", "m"); err != nil {
		return nil, err
	}
	r.a, err = agent.New(o)
	return r, err
}

// play runs one turn of that many requests.
func (r *rig) play(requests int) error {
	r.fake.left = requests
	_, err := r.a.Prompt(context.Background(), "go", nil)
	return err
}

// thinkTime is how long the model takes in the measured steps; it is left out of the figure.
const thinkTime = 25 * time.Millisecond

// measuredSteps is how many steps the median stands on.
const measuredSteps = 60

// agentSteps measures one step of the agent on a long session, without model and tool time, beside two bare commits.
func agentSteps(s sizes) error {
	fmt.Printf("\nOne agent step on a session of %d messages, without model and tool time\n", s.agent)
	dir, err := os.MkdirTemp("", "zimoscope-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r, err := newRig(dir, agent.Options{})
	if err != nil {
		return err
	}
	if err := r.play(s.agent / 2); err != nil {
		return err
	}
	r.fake.took, r.fake.sent, r.fake.started, r.fake.thinks = nil, nil, time.Time{}, thinkTime
	bare, err := newBare(filepath.Join(dir, "bare.db"))
	if err != nil {
		return err
	}
	r.fake.beside = bare.pair
	steps, err := r.timed(measuredSteps)
	if err != nil {
		return err
	}
	step, two := median(steps), median(bare.took)
	bare.took = nil
	for range measuredSteps {
		err = errors.Join(err, bare.pair())
	}
	if err := errors.Join(err, bare.db.Close()); err != nil {
		return err
	}
	fast := median(bare.took)
	fmt.Printf("  step %v   (medians of %d)\n", step, measuredSteps)
	fmt.Printf("  two bare commits, made in turn with the steps %v: beyond them %v\n", two, step-two)
	fmt.Printf("  two bare commits in a tight loop              %v: beyond them %v\n", fast, step-fast)
	fmt.Printf("  comparing and keeping the bytes while they leave, in the model's time: %v\n", median(r.fake.sent))
	return r.sess.Close()
}

// timed plays on and takes the time of each whole step: response in, two commits, next request out, bytes proved.
func (r *rig) timed(steps int) ([]time.Duration, error) {
	r.fake.left = steps + 1
	r.fake.started = time.Now()
	_, err := r.a.Prompt(context.Background(), "go", nil)
	return r.fake.took, err
}

// bare is a bbolt file that takes commits of one small value.
type bare struct {
	db   *bolt.DB
	n    int
	took []time.Duration // of two commits each
}

func newBare(path string) (*bare, error) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoFreelistSync: true, FreelistType: bolt.FreelistMapType})
	return &bare{db: db}, err
}

// pair measures two commits, one after the other.
func (b *bare) pair() error {
	start := time.Now()
	for range 2 {
		b.n++
		err := b.db.Update(func(tx *bolt.Tx) error {
			bucket, err := tx.CreateBucketIfNotExists([]byte("b"))
			if err != nil {
				return err
			}
			return bucket.Put(fmt.Appendf(nil, "%06d", b.n), make([]byte, 2000))
		})
		if err != nil {
			return err
		}
	}
	b.took = append(b.took, time.Since(start))
	return nil
}

func median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[len(d)/2]
}
