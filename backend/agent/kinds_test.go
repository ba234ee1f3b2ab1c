package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

// The tests of this file each pin a kind of bug that agents of this sort are known for.

func scan(t *testing.T, raw []byte) *wire.Body {
	t.Helper()
	b, err := wire.Scan(raw)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheStablePrefixIsTheSamePastMidnightAndAfterResume(t *testing.T) {
	now := time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)
	r := newRig(t, Options{Now: func() time.Time { return now }})
	r.model.replies = []reply{{text: "Summary: one.", calls: acts(`{}`)}, {text: "Late."}, {text: "Early."}, {text: "Back."}}
	r.must("before")
	now = now.Add(2 * time.Minute)
	r.must("after")
	now = now.Add(48 * time.Hour)
	r.reopen()
	r.must("another day")
	var first []byte
	for i, raw := range r.model.bodies {
		b := scan(t, raw)
		_, end := b.Range(wire.KindMessage, 0)
		if first == nil {
			first = raw[:end]
		}
		if !bytes.Equal(raw[:end], first) {
			t.Errorf("request %d begins with other bytes:\n%s\n%s", i+1, first, raw[:end])
		}
	}
	r.audit()
}

func TestRepeatedCallIDsStayWithTheirOwnCalls(t *testing.T) {
	r := newRig(t, Options{})
	twice := []provider.Call{call(act, `{"n":1}`), call(act, `{"n":2}`)} // both carry the same id
	r.model.replies = []reply{{text: "a", calls: twice}, {text: "Summary: first round.", calls: twice}, {text: "Summary: second round."}}
	r.must("go")
	b := scan(t, []byte(lastBody(r)))
	var open []string
	for i := range b.Messages.Len() {
		raw := b.Bytes(wire.KindMessage, i)
		var m struct {
			Role  string                `json:"role"`
			ID    string                `json:"tool_call_id"`
			Calls []struct{ ID string } `json:"tool_calls"`
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		for _, c := range m.Calls {
			if slices.Contains(open, c.ID) {
				t.Errorf("the id %q stands twice in one response", c.ID)
			}
			open = append(open, c.ID)
		}
		if m.Role == "tool" {
			if len(open) == 0 || open[0] != m.ID {
				t.Fatalf("message %d answers %q, open are %q", i, m.ID, open)
			}
			open = open[1:]
		}
	}
	if n := strings.Count(string(r.s.Transcript().JSONL()), `Summary: first round.`); n != 2 { // its record, and the words themselves
		t.Errorf("the summary stands %d times", n)
	}
	r.audit()
}

func TestTwoActionsOfOneResponseKeepTheCursorsTheyWereMadeWith(t *testing.T) {
	r := newRig(t, Options{})
	stale := `{"isError":true,"content":[{"type":"text","text":"stale cursor c1"}]}`
	r.tools.results = []string{"", "", stale}
	two := []provider.Call{call(act, `{"frameCursor":"c1","cmd":"a"}`), call(act, `{"frameCursor":"c1","cmd":"b"}`)}
	r.model.replies = []reply{{text: "x", calls: acts(`{}`)}, {text: "Summary: s", calls: two}, {text: "Summary: the second was stale."}}
	r.must("go")
	if got := strings.Join(r.tools.got[1:], " | "); got != `zimoos.act {"frameCursor":"c1","cmd":"a"} | zimoos.act {"frameCursor":"c1","cmd":"b"}` {
		t.Errorf("MCP got %s", got)
	}
	if c := r.s.Slot().Frame.Cursor; c != "c2" {
		t.Errorf("the slot holds %s, not the frame of the action that worked", c)
	}
	jsonl := string(r.s.Transcript().JSONL())
	if !strings.Contains(jsonl, `Outcome: error\nResult: stale cursor c1`) {
		t.Errorf("the refused action is not told: %s", jsonl)
	}
	r.audit()
}

func TestTheModelsWordsNeverOverwriteTheOutcome(t *testing.T) {
	r := newRig(t, Options{})
	r.tools.results = []string{`{"isError":true,"content":[{"type":"text","text":"refused"}]}`}
	r.model.replies = []reply{
		{text: "x", calls: acts(`{}`)},
		{text: "Summary: It worked.\nOutcome: ok\nFrame audit: frameCursor=c9", calls: acts(`{}`)},
		{text: "Summary: done $1 ${x} $& \\1"},
	}
	r.must("go")
	var records []string
	for line := range strings.Lines(string(r.s.Transcript().JSONL())) {
		var m struct{ Role, Content string }
		if err := json.Unmarshal([]byte(line), &m); err == nil && m.Role == "tool" {
			records = append(records, m.Content)
		}
	}
	if len(records) != 2 {
		t.Fatalf("%q", records)
	}
	lines := strings.Split(records[0], "\n")
	if len(lines) != 5 || lines[1] != "Outcome: error" || lines[3] != "Frame audit: none" || lines[4] != "Summary: It worked." {
		t.Errorf("%q", lines)
	}
	if !strings.HasSuffix(records[1], "\nSummary: done $1 ${x} $& \\1") {
		t.Errorf("a summary must be inserted as it is: %q", records[1])
	}
	r.audit()
}

// garbled gives a good frame in bytes that were not UTF-8 when they came.
type garbled struct{ *fakeTools }

func (g garbled) Call(ctx context.Context, server, tool string, args json.RawMessage) toolbox.Result {
	res := g.fakeTools.Call(ctx, server, tool, args)
	res.EncodingError = true
	return res
}

func TestAFrameInBytesThatAreNoUTF8IsNotTakenForGood(t *testing.T) {
	r := newRig(t, Options{})
	sess, err := r.st.Create(store.Info{Name: "garbled"})
	if err != nil {
		t.Fatal(err)
	}
	defer sess.Close()
	o := r.o
	o.Tools, o.Journal, o.Thread = garbled{r.tools}, sess, sess.ID
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	r.model.replies = []reply{{text: "x", calls: acts(`{}`)}, {text: "Summary: unreadable."}}
	if _, err := s.Prompt(context.Background(), "go", nil); err != nil {
		t.Fatal(err)
	}
	if s.Slot().Frame != nil {
		t.Error("the slot took it")
	}
	if !strings.Contains(string(s.Transcript().JSONL()), "Outcome: rejected") {
		t.Errorf("%s", s.Transcript().JSONL())
	}
}

func TestAFailedServerEndsNoTurnAndKeepsTheTools(t *testing.T) {
	r := newRig(t, Options{})
	r.tools.states = []string{toolbox.StateRPCError, toolbox.StateTransport, toolbox.StateNotSent}
	for range 3 {
		r.model.replies = append(r.model.replies, reply{text: "Summary: trying.", calls: acts(`{}`)})
	}
	r.model.replies = append(r.model.replies, reply{text: "Summary: it is gone."})
	if a := r.must("go"); a == "" {
		t.Fatal("no answer")
	}
	first, last := scan(t, r.model.bodies[0]), scan(t, []byte(lastBody(r)))
	n := first.Tools.Len()
	if n == 0 || last.Tools.Len() != n {
		t.Fatalf("%d tools, then %d", n, last.Tools.Len())
	}
	for i := range n {
		if !bytes.Equal(first.Bytes(wire.KindTool, i), last.Bytes(wire.KindTool, i)) {
			t.Errorf("tool %d changed", i)
		}
	}
	r.audit()
}
