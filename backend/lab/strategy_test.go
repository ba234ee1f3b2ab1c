package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

func rebuilt(t *testing.T, name string, list []*verdict.Request) []*wire.Body {
	t.Helper()
	out, err := Rebuild(name, list)
	if err != nil {
		t.Fatal(name, err)
	}
	return out
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func TestAsRecordedIsTheRecordedBytes(t *testing.T) {
	list := session(t, 3, 3)
	for _, raw := range []string{
		`{"model":"m","system":"short","messages":[{"role":"user","content":"x"}],"max_tokens":5}`,
		`{"max_tokens":5,"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}],"tools":[{"name":"a"}],"model":"m"}`,
		`{"model":"m","input":[{"type":"message","role":"user","content":"x"},{"type":"function_call","name":"f"}],"instructions":"be"}`,
		`{"messages":[{"role":"user","content":"<zimoos>x</zimoos>"}]}`,
	} {
		b, err := wire.Scan([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &verdict.Request{Body: b})
	}
	for i, b := range rebuilt(t, AsRecorded, list) {
		if string(b.Raw) != string(list[i].Body.Raw) {
			t.Errorf("request %d:\n%s\n%s", i+1, list[i].Body.Raw, b.Raw)
		}
	}
}

func TestRebuildingIsAPureFunction(t *testing.T) {
	list := session(t, 2, 3)
	for _, name := range StrategyNames() {
		a, b := rebuilt(t, name, list), rebuilt(t, name, list)
		for i := range a {
			if string(a[i].Raw) != string(b[i].Raw) {
				t.Errorf("%s: request %d differs", name, i+1)
			}
		}
		if About(name) == "" {
			t.Errorf("%s says nothing of itself", name)
		}
	}
	if _, err := Rebuild("nonsense", nil); err == nil || !strings.Contains(err.Error(), BlockAtEnd) {
		t.Error(err)
	}
}

func TestBlockAtEndIsHistoryThenOneCarrier(t *testing.T) {
	list := session(t, 2, 2)
	for i, b := range rebuilt(t, BlockAtEnd, list) {
		m := messagesOf(b)
		if n := strings.Count(strings.Join(m, ""), "<zimoos"); n != 1 || !strings.Contains(m[len(m)-1], "<zimoos") {
			t.Errorf("request %d: %d blocks, last message %s", i+1, n, m[len(m)-1])
		}
		if i == 0 && (m[1] != userMsg(0) || m[2] != `{"role":"user","content":"\n\n<zimoos frame_cursor=\"c1\">frame 1</zimoos>"}`) {
			t.Errorf("%q", m)
		}
	}
}

func TestMovedPartsAreTheSameParts(t *testing.T) {
	list := session(t, 2, 3)
	base := rebuilt(t, BlockAtEnd, list)
	for i, b := range rebuilt(t, TailBeforeLast, list) {
		m := messagesOf(b)
		if !slices.Equal(sorted(m), sorted(messagesOf(base[i]))) || !strings.Contains(m[len(m)-2], "<zimoos") {
			t.Errorf("request %d: %q", i+1, m)
		}
	}
	orders := map[string]bool{}
	for i, b := range rebuilt(t, ToolsReordered, list) {
		if !slices.Equal(sorted(toolsOf(b)), sorted(toolsOf(base[i]))) || !slices.Equal(messagesOf(b), messagesOf(base[i])) {
			t.Errorf("request %d: %q", i+1, toolsOf(b))
		}
		orders[strings.Join(toolsOf(b), "")] = true
	}
	if len(orders) != 3 {
		t.Errorf("%d orders of three tools", len(orders))
	}
	for i, b := range rebuilt(t, TailSystem, list) {
		m := messagesOf(b)
		if !strings.HasPrefix(m[len(m)-1], `{"role":"system","content":"`) {
			t.Errorf("%s", m[len(m)-1])
		}
		m[len(m)-1] = strings.Replace(m[len(m)-1], "system", "user", 1)
		if !slices.Equal(m, messagesOf(base[i])) {
			t.Errorf("request %d: %q", i+1, m)
		}
	}
	for i, b := range rebuilt(t, DateInSystem, list) {
		m := messagesOf(b)
		if !strings.HasPrefix(m[0], `{"role":"system","content":"The time is 1970-01-01T00:0`) || !strings.HasSuffix(m[0], `\nYou drive it."}`) || !slices.Equal(m[1:], messagesOf(base[i])[1:]) {
			t.Errorf("request %d: %q", i+1, m[0])
		}
	}
}

func TestFramesInHistoryStayWhereTheyStood(t *testing.T) {
	list := session(t, 2, 3)
	base := rebuilt(t, BlockAtEnd, list)
	var before []string
	for i, b := range rebuilt(t, FramesInHistory, list) {
		m := messagesOf(b)
		frames, rest := []string{}, []string{}
		for _, x := range m {
			if strings.Contains(x, "<zimoos") {
				frames = append(frames, x)
			} else {
				rest = append(rest, x)
			}
		}
		last := messagesOf(base[i])
		if len(frames) != i+1 || !slices.Equal(rest, last[:len(last)-1]) || frames[i] != last[len(last)-1] {
			t.Fatalf("request %d: %q", i+1, m)
		}
		for k, x := range before { // only the record that was pending may have grown
			if m[k] != x && !strings.HasPrefix(m[k], strings.TrimSuffix(x, `"}`)) {
				t.Fatalf("request %d, message %d: %q was %q", i+1, k, m[k], x)
			}
		}
		before = m
	}
}

func TestAWindowTakesTheCarriersOfWhatLeftAlong(t *testing.T) {
	m := []string{userMsg(0), call(1), sealedMsg(1), call(2), sealedMsg(2)}
	list := []*verdict.Request{
		request(t, 1, m[:3], strings.ReplaceAll(carrier, "%d", "1"), true),
		request(t, 2, m, strings.ReplaceAll(carrier, "%d", "2"), true),
		request(t, 3, append([]string{m[0]}, m[3:]...), strings.ReplaceAll(carrier, "%d", "3"), true),
	}
	got := messagesOf(rebuilt(t, FramesInHistory, list)[2])
	if len(got) != 6 || !strings.Contains(got[4], "c2") || !strings.Contains(got[5], "c3") {
		t.Fatalf("%q", got)
	}
}

func TestRewrittenRecordsGetTheirSummaryWhenTheTurnIsOver(t *testing.T) {
	list := session(t, 2, 3)
	out := rebuilt(t, Rewritten, list)
	if last := strings.Join(messagesOf(out[3]), ""); strings.Contains(last, "Summary") || strings.Count(last, "Action") != 3 {
		t.Errorf("within the turn: %s", last)
	}
	if next := strings.Join(messagesOf(out[4]), ""); strings.Count(next, "Summary") != 3 {
		t.Errorf("in the next turn: %s", next)
	}
}

func TestOldResultsAreMaskedAndNewOnesWhole(t *testing.T) {
	list := session(t, 1, wholeResults+2)
	m := messagesOf(rebuilt(t, Masked, list)[wholeResults+2])
	if n := strings.Count(strings.Join(m, ""), "an old result, left out"); n != 2 || !strings.Contains(m[3], "left out") {
		t.Fatalf("%d: %q", n, m)
	}
	raw := `{"messages":[{"role":"user","content":"go"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"a long text that is an old result"},{"type":"text","text":"and"}]}` +
		strings.Repeat(`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"2","content":"x"}]}`, wholeResults) + `]}`
	b, err := wire.Scan([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":` + maskedText + `},{"type":"text","text":"and"}]}`
	if got := messagesOf(rebuilt(t, Masked, []*verdict.Request{{Body: b}})[0])[1]; got != want {
		t.Fatal(got)
	}
}

func TestWindowsKeepTheFirstPromptAndTheNewestGroups(t *testing.T) {
	list := session(t, 1, 40)
	base := rebuilt(t, BlockAtEnd, list)
	for _, name := range []string{WindowSliding, WindowBlocks} {
		moves, cut := 0, ""
		for i, b := range rebuilt(t, name, list) {
			m, whole := messagesOf(b), messagesOf(base[i])
			if m[1] != userMsg(0) || len(m) > 3 && !strings.Contains(m[2], "assistant") || !slices.Equal(m[2:], whole[len(whole)-len(m)+2:]) {
				t.Fatalf("%s, request %d: %q", name, i+1, m)
			}
			if len(m) < len(whole) && m[2] != cut {
				moves, cut = moves+1, m[2]
			}
		}
		if name == WindowSliding && moves < 15 || name == WindowBlocks && (moves == 0 || moves > 5) {
			t.Errorf("%s moved %d times in 40 steps", name, moves)
		}
	}
}

func TestMarksStandWhereTheirStrategySays(t *testing.T) {
	list := session(t, 2, 2)
	r, err := record(context.Background(), inputOf(list), byteCounter{}, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		behind := func(name string) string {
			s, _ := strategyNamed(name)
			next := s.start(r)
			for k := range i {
				next(k)
			}
			d := next(i)
			p := r.prompt(&d, 0)
			if len(p.Marks) != 1 {
				t.Fatal(name, p.Marks)
			}
			text := ""
			for _, id := range p.Pieces[p.Head:p.Marks[0]] {
				text += string(r.pieces.Get(id).Text)
			}
			return text[strings.LastIndex(text, `{"role"`)+0:]
		}
		if got := behind(MarkLastSealed); strings.Contains(got, "<zimoos") || strings.Contains(got, `"Action`) && !strings.Contains(got, "Summary") || strings.Contains(got, "tool_calls") {
			t.Errorf("request %d: a mark behind %s", i+1, got)
		}
		if got := behind(MarkInCarrier); !strings.Contains(got, "<zimoos") {
			t.Errorf("request %d: a mark behind %s", i+1, got)
		}
		if got := behind(MarkOnPending); i%3 > 0 && (!strings.Contains(got, `"Action`) || strings.Contains(got, "Summary")) {
			t.Errorf("request %d: a mark behind %s", i+1, got)
		}
		if got := behind(MarkFixed); got != userMsg(0) {
			t.Errorf("request %d: a mark behind %s", i+1, got)
		}
	}
}

// A window of a history that is one long message has nothing to leave out.
func TestASessionOfOneMessageGoesThroughEveryStrategy(t *testing.T) {
	list := []*verdict.Request{request(t, 1, []string{userMsg(1)}, "", false)}
	r, err := Run(t.Context(), inputOf(list), Options{Counter: byteCounter{}})
	if err != nil || len(r.Requests) != 1 || len(r.Strategies) == 0 {
		t.Fatalf("%v %+v", err, r)
	}
}

// Another agent's records say in their own words that they are pending, and a state that it sends behind the history moves
// with each request: a mark on either is never found again.
func TestMarksPassOverWhatAnotherAgentStillChanges(t *testing.T) {
	const waiting = `{"role":"tool","tool_call_id":"1","content":"[Operation] Action: act {} Summary: pending correction. Frame audit: cursor=c1"}`
	state := `{"role":"system","content":"Current task: look"}`
	r := newRecording(cachemodel.O200k())
	q := request(t, 1, []string{userMsg(1), call(1), waiting, state}, fmt.Sprintf(carrier, 1), true)
	q.Meta = nil
	r.take(q, Request{})
	s := &r.steps[0]
	if at := lastSealed(r, s); at != 0 {
		t.Errorf("the mark of the last sealed message stands on message %d behind the system text, want the prompt", at)
	}
	if at := lastOfHistory(r, s); at != 2 {
		t.Errorf("the mark of the last message stands on message %d behind the system text, want the record", at)
	}
}
