package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"zimoscope/backend/agent/provider"
)

// stepped runs a prompt beside the test; next waits for the next pause or the end.
type stepped struct {
	r      *rig
	paused chan Event
	done   chan error
}

func startStepped(t *testing.T, b Breakpoints) *stepped {
	t.Helper()
	s := &stepped{paused: make(chan Event, 16), done: make(chan error, 1)}
	st := NewStepper()
	st.Set(b)
	s.r = newRig(t, Options{Stepper: st})
	s.r.s.o.Observer = func(e Event) {
		s.r.observe(e)
		if e.Kind == EventPaused {
			s.paused <- e
		}
	}
	return s
}

func (s *stepped) run(ctx context.Context) {
	go func() { _, err := s.r.s.Prompt(ctx, "go", nil); s.done <- err }()
}

func (s *stepped) next(t *testing.T, want Point) Event {
	t.Helper()
	select {
	case e := <-s.paused:
		if e.Text != string(want) {
			t.Fatalf("paused at %q, want %q", e.Text, want)
		}
		return e
	case err := <-s.done:
		t.Fatalf("ended (%v) instead of pausing at %q", err, want)
	}
	return Event{}
}

// release needs no waiting: a pause can be released from the moment it is told.
func release(f func() bool) {
	if !f() {
		panic("no pause to release")
	}
}

func TestPauseBeforeRequestThenContinueSendsTheStagedBytes(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := startStepped(t, Breakpoints{BeforeRequest: true})
	s.r.model.replies = []reply{{text: "hi", calls: acts(`{}`)}, {text: "Summary: done"}}
	s.run(context.Background())
	first := s.next(t, BeforeRequest)
	if len(s.r.model.bodies) != 0 || s.r.sess.Requests() != 0 {
		t.Fatal("something of a staged request left or was stored")
	}
	release(s.r.o.Stepper.Continue)
	second := s.next(t, BeforeRequest)
	release(s.r.o.Stepper.Continue)
	if err := <-s.done; err != nil {
		t.Fatal(err)
	}
	for i, e := range []Event{first, second} {
		if string(e.Record.View.Body.Raw) != string(s.r.model.bodies[i]) {
			t.Errorf("request %d is not the staged one", i+1)
		}
	}
	if second.Record.Verdict.Verdict != "extended" || len(second.Record.Redlines) == 0 {
		t.Errorf("a staged request has no verdict: %+v", second.Record.Verdict)
	}
	s.r.audit()
}

func TestAbandonLeavesNoRequest(t *testing.T) {
	s := startStepped(t, Breakpoints{BeforeRequest: true})
	s.run(context.Background())
	s.next(t, BeforeRequest)
	release(s.r.o.Stepper.Abandon)
	if err := <-s.done; !errors.Is(err, ErrAbandoned) {
		t.Fatal(err)
	}
	if s.r.sess.Requests() != 0 || len(s.r.model.bodies) != 0 {
		t.Fatal("an abandoned request was kept")
	}
}

// prompts counts the messages of the last body that a user wrote, and says whether two of them follow each other.
func prompts(t *testing.T, body []byte) (users int, inARow bool) {
	t.Helper()
	var b struct{ Messages []struct{ Role string } }
	if err := json.Unmarshal(body, &b); err != nil {
		t.Fatal(err)
	}
	for i, m := range b.Messages {
		if m.Role != "user" {
			continue
		}
		users++
		inARow = inARow || i > 0 && b.Messages[i-1].Role == "user"
	}
	return users, inARow
}

func TestAnAbandonedOrStoppedPromptIsTriedAgainAndNotAskedTwice(t *testing.T) {
	for _, how := range []string{"abandon", "stop"} {
		s := startStepped(t, Breakpoints{BeforeRequest: true})
		s.r.model.replies = []reply{{text: "hi"}}
		ctx, stop := context.WithCancel(context.Background())
		if s.r.s.Interrupted() {
			t.Fatal("nothing began")
		}
		s.run(ctx)
		s.next(t, BeforeRequest)
		if how == "stop" {
			stop()
		} else {
			release(s.r.o.Stepper.Abandon)
		}
		if err := <-s.done; err == nil {
			t.Fatal(how, "ended nothing")
		}
		stop()
		if !s.r.s.Interrupted() || !s.r.s.Asks("go") || s.r.s.Asks("something else") {
			t.Fatal(how, ": the prompt can't be tried again")
		}
		s.r.o.Stepper.Set(Breakpoints{})
		if a, err := s.r.s.Retry(context.Background()); err != nil || a != "hi" {
			t.Fatal(how, a, err)
		}
		if users, twice := prompts(t, s.r.model.bodies[0]); users != 1 || twice || s.r.s.Interrupted() {
			t.Fatal(how, users, twice)
		}
	}
}

func TestAfterAnAbandonedPromptAnotherOneStillAlternatesForStrictTemplates(t *testing.T) {
	strict, err := provider.ProfileFor("mistral-template", "", "")
	if err != nil {
		t.Fatal(err)
	}
	st := NewStepper()
	st.Set(Breakpoints{BeforeRequest: true})
	ctx, stop := context.WithCancel(context.Background())
	r := newRig(t, Options{Stepper: st, Profile: strict})
	r.s.o.Observer = func(e Event) {
		if e.Kind == EventPaused {
			stop()
		}
	}
	if _, err := r.s.Prompt(ctx, "go", nil); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	st.Set(Breakpoints{})
	r.model.replies = []reply{{text: "hi"}}
	r.must("something else")
	if users, twice := prompts(t, r.model.bodies[0]); users != 2 || twice {
		t.Fatalf("%d of a user, two in a row: %v\n%s", users, twice, r.model.bodies[0])
	}
}

func TestACallByHandRestagesAndNothingOfItEntersHistory(t *testing.T) {
	s := startStepped(t, Breakpoints{BeforeRequest: true})
	s.r.model.replies = []reply{{text: "hi"}}
	s.run(context.Background())
	before := s.next(t, BeforeRequest)
	if res := s.r.s.CallByHand(context.Background(), "os", "zimoos.current", "{}"); res.IsError {
		t.Fatal(res)
	}
	after := s.next(t, BeforeRequest)
	if string(before.Record.View.Body.Raw) == string(after.Record.View.Body.Raw) || after.Record.View.Block == "" {
		t.Fatal("the slot moved, the staged request did not")
	}
	release(s.r.o.Stepper.Continue)
	if err := <-s.done; err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(s.r.s.Transcript().JSONL()), "zimoos.current") {
		t.Fatal("a call by hand entered history")
	}
	if string(after.Record.View.Body.Raw) != string(s.r.model.bodies[0]) {
		t.Fatal("what was sent is not what stood there last")
	}
	s.r.audit()
}

func TestStepByStepHoldsAlsoWhenAStepWasRestaged(t *testing.T) {
	s := startStepped(t, Breakpoints{})
	s.r.model.replies = []reply{{text: "hi"}}
	s.r.o.Stepper.Step()
	s.run(context.Background())
	s.next(t, BeforeRequest)
	s.r.s.CallByHand(context.Background(), "os", "zimoos.current", "{}")
	s.next(t, BeforeRequest)
	release(s.r.o.Stepper.Continue)
	if err := <-s.done; err != nil {
		t.Fatal(err)
	}
}

func TestStepToolPausesBeforeTheNextCallAndAbandonDoesNotRunIt(t *testing.T) {
	s := startStepped(t, Breakpoints{BeforeTool: true, Tool: "zimoos.act"})
	s.r.model.replies = []reply{{text: "x", calls: []provider.Call{call("os__notes", `{}`), call(act, `{}`)}}}
	s.run(context.Background())
	if e := s.next(t, BeforeTool); e.Tool != "zimoos.act" {
		t.Fatal(e.Tool)
	}
	release(s.r.o.Stepper.Abandon)
	if err := <-s.done; !errors.Is(err, ErrAbandoned) {
		t.Fatal(err)
	}
	if got := strings.Join(s.r.tools.got, ","); got != "notes {}" {
		t.Fatal(got)
	}
	if j := string(s.r.s.Transcript().JSONL()); !strings.Contains(j, "Outcome: not run") || !strings.Contains(j, "Summary (derived)") {
		t.Fatal(j)
	}
}

func TestPauseAfterFrameAndStopWhilePaused(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := startStepped(t, Breakpoints{AfterFrame: true})
	s.r.model.replies = []reply{{text: "x", calls: acts(`{}`)}}
	ctx, cancel := context.WithCancel(context.Background())
	s.run(ctx)
	s.next(t, AfterFrame)
	cancel()
	if err := <-s.done; !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	if len(s.r.s.Transcript().Open()) > 0 {
		t.Fatal("open calls")
	}
}

func TestSideRequestsStageToo(t *testing.T) {
	s := startStepped(t, Breakpoints{BeforeRequest: true})
	s.r.model.replies = []reply{{calls: acts(`{}`)}, {text: ""}}
	s.r.model.sides = []reply{{text: "Summary: s"}}
	s.run(context.Background())
	for range 2 {
		s.next(t, BeforeRequest)
		release(s.r.o.Stepper.Continue)
	}
	if e := s.next(t, BeforeRequest); e.Record.Meta.Kind != "side" {
		t.Fatal(e.Record.Meta.Kind)
	}
	release(s.r.o.Stepper.Continue)
	if err := <-s.done; err != nil {
		t.Fatal(err)
	}
	s.r.audit()
}

func TestNarrationAndSummaryLines(t *testing.T) {
	for in, want := range map[string]string{
		"Summary: Opened Notes.\nNow on.":             "Opened Notes.",
		"**Summary:** Opened $1 & ${x}.":              "Opened $1 & ${x}.",
		"好的。\n摘要：打开了备忘录，共 12 条。\n接着":                  "打开了备忘录，共 12 条。",
		"<think>Summary: wrong</think> It is open.":   "It is open.",
		"Done. The list has nine lines now. Then on.": "Done. The list has nine lines now.",
		"<think>never closed":                         "",
		"  ":                                          "",
	} {
		if got := narration(in, false); got != want {
			t.Errorf("narration(%q) = %q, want %q", in, got, want)
		}
	}
	if got := narration("It is open.", true); got != "" {
		t.Errorf("a profile that needs the line took %q", got)
	}
	if got := narration(strings.Repeat("中", 900), false); len([]rune(got)) > maxSummaryRunes+1 || !strings.HasSuffix(got, "…") {
		t.Errorf("%d runes", len([]rune(got)))
	}
	if got := stepSummary("  Opened it.\nAnd more"); got != "Opened it." {
		t.Error(got)
	}
}
