package agent

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/secret"
	"zimoscope/backend/transcript"
)

func lastBody(r *rig) string { return string(r.model.bodies[len(r.model.bodies)-1]) }

func TestOperationsAreNarratedSealedAndProved(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{text: "Looking.", calls: acts(`{"frameCursor":"c0"}`)}, {text: "Summary: The desktop shows three apps.\nOpening Notes.", calls: acts(`{"frameCursor":"c1"}`)}, {text: "Notes is open and holds twelve notes, the newest is Groceries. Shall I go on?"}}
	if a := r.must("go"); !strings.HasPrefix(a, "Notes is open") {
		t.Fatal(a)
	}
	if got := r.audit(); !slices.Equal(got, []string{"first", "extended", "sealed"}) {
		t.Fatal(got)
	}
	b := lastBody(r)
	for _, want := range []string{`Summary: The desktop shows three apps.`, `frame_cursor=\"c2\"`} {
		if !strings.Contains(b, want) {
			t.Errorf("%q is missing in %s", want, b)
		}
	}
	if strings.Contains(b, "secret of c1") || !strings.Contains(b, "secret of c2") {
		t.Error("the request must hold the newest frame and no older one")
	}
	jsonl := string(r.s.Transcript().JSONL())
	if !strings.Contains(jsonl, "Summary: Notes is open and holds twelve notes, the newest is Groceries.\"}") || strings.Contains(jsonl, "zimoos source") {
		t.Error(jsonl)
	}
}

func TestAResponseWithoutWordsGetsOneSummaryStep(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{calls: acts(`{}`)}, {calls: acts(`{}`)}, {text: "Done with all of it. Fine."}}
	r.model.sides = []reply{{text: "Summary: Opened the app $1."}}
	r.must("go")
	if got := strings.Join(r.model.kinds, " "); got != "main main side main" {
		t.Fatal(got)
	}
	main, side := r.model.bodies[1], r.model.bodies[2]
	if !strings.HasPrefix(string(side), string(main[:len(main)-len(`"}]}`)])) {
		t.Fatal("the side request is not the main one with an instruction at its end")
	}
	if got := r.audit(); !slices.Equal(got, []string{"first", "extended", "extended", "sealed"}) {
		t.Fatal(got)
	}
	if !strings.Contains(lastBody(r), `Summary: Opened the app $1.`) {
		t.Fatal(lastBody(r))
	}
}

func TestAFailedSummaryStepIsDerivedAndSaysSo(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{calls: acts(`{}`)}, {calls: acts(`{}`)}, {text: "Done."}}
	r.model.sides = []reply{{err: &provider.Error{Kind: provider.KindServer, Provider: "Summary: the server is on fire"}}, {text: "  "}}
	r.must("go")
	if got := strings.Join(r.model.kinds, " "); got != "main main side side main" {
		t.Fatal(got)
	}
	b := lastBody(r)
	if !strings.Contains(b, `\nSummary (derived): the operation ended with ok`) || strings.Contains(b, "on fire") {
		t.Fatal(b)
	}
	r.audit()
}

func TestSeveralOperationsShareOneSummary(t *testing.T) {
	r := newRig(t, Options{})
	three := []provider.Call{call(act, `{"n":1}`), call("os__notes", ""), call(act, `{"n":9007199254740993}`)}
	three[1].ArgumentsValid = true
	r.model.replies = []reply{{calls: three}, {text: "Summary: Both are done."}}
	r.must("go")
	if got := strings.Join(r.tools.got, " | "); got != `zimoos.act {"n":1} | notes  | zimoos.act {"n":9007199254740993}` {
		t.Fatal(got)
	}
	jsonl := string(r.s.Transcript().JSONL())
	if strings.Count(jsonl, "Summary (shared)") != 1 || strings.Count(jsonl, "Summary: Both are done.") != 2 { // the record, and the answer itself
		t.Fatal(jsonl)
	}
	r.audit()
}

func TestBadCallsAreAnsweredAndNotRun(t *testing.T) {
	r := newRig(t, Options{})
	bad := []provider.Call{call("made.up tool", `{}`), {ID: "c", Name: act, Arguments: `{"cut`}, call(act, `{"x":"</zimoos>"}`)}
	r.model.replies = []reply{{text: "x", calls: bad}, {text: "ok"}}
	r.must("go")
	if got := strings.Join(r.tools.got, " | "); got != `zimoos.act {"x":"</zimoos>"}` {
		t.Fatalf("MCP got %s", got)
	}
	b := lastBody(r)
	for _, want := range []string{`"name":"made_x2e_up_x20_tool"`, `No tool named \"made.up tool\" is offered`, `Outcome: not run`, `"arguments":"{}"`} {
		if !strings.Contains(b, want) {
			t.Errorf("%q is missing", want)
		}
	}
	r.audit()
}

func TestFailuresAndMalformedFramesLeaveTheSlotAlone(t *testing.T) {
	r := newRig(t, Options{})
	malformed := `{"content":[{"type":"text","text":"{\"protocol\":\"zimoos/os-frame\",\"version\":\"1\",\"frameCursor\":\"cX\"}"}]}`
	isError := `{"isError":true,"content":[{"type":"text","text":` + strings.TrimSuffix(strings.TrimPrefix(string(frameResult("cE")), `{"content":[{"type":"text","text":`), "}]}") + `}]}`
	r.tools.results = []string{"", malformed, isError}
	r.tools.states = []string{"", "", "", toolbox.StateTimeout}
	for range 4 {
		r.model.replies = append(r.model.replies, reply{text: "Summary: next", calls: acts(`{}`)})
	}
	r.model.replies = append(r.model.replies, reply{text: "end"})
	r.must("go")
	if c := r.s.Slot().Frame.Cursor; c != "c1" {
		t.Fatalf("the slot holds %s", c)
	}
	b := lastBody(r)
	for _, want := range []string{"Outcome: rejected", "Outcome: error", "Outcome: timed out"} {
		if !strings.Contains(b, want) {
			t.Errorf("%q is missing", want)
		}
	}
	r.audit()
}

func TestAProviderErrorLeavesAValidTurnThatCanBeTriedAgain(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{text: "a", calls: acts(`{}`)}, {err: &provider.Error{Kind: provider.KindCutStream}, text: "half"}}
	if _, err := r.prompt("go"); err == nil {
		t.Fatal("no error")
	}
	if strings.Contains(string(r.s.Transcript().JSONL()), "half") {
		t.Fatal("half an answer was kept as an answer")
	}
	r.model.replies = []reply{{text: "Summary: it moved."}}
	if a, err := r.s.Retry(context.Background()); err != nil || a != "Summary: it moved." {
		t.Fatal(a, err)
	}
	if got := r.audit(); !slices.Equal(got, []string{"first", "extended", "attempt"}) {
		t.Fatal(got)
	}
	if _, err := r.s.Retry(context.Background()); !errors.Is(err, ErrNothing) {
		t.Fatal(err)
	}
}

func TestCancelAtAnyPointLeavesEveryCallWithItsResult(t *testing.T) {
	for _, at := range []string{"first request", "first tool", "second tool", "second request", "summary step"} {
		ctx, cancel := context.WithCancel(context.Background())
		r := newRig(t, Options{})
		calls := 0
		r.model.replies = []reply{{text: "two", calls: []provider.Call{call(act, `{"n":1}`), call("os__notes", `{}`), call(act, `{"n":2}`)}}, {calls: acts(`{}`)}, {text: "never"}}
		r.model.sides = []reply{{text: "Summary: s", hook: func() {
			if at == "summary step" {
				cancel()
			}
		}}}
		switch at {
		case "first request":
			r.model.replies[0].hook = cancel
		case "second request":
			r.model.replies[1].hook = cancel
		}
		r.tools.hook = func(string) {
			if calls++; at == "first tool" && calls == 1 || at == "second tool" && calls == 2 {
				cancel()
			}
		}
		_, err := r.s.Prompt(ctx, "go", nil)
		if !errors.Is(err, ErrStopped) {
			t.Fatalf("%s: %v", at, err)
		}
		if len(r.s.Transcript().Open()) > 0 {
			t.Fatalf("%s: open calls", at)
		}
		if _, pending := r.s.Transcript().Pending(); pending {
			t.Fatalf("%s: a pending record", at)
		}
		r.tools.hook = nil
		r.model.replies = []reply{{text: "Going on."}}
		r.must("and now?")
		r.audit()
		before := lastBody(r)
		r.reopen()
		r.model.replies = []reply{{text: "x"}}
		r.must("more")
		tail := strings.LastIndex(before, `,{"role":"user"`)
		if !strings.HasPrefix(lastBody(r), before[:tail]) {
			t.Fatalf("%s: the history after resume differs", at)
		}
		r.audit()
	}
}

func TestTheLoopEndsAtItsLimitWithAWarningBefore(t *testing.T) {
	r := newRig(t, Options{MaxSteps: 4})
	for range 9 {
		r.model.replies = append(r.model.replies, reply{text: "Summary: again", calls: acts(`{}`)})
	}
	if _, err := r.prompt("go"); !errors.Is(err, ErrLoopLimit) {
		t.Fatal(err)
	}
	if len(r.model.bodies) != 4 || !strings.Contains(lastBody(r), "Loop warning: 0 more requests") {
		t.Fatalf("%d requests", len(r.model.bodies))
	}
	r.audit()
}

func TestTheTaskStackStandsInTheTailOnly(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{calls: []provider.Call{call("tasks_x2e_push", `{"title":"Buy </zimoos> milk"}`)}}, {text: "ok"}}
	r.must("go")
	b := lastBody(r)
	if !strings.Contains(b, `<zimoos state=\"none\"></zimoos>\n\nTask stack, newest first: 1. Buy ‹/zimoos> milk`) {
		t.Fatal(b)
	}
	r.reopen()
	r.model.replies = []reply{{text: "ok"}}
	r.must("more")
	if !strings.Contains(lastBody(r), "Task stack, newest first") {
		t.Fatal("lost on resume")
	}
	r.audit()
}

func TestToolsChangeOnlyBetweenTurnsAndAnnounced(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{text: "hello"}, {text: "again"}}
	r.must("one")
	r.tools.extra, r.tools.changed = []toolbox.Tool{{Server: "os", Name: "new.tool"}}, true
	r.must("two")
	recs := r.records()
	if v := recs[1].Verdict; v.Verdict != "tools-changed" || v.Planned == nil || !*v.Planned {
		t.Fatalf("%+v", v)
	}
	r.audit()
}

func TestWindowMovesAreAnnounced(t *testing.T) {
	r := newRig(t, Options{ContextTokens: 1500})
	for range 30 {
		r.model.replies = append(r.model.replies, reply{text: "Summary: " + strings.Repeat("word ", 30), calls: acts(`{}`)})
	}
	r.model.replies = append(r.model.replies, reply{text: "end"})
	r.must("go")
	if got := r.audit(); !slices.Contains(got, "windowed") {
		t.Fatal(got)
	}
}

func TestAContextLengthErrorForcesOneMoveAndOneRetry(t *testing.T) {
	r := newRig(t, Options{})
	for range 6 {
		r.model.replies = append(r.model.replies, reply{text: "Summary: s", calls: acts(`{}`)})
	}
	tooLong := reply{err: &provider.Error{Kind: provider.KindContextLength, Status: 400}}
	r.model.replies = append(r.model.replies, tooLong, reply{text: "fits"})
	if a := r.must("go"); a != "fits" {
		t.Fatal(a)
	}
	r.audit()
	r.model.replies = []reply{tooLong, tooLong, {text: "never"}}
	if _, err := r.prompt("more"); err == nil {
		t.Fatal("retried for ever")
	}
}

func TestARefusedOptionalParameterIsRemembered(t *testing.T) {
	r := newRig(t, Options{Params: []Param{{Name: "temperature", Raw: json.RawMessage("0.10")}, {Name: "seed", Raw: json.RawMessage("7")}}})
	r.model.replies = []reply{{err: &provider.Error{Kind: provider.KindBadRequest, Status: 400, RejectedField: "seed"}}, {text: "ok"}, {text: "ok"}}
	r.must("go")
	r.reopen()
	r.must("more")
	if b := lastBody(r); strings.Contains(b, `"seed"`) || !strings.Contains(b, `"temperature":0.10`) {
		t.Fatal(b)
	}
}

func TestACrashBetweenTheTwoCommitsLeavesNoOrphan(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{text: "Summary: seen.\nGo.", calls: []provider.Call{call(act, `{"n":1}`), call(act, `{"n":2}`)}}}
	r.tools.hook = func(string) { runtime.Goexit() } // the program ends here: nothing runs on behind it
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = r.prompt("go")
	}()
	<-ended
	r.tools.hook = nil
	r.reopen()
	jsonl := string(r.s.Transcript().JSONL())
	if strings.Count(jsonl, "Outcome: unknown") != 2 || len(r.s.Transcript().Open()) > 0 {
		t.Fatal(jsonl)
	}
	r.model.sides = []reply{{text: "Summary: nobody knows."}}
	r.model.replies = []reply{{text: "I see."}}
	r.must("what happened?")
	if !strings.Contains(lastBody(r), "Summary: nobody knows.") {
		t.Fatal(lastBody(r))
	}
	r.audit()
}

func TestSecretsReachMCPButNotTheStore(t *testing.T) {
	const key = "sk-very-secret-value"
	r := newRig(t, Options{Secrets: secret.New(key)})
	r.tools.results = []string{`{"content":[{"type":"text","text":"the key is ` + key + `"}]}`}
	r.model.replies = []reply{{text: "using " + key, calls: []provider.Call{call("os__notes", `{"key":"`+key+`"}`)}}, {text: "ok"}}
	r.must("my key is " + key)
	if !strings.Contains(r.tools.got[0], key) {
		t.Fatal("MCP must get the original bytes")
	}
	for _, b := range r.model.bodies {
		if strings.Contains(string(b), key) {
			t.Fatal("a secret in a request")
		}
	}
}

func TestStrictTemplatesNeverSeeAUserAfterATool(t *testing.T) {
	p, err := provider.ProfileFor("mistral-template", "", "m")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, Options{Profile: p})
	r.model.replies = []reply{{calls: acts(`{}`)}, {err: &provider.Error{Kind: provider.KindServer}}}
	_, _ = r.prompt("go")
	r.model.sides = []reply{{text: "Summary: s"}}
	r.model.replies = []reply{{text: "fine"}}
	r.must("again")
	for _, raw := range r.model.bodies {
		b, err := wire.Scan(raw)
		if err != nil {
			t.Fatal(err)
		}
		prev := ""
		for i := range b.Messages.Len() {
			role, _ := wire.String(wire.Get(b.Bytes(wire.KindMessage, i), "role"))
			if role == "user" && (prev == "tool" || prev == "user") {
				t.Fatalf("user after %s: %s", prev, raw)
			}
			prev = role
		}
	}
	if r.s.Transcript().Header().Rules.Placement != transcript.InTool {
		t.Fatal("wrong profile")
	}
	r.audit()
}
