package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

// fakeModel answers from a list, one reply a main request; a request that ends with the summary instruction is a side
// request and is answered from sides.
type fakeModel struct {
	mu      sync.Mutex
	replies []reply
	sides   []reply
	bodies  [][]byte
	kinds   []string
}

type reply struct {
	text  string
	calls []provider.Call
	err   error
	hook  func()
}

func (m *fakeModel) Stream(ctx context.Context, body []byte, o provider.StreamOptions) (*provider.Response, error) {
	tap := o.OnAttempt(1)
	for rest := body; len(rest) > 0; {
		k := min(len(rest), 1000)
		_, _ = tap.Write(rest[:k])
		rest = rest[k:]
	}
	tap.Done(200, nil)
	m.mu.Lock()
	m.bodies = append(m.bodies, append([]byte(nil), body...))
	list, kind := &m.replies, "main"
	if strings.Contains(string(body), "Before anything else: write one line") {
		list, kind = &m.sides, "side"
	}
	m.kinds = append(m.kinds, kind)
	if len(*list) == 0 {
		m.mu.Unlock()
		return &provider.Response{Attempts: 1}, &provider.Error{Kind: provider.KindServer, Status: 500}
	}
	r := (*list)[0]
	*list = (*list)[1:]
	m.mu.Unlock()
	if r.hook != nil {
		r.hook()
	}
	if err := ctx.Err(); err != nil {
		return &provider.Response{Attempts: 1}, err
	}
	if r.err != nil {
		return &provider.Response{Attempts: 1, Text: r.text}, r.err
	}
	o.OnDelta(provider.Delta{Text: r.text, CallIndex: -1})
	return &provider.Response{Text: r.text, Calls: r.calls, Attempts: 1, FinishReason: "stop", Raw: []byte("data: x\n\n"), Usage: json.RawMessage(`{"prompt_tokens":10}`)}, nil
}

func call(name, args string) provider.Call {
	return provider.Call{ID: "c", Name: name, Arguments: args, ArgumentsValid: json.Valid([]byte(args))}
}

const act = "os__zimoos_x2e_act"

func acts(args string) []provider.Call { return []provider.Call{call(act, args)} }

// fakeTools is a ZimoOS whose cursor moves with each act, and one ordinary tool.
type fakeTools struct {
	mu      sync.Mutex
	n       int
	results []string // raw results to give instead, in order
	states  []string
	hook    func(tool string)
	got     []string
	extra   []toolbox.Tool
	changed bool
}

func (f *fakeTools) Tools() []toolbox.Tool {
	schema := json.RawMessage(`{"type":"object","properties":{"b":{"maximum":9007199254740993},"a":{}}}`)
	return append([]toolbox.Tool{{Server: "os", Name: "zimoos.current"}, {Server: "os", Name: "zimoos.act", InputSchema: schema}, {Server: "os", Name: "notes"}}, f.extra...)
}

func (f *fakeTools) Refresh(context.Context) (bool, []toolbox.Change) {
	c := f.changed
	f.changed = false
	return c, nil
}

func (f *fakeTools) Call(ctx context.Context, _, tool string, args json.RawMessage) toolbox.Result {
	if f.hook != nil {
		f.hook(tool)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.got = append(f.got, tool+" "+string(args))
	f.n++
	if ctx.Err() != nil {
		return toolbox.Result{State: toolbox.StateCancelled, IsError: true, Message: "The call was cancelled."}
	}
	if len(f.states) > 0 {
		st := f.states[0]
		f.states = f.states[1:]
		if st != "" {
			return toolbox.Result{State: st, IsError: true, Message: "It failed: " + st}
		}
	}
	if len(f.results) > 0 {
		r := f.results[0]
		f.results = f.results[1:]
		if r != "" {
			return toolbox.Result{State: toolbox.StateOK, Raw: json.RawMessage(r)}
		}
	}
	if tool == "notes" {
		return toolbox.Result{State: toolbox.StateOK, Raw: json.RawMessage(`{"content":[{"type":"text","text":"three notes"}]}`)}
	}
	return toolbox.Result{State: toolbox.StateOK, Raw: frameResult(fmt.Sprint("c", f.n))}
}

func frameResult(cursor string) json.RawMessage {
	frame := fmt.Sprintf(`{"protocol":"zimoos/os-frame","version":"1","frameCursor":%q,"title":"Screen %s","status":"idle","visibleContent":[{"itemId":"a","title":"secret of %s"}],"shortcuts":[],"handles":[]}`, cursor, cursor, cursor)
	return append(wire.AppendQuoted([]byte(`{"content":[{"type":"text","text":`), frame), "}]}"...)
}

// rig is a session on fakes and a real store.
type rig struct {
	t      testing.TB
	st     *store.Store
	sess   *store.Session
	model  *fakeModel
	tools  *fakeTools
	s      *Session
	o      Options
	mu     sync.Mutex
	events []Event
}

func newRig(t testing.TB, o Options) *rig {
	t.Helper()
	st, err := store.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sess, err := st.Create(store.Info{Name: "t"})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, st: st, sess: sess, model: &fakeModel{}, tools: &fakeTools{}}
	o.Model, o.Tools, o.Journal, o.ModelName, o.Thread = r.model, r.tools, sess, "m", sess.ID
	if o.Profile.Name == "" {
		o.Profile, err = provider.ProfileFor("generic", "http://127.0.0.1", "m")
		if err != nil {
			t.Fatal(err)
		}
	}
	o.Observer = r.observe
	r.o = o
	if r.s, err = New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.sess.Close() })
	return r
}

func (r *rig) observe(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Record != nil {
		c := *e.Record
		e.Record = &c
	}
	r.events = append(r.events, e)
}

func (r *rig) prompt(text string) (string, error) { return r.s.Prompt(context.Background(), text, nil) }

func (r *rig) must(text string) string {
	r.t.Helper()
	a, err := r.prompt(text)
	if err != nil {
		r.t.Fatal(err)
	}
	return a
}

// reopen closes the store and resumes the session from it.
func (r *rig) reopen() {
	r.t.Helper()
	if err := r.sess.Close(); err != nil {
		r.t.Fatal(err)
	}
	sess, err := r.st.Open(r.sess.ID)
	if err != nil {
		r.t.Fatal(err)
	}
	r.sess, r.o.Journal = sess, sess
	if r.s, err = Resume(r.o); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) records() (list []*Record) {
	r.t.Helper()
	facts, err := r.sess.AllFacts()
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range facts {
		rec, err := record.Of(f)
		if err != nil {
			r.t.Fatal(err)
		}
		list = append(list, rec)
	}
	return list
}

// audit checks every stored request from its bytes, with a checker of its own, and gives the verdicts.
func (r *rig) audit() (verdicts []string) {
	r.t.Helper()
	checker := verdict.NewChecker()
	for _, rec := range r.records() {
		raw, err := r.sess.Body(rec.N)
		if err != nil {
			r.t.Fatal(err)
		}
		body, err := wire.Scan(raw)
		if err != nil {
			r.t.Fatal(err)
		}
		res := checker.Add(&verdict.Request{Body: body, Meta: &rec.Meta, Number: rec.N})
		if res.Attempt {
			verdicts = append(verdicts, "attempt")
			continue
		}
		if res.Verdict.Violation() {
			r.t.Errorf("request %d: %s %+v\n%s", rec.N, res.Verdict.Verdict, res.Verdict.Causes, raw)
		}
		if res.Verdict.Verdict != rec.Verdict.Verdict {
			r.t.Errorf("request %d was judged %s live and %s from the store", rec.N, rec.Verdict.Verdict, res.Verdict.Verdict)
		}
		for _, l := range res.Redlines {
			if l.OK != nil && !*l.OK {
				r.t.Errorf("request %d breaks %s: %s\n%s", rec.N, l.ID, l.Detail, raw)
			}
		}
		if rec.Proof != ProofHolds {
			r.t.Errorf("request %d is %q (%s)", rec.N, rec.Proof, rec.ProofNote)
		}
		verdicts = append(verdicts, string(res.Verdict.Verdict))
	}
	return verdicts
}
