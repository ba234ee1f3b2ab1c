//go:build linux

package faults

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"zimoscope/app/stored"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

// commandLimit bounds one command, so that a hang fails the test instead of the run.
const commandLimit = 2 * time.Minute

// home is an empty home with its own data folder.
type home struct {
	dir, data string
}

func newHome(t *testing.T) home {
	t.Helper()
	dir := t.TempDir()
	return home{dir, filepath.Join(dir, "data")}
}

func (h home) command(args ...string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), commandLimit)
	cmd := exec.CommandContext(ctx, program, append([]string{"--data", h.data}, args...)...)
	cmd.Dir = h.dir
	cmd.Env = []string{"HOME=" + h.dir, "PATH=" + os.Getenv("PATH"), "ZIMOSCOPE_DEMO_FAST=1", "SHELL=/bin/sh"}
	return cmd, cancel
}

// do runs a command to its end.
func (h home) do(t *testing.T, args ...string) (out, errOut string, exit int) {
	t.Helper()
	cmd, cancel := h.command(args...)
	defer cancel()
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// told is one line of --json: what the process acknowledged.
type told struct {
	Event, Session, Verdict, Status, Proof, Tool, Outcome, Source, Text string
	N                                                                   int
}

// runKilled starts a run and kills it when the time has passed; a run that is quicker ends by itself.
func runKilled(t *testing.T, h home, after time.Duration) []told {
	t.Helper()
	cmd, cancel := h.command("run", "--demo", "--json", "--session", "killed")
	defer cancel()
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	kill := time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // it may have ended
	list := read(out)
	kill.Stop()
	_ = cmd.Wait() // killed is what it is to be
	return list
}

// read takes whole lines: what was cut was not acknowledged.
func read(out interface{ Read([]byte) (int, error) }) (list []told) {
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return list
		}
		var e told
		if json.Unmarshal(line, &e) == nil {
			list = append(list, e)
		}
	}
}

// TestKilledAtAnyInstantNothingAcknowledgedIsLost kills the built program at random instants of a whole demo run.
func TestKilledAtAnyInstantNothingAcknowledgedIsLost(t *testing.T) {
	r := chance(t)
	start := time.Now()
	whole := runKilled(t, newHome(t), commandLimit)
	span := time.Since(start)
	if len(whole) < 30 {
		t.Fatalf("an unharmed run tells of %d events only", len(whole))
	}
	cut, want := 0, times(5, 200)
	for round := 0; cut < want; round++ {
		h := newHome(t)
		after := time.Duration(r.Int64N(int64(span)))
		list := runKilled(t, h, after)
		if len(list) < len(whole) {
			cut++
		}
		if !afterKill(t, h, list) {
			t.Fatalf("round %d: killed after %v and %d events", round, after, len(list))
		}
	}
	t.Logf("%d runs of about %v were killed in their middle", cut, span.Round(time.Millisecond))
}

func afterKill(t *testing.T, h home, list []told) bool {
	t.Helper()
	st, err := store.New(h.data)
	must(t, err)
	all, err := st.List()
	must(t, err)
	if len(all) == 0 {
		return len(list) == 0
	}
	if all[0].Damaged != "" {
		t.Error(all[0].Damaged)
		return false
	}
	requestsThere(t, st, all[0].ID, list)
	out, errOut, exit := h.do(t, "run", "--resume", all[0].ID, "--prompt", "Go on.", "--json")
	if exit != 0 {
		t.Errorf("the session does not go on: exit %d\n%s%s", exit, out, errOut)
		return false
	}
	sess, err := st.Open(all[0].ID)
	must(t, err)
	defer func() { must(t, sess.Close()) }()
	verified(t, sess)
	conversationThere(t, conversation(t, sess), list)
	return !t.Failed()
}

// requestsThere holds the store, as the kill left it, to the requests that were told.
func requestsThere(t *testing.T, st *store.Store, id string, list []told) {
	t.Helper()
	sess, err := st.Open(id)
	must(t, err)
	defer func() { must(t, sess.Close()) }()
	recs, err := stored.Records(sess)
	must(t, err)
	for _, e := range list {
		switch {
		case e.Event != "request":
		case e.N > len(recs):
			t.Errorf("request %d was told, %d are there", e.N, len(recs))
		default:
			rec := recs[e.N-1]
			if got := fmt.Sprint(rec.Status, rec.Proof, rec.Verdict.Verdict); got != fmt.Sprint(e.Status, e.Proof, e.Verdict) {
				t.Errorf("request %d: %s is stored, %+v was told", e.N, got, e)
			}
			if _, err := sess.Response(e.N); err != nil {
				t.Errorf("response %d: %v", e.N, err)
			}
		}
	}
}

// conversationThere holds the conversation, once resumed, to what was told: prompts, answers, outcomes, summaries.
func conversationThere(t *testing.T, tr *transcript.Transcript, list []told) {
	t.Helper()
	var prompts, answers, outcomes, summaries []string
	for line := range bytes.Lines(tr.JSONL()) {
		var m struct{ Role, Content string }
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		switch m.Role {
		case "user":
			prompts = append(prompts, m.Content)
		case "assistant":
			answers = append(answers, m.Content)
		case "tool":
			outcomes = append(outcomes, field(m.Content, "Outcome: "))
			if s := field(m.Content, "Summary: "); s != "" {
				summaries = append(summaries, s)
			}
		}
	}
	at := map[string]int{}
	next := func(kind string, have []string, want string) {
		for at[kind] < len(have) && kind == "answer" && have[at[kind]] != want {
			at[kind]++ // words beside calls are no answers
		}
		if i := at[kind]; i >= len(have) || have[i] != want {
			t.Errorf("%s %d was told as %q and is not there: %q", kind, i+1, want, have)
		}
		at[kind]++
	}
	for _, e := range list {
		switch e.Event {
		case "prompt":
			next("prompt", prompts, e.Text)
		case "answer":
			next("answer", answers, e.Text)
		case "result":
			if !strings.HasPrefix(e.Tool, "zimoos.") {
				e.Outcome = "" // an ordinary result has no line for it
			}
			next("result", outcomes, e.Outcome)
		case "sealed":
			next("summary", summaries, e.Text)
		}
	}
}

// field gives a line of a record.
func field(record, label string) string {
	lines := strings.Split(record, "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, label) })
	if i < 0 {
		return ""
	}
	return strings.TrimPrefix(lines[i], label)
}
