//go:build linux

package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"zimoscope/app/stored"
	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/capture"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

const act = "os__zimoos_x2e_act"

// model answers in a round: an operation with words, one without, two at once, and an answer. It needs no server, so
// that a thousand sessions can be reopened.
type model struct {
	mu sync.Mutex
	n  int
}

func (m *model) Stream(ctx context.Context, body []byte, o provider.StreamOptions) (*provider.Response, error) {
	tap := o.OnAttempt(1)
	_, _ = tap.Write(body) // a tap never fails
	tap.Done(200, nil)
	if err := ctx.Err(); err != nil {
		return &provider.Response{Attempts: 1}, err
	}
	r := provider.Response{Attempts: 1, FinishReason: "stop", Usage: json.RawMessage(`{"prompt_tokens":10}`)}
	if bytes.Contains(body, []byte(requestview.SummaryInstruction)) {
		r.Text = "Summary: told by a step of its own."
		return &r, nil
	}
	m.mu.Lock()
	m.n++
	n := m.n
	m.mu.Unlock()
	call := func(i int) provider.Call {
		args := fmt.Sprintf(`{"cmd":"open %d.%d"}`, n, i)
		return provider.Call{ID: fmt.Sprintf("call_%d_%d", n, i), Name: act, Arguments: args, ArgumentsValid: true}
	}
	switch n % 4 {
	case 0:
		r.Text = fmt.Sprintf("That was round %d.", n)
	case 1:
		r.Text, r.Calls = fmt.Sprintf("Summary: saw %d.", n), []provider.Call{call(0)}
	case 2:
		r.Calls = []provider.Call{call(0)}
	case 3:
		r.Text, r.Calls = fmt.Sprintf("Summary: both of %d.", n), []provider.Call{call(0), call(1)}
	}
	r.Raw = []byte("data: " + strings.Repeat("x", 40*n%3000) + "\n\n")
	return &r, nil
}

// tools is a ZimoOS whose cursor moves with each call.
type tools struct {
	mu sync.Mutex
	n  int
}

func (o *tools) Tools() []toolbox.Tool {
	return []toolbox.Tool{{Server: "os", Name: "zimoos.current"}, {Server: "os", Name: "zimoos.act"}}
}

func (o *tools) Refresh(context.Context) (bool, []toolbox.Change) { return false, nil }

func (o *tools) Call(context.Context, string, string, json.RawMessage) toolbox.Result {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n++
	frame := fmt.Sprintf(`{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c%d","title":"Screen %d","visibleContent":[{"itemId":"a","title":"%s"}],"shortcuts":[],"handles":[]}`,
		o.n, o.n, strings.Repeat("line ", o.n*37%400))
	return toolbox.Result{State: toolbox.StateOK, Raw: append(wire.AppendQuoted([]byte(`{"content":[{"type":"text","text":`), frame), "}]}"...)}
}

// optionsOn are those of a session on the stand-ins above.
func optionsOn(t testing.TB, journal agent.Journal, id string) agent.Options {
	t.Helper()
	p, err := provider.ProfileFor("generic", "http://127.0.0.1", "m")
	must(t, err)
	return agent.Options{Model: &model{}, Tools: &tools{}, Journal: journal, Profile: p, ModelName: "m", Thread: id, Now: clock()}
}

// clock ticks by a second at each question, so that nothing depends on the day of the test.
func clock() func() time.Time {
	now := time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Second); return now }
}

// goesOn resumes a stored session, runs a turn and verifies everything from the stored bytes.
func goesOn(t testing.TB, sess *store.Session) {
	t.Helper()
	before := sess.Requests()
	s, err := agent.Resume(optionsOn(t, sess, sess.ID))
	must(t, err)
	_, err = s.Prompt(context.Background(), "Go on.", nil)
	must(t, err)
	if sess.Requests() <= before {
		t.Fatalf("no request came after the %d that were there", before)
	}
	verified(t, sess)
}

// verified reads every request anew, scans it, and holds chain, verdicts and redlines to what is stored.
func verified(t testing.TB, sess *store.Session) {
	t.Helper()
	recs, err := stored.Records(sess)
	must(t, err)
	if len(recs) != sess.Requests() {
		t.Errorf("%d requests, facts of %d", sess.Requests(), len(recs))
	}
	for _, rec := range recs {
		if rec.Violation() {
			t.Errorf("request %d: %s, %s %s, redlines %+v", rec.N, rec.Verdict.Verdict, rec.Proof, rec.ProofNote, rec.Redlines)
		}
	}
	c, err := stored.Capture(sess)
	must(t, err)
	report := capture.Check(c)
	if report.Exit(false) != 0 {
		var text bytes.Buffer
		_ = report.WriteText(&text)
		t.Fatalf("the stored session does not hold:\n%s", text.String())
	}
}

// conversation replays the stored events.
func conversation(t testing.TB, sess *store.Session) *transcript.Transcript {
	t.Helper()
	events, err := sess.Events()
	must(t, err)
	tr, err := transcript.Replay(events)
	must(t, err)
	return tr
}
