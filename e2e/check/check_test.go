package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/agent"
	"zimoscope/backend/requestview/verdict"
)

const (
	system    = `{"role":"system","content":"You work in an interface."}`
	user      = `{"role":"user","content":"Go."}`
	offered   = `[{"type":"function","function":{"name":"os__zimoos_x2e_current","parameters":{}}},{"type":"function","function":{"name":"os__zimoos_x2e_act","parameters":{}}},{"type":"function","function":{"name":"os__zimoos_x2e_search","parameters":{}}}]`
	answered  = "Notes (c3) shows 7 items."
	separator = ","
)

func call(id, tool string) string {
	return fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":%q,"type":"function","function":{"name":"os__zimoos_x2e_%s","arguments":"{}"}}],"content":"Summary: seen."}`, id, tool)
}

func record(id, tool, cursor, summary string) string {
	text := fmt.Sprintf("Action: zimoos.%s {}\nOutcome: ok\nFrame audit: frameCursor=%s title=\"Notes\" status=idle visible=7 actions=0 handles=0%s", tool, cursor, summary)
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":%s}`, id, raw)
}

const sealed = "\nSummary: seen."

func tail(cursor string) string {
	return `{"role":"user","content":"The current screen follows.\n\n<zimoos source=\"zimoos.currentFrame\" request_only=\"true\" frame_cursor=\"` + cursor +
		`\" updated_at=\"\" visible_content_count=\"7\">\ntitle: Notes\nframeCursor: ` + cursor + `\nstatus: idle\n</zimoos>"}`
}

// request is a body of these messages; its tail starts where the last message's block does.
func request(n int, messages ...string) Request {
	body := `{"model":"m","stream":true,"tools":` + offered + `,"messages":[` + strings.Join(messages, separator) + `]}`
	q := Request{N: n, Body: []byte(body), Proof: agent.ProofHolds}
	q.Meta = verdict.Meta{Thread: "t", Kind: verdict.KindMain, Predecessor: n - 1, TailOffset: tailOf(n, body)}
	return q
}

// tailOf: the carrier is a message of its own in all requests but the first, which has no tail.
func tailOf(n int, body string) int {
	if n == 1 {
		return -1
	}
	return strings.LastIndex(body, `{"role":"user","content":"The current`)
}

// good is a recorded run that passes: three tools, three frames, an answer.
func good() Run {
	c1, c2, c3 := call("1", "current"), call("2", "act"), call("3", "search")
	r1, r2 := record("1", "current", "c1", sealed), record("2", "act", "c2", sealed)
	pending := func(id, tool, cursor string) string { return record(id, tool, cursor, "") }
	return Run{
		Requests: []Request{
			request(1, system, user),
			request(2, system, user, c1, pending("1", "current", "c1"), tail("c1")),
			request(3, system, user, c1, r1, c2, pending("2", "act", "c2"), tail("c2")),
			request(4, system, user, c1, r1, c2, r2, c3, record("3", "search", "c3", sealed), tail("c3")),
		},
		Offered: MustCall(),
		Called:  MustCall(),
		Cursors: []string{"c1", "c2", "c3"},
		Answer:  answered,
		JSONL:   []byte(strings.Join([]string{user, c1, r1, c2, r2, c3, record("3", "search", "c3", sealed)}, "\n") + "\n"),
	}
}

func TestARunThatKeepsEveryPromisePasses(t *testing.T) {
	if r := Check(good()); len(r.Failures) > 0 || len(r.Verdicts) != 4 {
		t.Errorf("%v %v", r.Failures, r.Verdicts)
	}
}

// swap changes one request of a run.
func swap(n int, from, to string) func(*Run) {
	return func(r *Run) {
		q := &r.Requests[n-1]
		text := strings.ReplaceAll(string(q.Body), from, to)
		if text == string(q.Body) {
			panic("nothing to replace: " + from)
		}
		q.Body, q.Meta.TailOffset = []byte(text), tailOf(n, text)
	}
}

// swapFrom changes a request and all that follow, so that only what it says is wrong.
func swapFrom(n int, from, to string) func(*Run) {
	return func(r *Run) {
		for i := n; i <= len(r.Requests); i++ {
			swap(i, from, to)(r)
		}
	}
}

// exported changes the exported conversation.
func exported(from, to string) func(*Run) {
	return func(r *Run) {
		text := strings.ReplaceAll(string(r.JSONL), from, to)
		if text == string(r.JSONL) {
			panic("nothing to replace: " + from)
		}
		r.JSONL = []byte(text)
	}
}

func TestEveryAssertionFailsWhenItsPromiseIsBroken(t *testing.T) {
	cases := []struct {
		name, id string
		change   func(*Run)
	}{
		{"nothing captured", Captured, func(r *Run) { r.Requests = nil }},
		{"not proved", Captured, func(r *Run) { r.Requests[1].Proof = agent.ProofPending }},
		{"no body", Captured, func(r *Run) { r.Requests[1].Body = []byte("{") }},
		{"system moved", "A1", swap(3, "in an interface", "at 12:00")},
		{"second system message", "A2", swapFrom(2, user+",", user+`,{"role":"system","content":"Loop warning."},`)},
		{"raw frame in the block", "A3", swap(4, `status: idle\n</zimoos>`, `{\"protocol\":\"zimoos/os-frame\",\"version\":\"1\",\"frameCursor\":\"c3\",\"visibleContent\":[]}\n</zimoos>`)},
		{"no block", "A3", swap(4, `<zimoos source`, `<other source`)},
		{"two blocks", "A3", swap(4, `</zimoos>`, `</zimoos><zimoos state=\"none\"></zimoos>`)},
		{"exported tail", "A4", func(r *Run) { r.JSONL = append(r.JSONL, tail("c1")...) }},
		{"nothing exported", "A4", func(r *Run) { r.JSONL = nil }},
		{"frame in history", "A5", swapFrom(2, `"Go."`, `"Go. <zimoos a>x</zimoos>"`)},
		{"old marker in history", "A5", swapFrom(2, `"Go."`, `"Go. [ZimoOS Current Frame]"`)},
		{"pending past its step", "A6", swapFrom(3, `handles=0\nSummary: seen.`, `handles=0`)},
		{"old frame in the block", "A7", swap(4, tail("c3"), tail("c1"))},
		{"bytes before the tail moved", "A8", swap(4, `"Go."`, `"Go!"`)},
		{"history rewritten", "A9", swap(4, `frameCursor=c1`, `frameCursor=cx`)},
		{"orphan result", "A11", swapFrom(3, `"tool_call_id":"1"`, `"tool_call_id":"9"`)},
		{"illegal name", "A12", func(r *Run) { swapFrom(1, "os__zimoos_x2e_act", "os.zimoos.act")(r) }},
		{"unplanned change", Verdicts, swap(3, `"Go."`, `"Gone."`)},
		{"not offered", Tools, func(r *Run) { r.Offered = r.Offered[:2] }},
		{"MCP not called", Tools, func(r *Run) { r.Called = r.Called[1:] }},
		{"renamed tool", Tools, swapFrom(1, "zimoos_x2e_search", "zimoos_search")},
		{"one frame", Slot, func(r *Run) { r.Cursors = []string{"c1", "c1"} }},
		{"one frame in the requests", Slot, func(r *Run) { r.Requests = r.Requests[:2] }},
		{"no record of a tool", Records, exported("Action: zimoos.search", "Did: zimoos.search")},
		{"a record without a summary", Records, exported(`Summary: seen."}`+"\n"+`{"role":"assistant"`, `"}`+"\n"+`{"role":"assistant"`)},
		{"answer without title", Answer, func(r *Run) { r.Answer = "c3 shows 7 items." }},
		{"answer with an old cursor", Answer, func(r *Run) { r.Answer = "Notes (c2) shows 7 items." }},
		{"answer with another count", Answer, func(r *Run) { r.Answer = "Notes (c3) shows 17 items." }},
		{"count only in the cursor", Answer, func(r *Run) {
			swap(4, "c3", "c7")(r)
			r.Answer = "Notes (c7)."
		}},
		{"no answer", Answer, func(r *Run) { r.Answer = "" }},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			run := good()
			tc.change(&run)
			r := Check(run)
			if !slices.ContainsFunc(r.Failures, func(f Failure) bool { return f.ID == tc.id }) {
				t.Errorf("%s does not fail: %v", tc.id, r.Failures)
			}
		})
	}
}

func TestADerivedSummaryIsANoteNotAFailure(t *testing.T) {
	run := good()
	swapFrom(3, `handles=0\nSummary: seen.`, `handles=0\nSummary (derived): it ended.`)(&run)
	r := Check(run)
	if len(r.Failures) > 0 || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "A6") {
		t.Errorf("%v %v", r.Failures, r.Notes)
	}
}

func TestThePromptNamesTheThreeToolsInChinese(t *testing.T) {
	for _, want := range append(MustCall(), "frameCursor", "不需要确认", "标题") {
		if !strings.Contains(Prompt(), want) {
			t.Errorf("%q is missing", want)
		}
	}
}
