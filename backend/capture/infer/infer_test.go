package infer

import (
	"fmt"
	"strings"
	"testing"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

func request(t *testing.T, raw string) *verdict.Request {
	t.Helper()
	b, err := wire.Scan([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return &verdict.Request{Body: b}
}

func chat(tools, system string, messages ...string) string {
	return fmt.Sprintf(`{"model":"m","tools":[%s],"messages":[{"role":"system","content":%q}%s]}`, tools, system, strings.Join(append([]string{""}, messages...), ","))
}

func user(s string) string      { return fmt.Sprintf(`{"role":"user","content":%q}`, s) }
func assistant(s string) string { return fmt.Sprintf(`{"role":"assistant","content":%q}`, s) }
func result(s string) string {
	return fmt.Sprintf(`{"role":"tool","tool_call_id":"c","content":%q}`, s)
}

// blocks is a request of content blocks whose second result says s; items one of items whose output does.
func blocks(s string) string {
	return fmt.Sprintf(`{"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"a","input":{}},{"type":"tool_use","id":"y","name":"b","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"same"},{"type":"tool_result","tool_use_id":"y","content":[{"type":"text","text":%q}]}]},{"role":"assistant","content":"done"}]}`, s)
}

func items(s string) string {
	return fmt.Sprintf(`{"model":"m","instructions":"s","input":[{"type":"function_call","call_id":"f","name":"a","arguments":"{}"},{"type":"function_call_output","call_id":"f","output":%q},{"role":"assistant","content":"done"}]}`, s)
}

const read, write = `{"name":"read","description":"Reads.","parameters":{"type":"object"}}`, `{"name":"write","description":"Writes.","parameters":{}}`

func TestWhatTheBytesShow(t *testing.T) {
	long := strings.Repeat("many words of an old message ", 20)
	old := []string{user("go"), assistant(long), result(long), assistant(long + "2"), result(long + "3"), assistant("now"), user("more")}
	for _, c := range []struct {
		name, before, after string
		want                string // cause: a piece of the evidence; "" when nothing may be said
	}{
		{"an appended step", chat(read, "s", old[:2]...), chat(read, "s", old[:4]...), ""},
		{"tools in another order", chat(read+","+write, "s", user("a")), chat(write+","+read, "s", user("a")), `tools-reordered: "write" stands where "read" stood`},
		{"a tool more", chat(read, "s", user("a")), chat(read+","+write, "s", user("a")), `tools-added: "write"`},
		{"a tool less", chat(read+","+write, "s", user("a")), chat(read, "s", user("a")), `tools-removed: "write"`},
		{"a description", chat(read, "s"), chat(strings.Replace(read, "Reads.", "Reads files.", 1), "s"), `tool-description: tool "read": "Reads." became "Reads files."`},
		{"a schema", chat(read, "s"), chat(strings.Replace(read, "object", "array", 1), "s"), `tool-schema: tool "read"`},
		{"a tool in other bytes", chat(read, "s"), chat(`{"description":"Reads.", "name":"read","parameters":{"type":"object"}}`, "s"), `serialisation: tool "read"`},
		{"a date", chat(read, "Today is 2026-11-30 09:00:01. Be kind.", user("a")), chat(read, "Today is 2026-11-30 09:00:07. Be kind.", user("a")), `time-in-system: only "2026-11-30 09:00:01" became "2026-11-30 09:00:07"`},
		{"a number", chat(read, "You have 8 tries.", user("a")), chat(read, "You have 7 tries.", user("a")), `number-in-system: only "8" became "7"`},
		{"an id", chat(read, "Session 0f3a1b2c4d5e6f70.", user("a")), chat(read, "Session 1f3a1b2c4d5e6f71.", user("a")), `id-in-system`},
		{"words", chat(read, "Be kind to 3 of them.", user("a")), chat(read, "Be brief to 3 of them.", user("a")), `system-text: "kind" became "brief"`},
		{"words and a date", chat(read, "Be kind on 2026-11-30.", user("a")), chat(read, "Be brief on 2026-12-01.", user("a")), `system-text`},
		{"a window", chat(read, "s", old...), chat(read, "s", append([]string{old[0]}, old[3:]...)...), `window-slides: messages 2 to 3`},
		{"a compaction", chat(read, "s", old...), chat(read, "s", user("go"), user("Summary of what was done so far."), user("more")), `history-compacted: 5 messages`},
		{"a state that moves", chat(read, "s", user("a"), `{"role":"system","content":"--- STATE --- step one of it"}`), chat(read, "s", user("a"), assistant("b"), `{"role":"system","content":"--- STATE --- step two of it"}`), `message-moves: the system message that begins`},
		{"a long state that moves behind a record that grew", chat(read, "s", user("a"), assistant("b"), result("record"), `{"role":"system","content":"--- STATE --- `+long+`"}`), chat(read, "s", user("a"), assistant("b"), result("record, told"), assistant("c"), user("d"), `{"role":"system","content":"--- STATE --- other words: `+long+`"}`), `message-moves: the system message that begins`},
		{"a state that moves before a live block", chat(read, "s", user("a"), `{"role":"system","content":"--- STATE --- one"}`), chat(read, "s", user("a"), assistant("b"), `{"role":"system","content":"--- STATE --- two"}`, user(`<zimoos frame_cursor=\"c\">x</zimoos>`)), `message-moves: the system message that begins`},
		{"a result a little shorter", chat(read, "s", user("a"), assistant("b"), result("pending words")), chat(read, "s", user("a"), assistant("b"), result("told words"), user("c")), `tool-result-changed: message 3, the result of the call "c", says something else: "pending" became "told"`},
		{"a result that grew", chat(read, "s", user("a"), assistant("b"), result("two notes")), chat(read, "s", user("a"), assistant("b"), result("two notes\nSummary: told"), user("c")), `tool-result-changed: message 3, the result of the call "c", grew by 14 bytes at its end: "\nSummary: told"`},
		{"a result of another call", chat(read, "s", user("a"), assistant("b"), result("pending words")), chat(read, "s", user("a"), assistant("b"), strings.Replace(result("told words"), `"c"`, `"d"`, 1), user("c")), ""},
		{"a result of no call", chat(read, "s", user("a"), assistant("b"), `{"role":"tool","content":"pending words"}`), chat(read, "s", user("a"), assistant("b"), `{"role":"tool","content":"told words"}`, user("c")), ""},
		{"a result among blocks", blocks("the sun shines"), blocks("the moon shines"), `tool-result-changed: message 2, the result of the call "y", says something else: "sun" became "moon"`},
		{"an output", items("the sun shines"), items("the moon shines"), `tool-result-changed: message 1, the result of the call "f", says something else: "sun" became "moon"`},
		{"a cleared result", chat(read, "s", old[:4]...), chat(read, "s", old[0], old[1], result("[cleared]"), old[3], user("x")), `tool-result-cleared: message 3`},
		{"reasoning", chat(read, "s", user("a"), `{"role":"assistant","content":"b","reasoning_content":"because"}`, user("c")), chat(read, "s", user("a"), assistant("b"), user("c"), assistant("d")), `reasoning-dropped: message 2`},
		{"a person's words", chat(read, "s", user("go left"), assistant("b"), user("c")), chat(read, "s", user("go right"), assistant("b"), user("c")), `user-text-changed: message 1: "left" became "right"`},
		{"a message in other bytes", chat(read, "s", user("a"), assistant("b")), chat(read, "s", `{"content": "a", "role": "user"}`, assistant("b")), `serialisation: message 1`},
		{"a cache mark", `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]}`, `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}`, ""},
	} {
		a, b := request(t, c.before), request(t, c.after)
		v := verdict.Compare(a, b)
		var got []string
		for _, i := range Infer(a, b, &v) {
			got = append(got, i.Cause+": "+i.Evidence)
		}
		all := strings.Join(got, " | ")
		if c.want == "" && all != "" || !strings.Contains(all, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, all, c.want)
		}
	}
}
