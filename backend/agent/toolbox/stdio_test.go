//go:build !windows

package toolbox

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"syscall"
	"testing"
	"time"
)

func TestAServerThatEndsAtStartIsReportedAndTheOthersLive(t *testing.T) {
	missing := ServerConfig{Name: "missing", Command: "no-such-command-here"}
	b, reports := box(t, nil, child("exit"), child("plain"), missing, ServerConfig{Name: "empty"})
	if r := reports[0]; r.OK || r.ExitCode == nil || *r.ExitCode != 3 || !strings.Contains(r.StderrTail, "no licence") || r.Path == "" {
		t.Errorf("%+v", r)
	}
	if !reports[1].OK {
		t.Errorf("%+v", reports[1])
	}
	if r := reports[2]; r.OK || !strings.Contains(r.Message, "not found on the PATH") || r.Path != os.Getenv("PATH") {
		t.Errorf("%+v", r)
	}
	if reports[3].OK {
		t.Errorf("%+v", reports[3])
	}
	if got := do(b, "plain", "x"); got.State != StateOK {
		t.Errorf("%+v", got)
	}
	if got := do(b, "exit", "x"); got.State != StateNotSent || got.Message == "" {
		t.Errorf("%+v", got)
	}
}

func TestAServerThatHangsAtStartIsGivenUp(t *testing.T) {
	b, reports := Start(context.Background(), []ServerConfig{child("hang")}, Options{LoginShell: "-", StartTimeout: 100 * time.Millisecond})
	defer func() { _ = b.Close() }()
	if reports[0].OK || !strings.Contains(reports[0].Message, "in time") {
		t.Fatalf("%+v", reports[0])
	}
	if st := b.Status()[0]; st.State != ServerFailed || gone(t, st.PID) != nil {
		t.Errorf("%+v", st)
	}
}

// gone waits until a process is no more; a zombie of another parent counts.
func gone(t *testing.T, pid int) error {
	t.Helper()
	limit := time.Now().Add(10 * time.Second)
	for time.Now().Before(limit) {
		if err := syscall.Kill(pid, 0); err != nil {
			return nil
		}
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(stat), ") Z ") {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	return fmt.Errorf("process %d still runs", pid)
}

func TestSchemasAndResultsKeepTheirBytes(t *testing.T) {
	for _, mode := range []string{"plain", "noise"} {
		b := ready(t, nil, child(mode))
		tools := b.Tools()
		if len(tools) != 2 || tools[0].Name != "echo" || string(tools[0].InputSchema) != oddSchema || !strings.Contains(string(tools[0].Raw), `"x-odd":true`) {
			t.Fatalf("%s: %+v", mode, tools)
		}
		args := `{"n":9007199254740993, "m":21000000,"e":1.0e+2,"z":"<b>&é","a":[]}`
		got := b.Call(context.Background(), mode, "echo", json.RawMessage(args))
		if got.State != StateOK || string(got.Raw) != `{"echo":`+args+`}` {
			t.Errorf("%s: %+v %s", mode, got, got.Raw)
		}
	}
}

func TestArgumentsThatAreNoneBecomeAnEmptyObjectAndWrongOnesAreNotSent(t *testing.T) {
	b := ready(t, nil, child("plain"))
	for _, args := range []string{"", " \n", "null", "{}"} {
		got := b.Call(context.Background(), "plain", "echo", json.RawMessage(args))
		if string(got.Raw) != `{"echo":{}}` {
			t.Errorf("%q: %+v", args, got)
		}
	}
	got := b.Call(context.Background(), "plain", "echo", json.RawMessage("{\n\"a\":\r\n1}"))
	if string(got.Raw) != `{"echo":{ "a":  1}}` {
		t.Errorf("%+v %s", got, got.Raw)
	}
	for _, args := range []string{"{", "[]", "1", `{"a":1}{`} {
		if got := b.Call(context.Background(), "plain", "echo", json.RawMessage(args)); got.State != StateNotSent || !got.IsError {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

func TestRepliesOverSeveralLinesAreJoined(t *testing.T) {
	b := ready(t, nil, child("pretty"))
	if len(b.Tools()) != 2 {
		t.Fatal(b.Tools())
	}
	if got := do(b, "pretty", "unknown"); got.State != StateOK || !strings.Contains(string(got.Raw), "\n") {
		t.Errorf("%+v", got)
	}
	if got := do(b, "pretty", "big"); got.State != StateOK || len(got.Raw) < 8<<20 {
		t.Errorf("%s %d", got.State, len(got.Raw))
	}
}

func TestNoiseOnStdoutIsSkippedAndShown(t *testing.T) {
	rec := newTraffic()
	b := ready(t, rec, child("noise"))
	if got := do(b, "noise", "notjson"); got.State != StateOK {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"Server started", "[db] connected", `{"level":"info"}`, "{ not json", "just talking"} {
		rec.until(t, func(f Frame) bool { return f.Direction == DirWarning && string(f.Raw) == want && f.Note != "" })
	}
}

func TestEveryKindOfAnswerHasItsState(t *testing.T) {
	b := ready(t, nil, child("plain"))
	for what, want := range map[string]Result{
		"nocontent": {State: StateOK, Raw: json.RawMessage(`{"structuredContent":{"protocol":"zimoos/os-frame"}}`)},
		"unknown":   {State: StateOK, Raw: json.RawMessage(`{"content":[{"type":"text","text":"t"},{"type":"json","json":{"n":1.0}}]}`)},
		"iserror":   {State: StateToolError, IsError: true, Raw: json.RawMessage(`{"isError":true,"content":[]}`)},
		"rpcerror":  {State: StateRPCError, IsError: true, RPCError: "not today (code -32042)"},
		"nothing":   {State: StateTransport, IsError: true},
		"utf8":      {State: StateOK, EncodingError: true, Raw: json.RawMessage("{\"content\":[{\"type\":\"text\",\"text\":\"\xb3\xc9\xb9\xa6\"}]}")},
	} {
		got := do(b, "plain", what)
		if got.State != want.State || got.IsError != want.IsError || got.RPCError != want.RPCError || got.EncodingError != want.EncodingError || string(got.Raw) != string(want.Raw) {
			t.Errorf("%s: %+v %s", what, got, got.Raw)
		}
	}
	if got := do(b, "plain", "big"); got.State != StateOK || len(got.Raw) < 8<<20 {
		t.Errorf("big: %s, %d bytes", got.State, len(got.Raw))
	}
	if got := b.Call(context.Background(), "plain", "none", nil); got.State != StateNotSent {
		t.Errorf("%+v", got)
	}
	if got := b.Call(context.Background(), "nobody", "echo", nil); got.State != StateNotSent {
		t.Errorf("%+v", got)
	}
}

func TestALateAnswerIsShownAndNeverApplied(t *testing.T) {
	rec := newTraffic()
	cfg := child("plain")
	b := ready(t, rec, cfg)
	b.servers[0].cfg.CallTimeout = 50 * time.Millisecond
	if got := do(b, "plain", "hold"); got.State != StateTimeout || !got.IsError {
		t.Fatalf("%+v", got)
	}
	rec.until(t, func(f Frame) bool { return f.Direction == DirOut && f.Method == "notifications/cancelled" })
	b.servers[0].cfg.CallTimeout = 30 * time.Second
	if got := do(b, "plain", "release"); got.State != StateOK || string(got.Raw) != "{}" {
		t.Errorf("%+v", got)
	}
	late := rec.until(t, func(f Frame) bool { return f.Late })
	if !strings.Contains(string(late.Raw), `"late":true`) {
		t.Errorf("%s", late.Raw)
	}
	if n := strings.Count(rec.all(), `"hold"`); n != 1 {
		t.Errorf("the call was sent %d times", n)
	}
}

func TestCancelEndsACallAtOnceAndTellsTheServer(t *testing.T) {
	rec := newTraffic()
	b := ready(t, rec, child("plain"))
	ctx, cancel := context.WithCancel(context.Background())
	b.OnTraffic(func(f Frame) {
		if f.Method == "tools/call" {
			cancel()
		}
	})
	got := b.Call(ctx, "plain", "echo", json.RawMessage(`{"do":"hold"}`))
	if got.State != StateCancelled {
		t.Fatalf("%+v", got)
	}
	rec.until(t, func(f Frame) bool { return f.Method == "notifications/cancelled" && f.Direction == DirOut })
	if got := b.Call(ctx, "plain", "echo", nil); got.State != StateNotSent {
		t.Errorf("%+v", got)
	}
}

func TestACrashMidCallIsAResultAndRefreshStartsTheServerAgain(t *testing.T) {
	b := ready(t, nil, child("plain"))
	before := b.Tools()
	if got := do(b, "plain", "crash"); got.State != StateTransport || !strings.Contains(got.Message, "exit code 7") {
		t.Fatalf("%+v", got)
	}
	if st := b.Status()[0]; st.State != ServerEnded || st.ExitCode == nil || *st.ExitCode != 7 || !strings.Contains(st.StderrTail, "segfault") {
		t.Errorf("%+v", st)
	}
	if len(b.Tools()) != len(before) {
		t.Error("the tools of an absent server left the list")
	}
	if got := do(b, "plain", "x"); got.State != StateNotSent {
		t.Errorf("%+v", got)
	}
	changed, changes := b.Refresh(context.Background())
	if changed || len(changes) != 1 || !changes[0].Restarted {
		t.Errorf("%v %+v", changed, changes)
	}
	if got := do(b, "plain", "x"); got.State != StateOK {
		t.Errorf("%+v", got)
	}
}

func TestANewToolListIsAppliedByRefreshOnly(t *testing.T) {
	b := ready(t, nil, child("plain"))
	if got := do(b, "plain", "swap"); got.State != StateOK {
		t.Fatalf("%+v", got)
	}
	if b.Tools()[1].Name != "swap" || !b.Status()[0].Stale {
		t.Error("the list changed within a turn, or its change was not noticed")
	}
	changed, changes := b.Refresh(context.Background())
	if !changed || b.Tools()[1].Name != "other" || fmt.Sprint(changes[0].Added, changes[0].Removed) != "[other] [swap]" {
		t.Errorf("%v %+v", changed, changes)
	}
	if got := b.Call(context.Background(), "plain", "swap", nil); got.State != StateNotSent {
		t.Errorf("%+v", got)
	}
	if changed, changes := b.Refresh(context.Background()); changed || changes != nil {
		t.Errorf("a second refresh: %v %+v", changed, changes)
	}
}

func TestPagesAreFollowedAndACursorThatStandsStillIsNot(t *testing.T) {
	if got := names(ready(t, nil, child("pages"))); got != "echo second" {
		t.Error(got)
	}
	b := ready(t, nil, child("cursor"))
	if got := names(b); got != "echo page2 page17" {
		t.Error(got)
	}
	if w := strings.Join(b.Status()[0].Warnings, "; "); !strings.Contains(w, "does not advance") || !strings.Contains(w, "twice") {
		t.Error(w)
	}
}

func names(b *Box) string {
	var list []string
	for _, tool := range b.Tools() {
		list = append(list, tool.Name)
	}
	return strings.Join(list, " ")
}

func TestErrorOutputIsDrainedBoundedAndReadable(t *testing.T) {
	rec := newTraffic()
	b := ready(t, rec, child("stderr"))
	rec.until(t, func(f Frame) bool { return f.Direction == DirStderr && string(f.Raw) == "成功" })
	st := b.Status()[0]
	if len(st.StderrTail) > 2*maxTailBytes || !strings.HasPrefix(st.StderrTail, "xxx") {
		t.Errorf("%d bytes", len(st.StderrTail))
	}
	if !strings.HasSuffix(st.StderrTail, "成功") {
		t.Errorf("%q", st.StderrTail[max(0, len(st.StderrTail)-20):])
	}
}

func TestCloseEndsAServerThatIgnoresTermAndWhatItStarted(t *testing.T) {
	rec := newTraffic()
	b, reports := box(t, rec, child("stubborn"), child("kids"), child("plain"))
	for _, r := range reports {
		if !r.OK {
			t.Fatalf("%+v", r)
		}
	}
	said := rec.until(t, func(f Frame) bool { return f.Direction == DirStderr && strings.HasPrefix(string(f.Raw), "grandchild") })
	grandchild, err := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(string(said.Raw)))
	if err != nil {
		t.Fatal(err)
	}
	pids := []int{grandchild}
	for _, st := range b.Status() {
		pids = append(pids, st.PID)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	for _, pid := range pids {
		if err := gone(t, pid); err != nil {
			t.Error(err)
		}
	}
	if err := b.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
	if got := do(b, "plain", "x"); got.State != StateNotSent {
		t.Errorf("%+v", got)
	}
}

func TestCloseEndsACallThatWaits(t *testing.T) {
	b := ready(t, nil, child("plain"))
	sent := make(chan struct{}, 1)
	b.OnTraffic(func(f Frame) {
		if f.Method == "tools/call" {
			sent <- struct{}{}
		}
	})
	got := make(chan Result)
	go func() { got <- do(b, "plain", "hold") }()
	<-sent
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if r := <-got; r.State != StateTransport {
		t.Errorf("%+v", r)
	}
}

func TestSecretsOfTheConfigurationAreShownNowhere(t *testing.T) {
	rec := newTraffic()
	cfg := child("plain")
	cfg.Env["TOKEN"] = `tok"en-12345`
	b := ready(t, rec, cfg)
	args := `{"k":"tok\"en-12345"}`
	if got := b.Call(context.Background(), "plain", "echo", json.RawMessage(args)); string(got.Raw) != `{"echo":`+args+`}` {
		t.Errorf("the result itself was changed: %s", got.Raw)
	}
	broken := ServerConfig{Name: "broken", Command: os.Args[0], Env: map[string]string{fakeEnv: "exit", "TOKEN": "no licence found"}}
	_, reports := box(t, rec, broken)
	if all := rec.all() + fmt.Sprintf("%+v %+v", b.Status(), reports); strings.Contains(all, "en-12345") || strings.Contains(all, "no licence found") {
		t.Error(all)
	}
}

func TestMcpGoServerOverStdio(t *testing.T) {
	b := ready(t, nil, child("good"))
	got := b.Call(context.Background(), "good", "zimoos.current", json.RawMessage(`{"a":1}`))
	if got.State != StateOK || !strings.Contains(string(got.Raw), `"text":"1"`) {
		t.Errorf("%+v %s", got, got.Raw)
	}
	if st := b.Status()[0]; st.Title != "good" || st.Version != "9.9" || st.Protocol != "2025-11-25" {
		t.Errorf("%+v", st)
	}
}
