package provider

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// streamCase is one answer as a server really sent it, and what it means.
// Calls are written "id name arguments", with "!" after cut arguments.
type streamCase struct {
	name      string
	body      string
	text      string
	reasoning string
	calls     []string
	finish    string
	usage     string
	kind      Kind   // failure; empty: none
	says      string // part of the provider's words
}

func streamCases() []streamCase {
	f := func(index, id, name, args string) string {
		parts := []string{}
		if index != "" {
			parts = append(parts, `"index":`+index)
		}
		if id != "" {
			parts = append(parts, `"id":"`+id+`"`)
		}
		fn := []string{}
		if name != "-" {
			fn = append(fn, `"name":"`+name+`"`)
		}
		if args != "-" {
			fn = append(fn, fmt.Sprintf(`"arguments":%q`, args))
		}
		parts = append(parts, `"function":{`+strings.Join(fn, ",")+`}`)
		return "{" + strings.Join(parts, ",") + "}"
	}
	hi := chunk(`{"content":"hi"}`)
	return []streamCase{
		{name: "plain text", body: chunk(`{"role":"assistant","content":""}`) + hi + chunk(`{"content":" <b>&"}`) + stop + done, text: "hi <b>&", finish: "stop"},
		{name: "one call in pieces", body: calls(f("0", "a", "f", "")) + calls(f("0", "", "-", `{"x"`)) + calls(f("0", "", "-", `:1}`)) + finish + done,
			calls: []string{`a f {"x":1}`}, finish: "tool_calls"},
		// which call a piece belongs to
		{name: "deltas without index", body: calls(f("", "a", "f", `{"a"`)) + calls(f("", "", "-", `:1}`)) + calls(f("", "b", "g", `{"b"`)) + calls(f("", "", "-", `:2}`)) + finish + done,
			calls: []string{`a f {"a":1}`, `b g {"b":2}`}, finish: "tool_calls"},
		{name: "all index 0 with different ids", body: calls(f("0", "a", "f", `{"a":1}`)) + calls(f("0", "b", "g", `{"b":2}`)) + finish + done,
			calls: []string{`a f {"a":1}`, `b g {"b":2}`}, finish: "tool_calls"},
		{name: "all index 0 with different ids in one chunk", body: calls(f("0", "a", "f", `{"a":1}`)+","+f("0", "b", "g", `{"b":2}`)) + finish + done,
			calls: []string{`a f {"a":1}`, `b g {"b":2}`}, finish: "tool_calls"},
		{name: "first index is 1", body: calls(f("1", "a", "f", `{}`)) + finish + done, calls: []string{`a f {}`}, finish: "tool_calls"},
		{name: "gaps and minus one", body: calls(f("-1", "a", "f", `{}`)) + calls(f("5", "b", "g", `{}`)) + calls(f("2", "c", "h", `{}`)) + finish + done,
			calls: []string{`a f {}`, `b g {}`, `c h {}`}, finish: "tool_calls"},
		{name: "interleaved by index", body: calls(f("0", "a", "f", `{"a"`)) + calls(f("1", "b", "g", `{"b"`)) + calls(f("0", "", "-", `:1}`)) + calls(f("1", "", "-", `:2}`)) + finish + done,
			calls: []string{`a f {"a":1}`, `b g {"b":2}`}, finish: "tool_calls"},
		{name: "known id wins over index", body: calls(f("0", "a", "f", `{"a"`)) + calls(f("1", "b", "g", `{"b"`)) + calls(f("1", "a", "-", `:1}`)) + calls(f("0", "b", "-", `:2}`)) + finish + done,
			calls: []string{`a f {"a":1}`, `b g {"b":2}`}, finish: "tool_calls"},
		{name: "duplicate ids at two indexes", body: calls(f("0", "a", "f", `{"a":1}`)) + calls(f("1", "a", "f", `{"a":2}`)) + finish + done,
			calls: []string{`a f {"a":1}`, `a f {"a":2}`}, finish: "tool_calls"},
		{name: "duplicate ids without index", body: calls(f("", "a", "f", `{"a":1}`)) + calls(f("", "a", "f", `{"a":2}`)) + finish + done,
			calls: []string{`a f {"a":1}`, `a f {"a":2}`}, finish: "tool_calls"},
		{name: "duplicate ids and arguments in one chunk", body: calls(f("0", "a", "f", `{}`)+","+f("1", "a", "f", `{}`)) + finish + done,
			calls: []string{`a f {}`, `a f {}`}, finish: "tool_calls"},
		{name: "the same call twice in one chunk, without index", body: calls(f("", "a", "f", `{}`)+","+f("", "a", "f", `{}`)) + finish + done,
			calls: []string{`a f {}`, `a f {}`}, finish: "tool_calls"},
		{name: "two calls without arguments, ids or index in one chunk", body: calls(f("", "", "f", "")+","+f("", "", "g", "")) + finish + done,
			calls: []string{` f `, ` g `}, finish: "tool_calls"},
		{name: "whole call repeated at the end", body: calls(f("0", "a", "f", `{"a"`)) + calls(f("0", "", "-", `:1}`)) + calls(f("0", "a", "f", `{"a":1}`)) + finish + done,
			calls: []string{`a f {"a":1}`}, finish: "tool_calls"},
		{name: "new id for each bare fragment", body: calls(f("0", "a", "f", `{"a"`)) + calls(f("0", "x", "-", `:1}`)) + finish + done,
			calls: []string{`a f {"a":1}`}, finish: "tool_calls"},
		{name: "id comes after the name", body: calls(f("0", "", "f", "")) + calls(f("0", "a", "-", `{}`)) + finish + done, calls: []string{`a f {}`}, finish: "tool_calls"},
		{name: "no ids at all, whole calls", body: calls(f("0", "", "f", `{"a":1}`)) + calls(f("0", "", "f", `{"a":2}`)) + finish + done,
			calls: []string{` f {"a":1}`, ` f {"a":2}`}, finish: "tool_calls"},
		{name: "empty tool_calls and null element", body: chunk(`{"content":"hi","tool_calls":[]}`) + chunk(`{"tool_calls":[null]}`) + chunk(`{"tool_calls":null}`) + stop + done, text: "hi", finish: "stop"},
		// names
		{name: "name repeated in every chunk", body: calls(f("0", "a", "zimoos_x2e_act", `{"a"`)) + calls(f("0", "a", "zimoos_x2e_act", `:1}`)) + finish + done,
			calls: []string{`a zimoos_x2e_act {"a":1}`}, finish: "tool_calls"},
		{name: "empty names later", body: calls(f("0", "a", "f", `{"a"`)) + calls(f("0", "", "", `:1}`)) + finish + done, calls: []string{`a f {"a":1}`}, finish: "tool_calls"},
		{name: "name split in two", body: calls(f("0", "a", "edit_ex", "")) + calls(f("0", "", "isting_file", "")) + calls(f("0", "", "-", `{}`)) + finish + done,
			calls: []string{`a edit_existing_file {}`}, finish: "tool_calls"},
		{name: "name that grows", body: calls(f("0", "a", "edit", "")) + calls(f("0", "a", "edit_file", "{}")) + finish + done, calls: []string{`a edit_file {}`}, finish: "tool_calls"},
		// arguments
		{name: "arguments as object", body: calls(`{"index":0,"id":"a","function":{"name":"f","arguments":{"n":9007199254740993,"b":"<"}}}`) + finish + done,
			calls: []string{`a f {"n":9007199254740993,"b":"<"}`}, finish: "tool_calls"},
		{name: "arguments null", body: calls(`{"index":0,"id":"a","function":{"name":"f","arguments":null}}`) + finish + done, calls: []string{`a f `}, finish: "tool_calls"},
		{name: "arguments cut by length", body: calls(f("0", "a", "f", `{"a":"b`)) + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n" + done,
			calls: []string{`a f {"a":"b !`}, finish: "length"},
		{name: "arguments that are no object", body: calls(f("0", "a", "f", `[1]`)) + finish + done, calls: []string{`a f [1] !`}, finish: "tool_calls"},
		{name: "empty object first, then the real one", body: calls(f("0", "a", "f", `{}`)) + calls(f("0", "", "-", `{"a"`)) + calls(f("0", "", "-", `:1}`)) + finish + done,
			calls: []string{`a f {"a":1}`}, finish: "tool_calls"},
		{name: "legacy function_call", body: chunk(`{"function_call":{"name":"f","arguments":"{\"a\""}}`) + chunk(`{"function_call":{"arguments":":1}"}}`) + finish + done,
			calls: []string{` f {"a":1}`}, finish: "tool_calls"},
		// text and reasoning
		{name: "reasoning_content", body: chunk(`{"reasoning_content":"th"}`) + chunk(`{"reasoning_content":"ink","content":null}`) + hi + stop + done, text: "hi", reasoning: "reasoning_content:think", finish: "stop"},
		{name: "reasoning", body: chunk(`{"reasoning":"think"}`) + hi + stop + done, text: "hi", reasoning: "reasoning:think", finish: "stop"},
		{name: "the same reasoning under two names", body: chunk(`{"reasoning":"think","reasoning_content":"think"}`) + hi + stop + done, text: "hi", reasoning: "reasoning:think", finish: "stop"},
		{name: "content as parts", body: chunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"hi"}]}`) + stop + done, text: "hi", reasoning: "content:hm", finish: "stop"},
		{name: "whole message in a chunk", body: "data: {\"choices\":[{\"message\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n" + done, text: "hi", finish: "stop"},
		{name: "whole message repeated at the end", body: hi + "data: {\"choices\":[{\"delta\":{},\"message\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n" + done, text: "hi", finish: "stop"},
		// the shape of the stream
		{name: "usage chunk with empty choices", body: "data: {\"choices\":[]}\n\n" + hi + stop + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12345678901234567890,\"prompt_cache_hit_tokens\":1}}\n\n" + done,
			text: "hi", finish: "stop", usage: `{"prompt_tokens":12345678901234567890,"prompt_cache_hit_tokens":1}`},
		{name: "usage null", body: "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}],\"usage\":null}\n\n" + stop + done, text: "hi", finish: "stop"},
		{name: "byte order mark", body: "\uFEFF" + hi + stop + done, text: "hi", finish: "stop"},
		{name: "CRLF", body: strings.ReplaceAll(hi+stop+done, "\n", "\r\n"), text: "hi", finish: "stop"},
		{name: "comments, retry, event, id and empty data", body: ": PING\n\nretry: 100\n\nevent: ping\n\ndata:\n\ndata: \n\nid: 7\n" + hi + "event: message\n" + stop + done, text: "hi", finish: "stop"},
		{name: "no space after data", body: strings.ReplaceAll(hi+stop+done, "data: ", "data:"), text: "hi", finish: "stop"},
		{name: "no blank line between events", body: strings.ReplaceAll(hi+stop+done, "\n\n", "\n"), text: "hi", finish: "stop"},
		{name: "one event in two data lines", body: "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"hi\"}}]}\n\n" + stop + done, text: "hi", finish: "stop"},
		{name: "finish without DONE", body: hi + stop, text: "hi", finish: "stop"},
		{name: "finish without DONE and without last line end", body: hi + strings.TrimRight(stop, "\n"), text: "hi", finish: "stop"},
		{name: "DONE without finish", body: hi + done, text: "hi"},
		{name: "JSON answer to a stream request", body: "  {\"id\":\"r\",\"choices\":[{\"index\":0,\"message\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1}}", text: "hi", finish: "stop", usage: `{"prompt_tokens":1}`},
		// failures
		{name: "EOF with neither finish nor DONE", body: hi + calls(f("0", "a", "f", `{"a":1}`)), text: "hi", calls: []string{`a f {"a":1}`}, kind: KindCutStream},
		{name: "EOF within a line", body: hi + `data: {"choices":[{"delta":{"content":"th`, text: "hi", kind: KindCutStream},
		{name: "empty body", body: "", kind: KindCutStream},
		{name: "JSON answer that is cut", body: `{"choices":[{"message":{"content":"hi`, kind: KindCutStream},
		{name: "error in the stream", body: hi + "data: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n", text: "hi", kind: KindInBand, says: "overloaded"},
		{name: "error as text, with choices", body: hi + "data: {\"choices\":[],\"error\":\"boom\"}\n\n" + done, text: "hi", kind: KindInBand, says: "boom"},
		{name: "event error with plain text", body: hi + "event: error\ndata: upstream gone\n\n", text: "hi", kind: KindInBand, says: "upstream gone"},
		{name: "choices null and error_message", body: "data: {\"choices\":null,\"error_message\":\"no credit\"}\n\n" + done, kind: KindInBand, says: "no credit"},
		{name: "finish_reason error", body: hi + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\",\"error\":{\"message\":\"model died\"}}]}\n\n" + done, text: "hi", kind: KindInBand, says: "model died", finish: "error"},
		{name: "object error", body: "data: {\"object\":\"error\",\"message\":\"bad\"}\n\n", kind: KindInBand, says: "bad"},
		{name: "error as JSON answer", body: `{"error":{"message":"no model loaded"}}`, kind: KindInBand, says: "no model loaded"},
		{name: "context length in the stream", body: "data: {\"error\":{\"message\":\"This model's maximum context length is 8192 tokens\"}}\n\n", kind: KindContextLength, says: "8192"},
		{name: "web page", body: "<!doctype html><html><body>Welcome</body></html>", kind: KindProtocol, says: "Welcome"},
		{name: "data that is no JSON", body: hi + "data: oops\n\n" + done, text: "hi", kind: KindProtocol, says: "oops"},
		{name: "JSON answer that is no completion", body: `{"hello":1}`, kind: KindProtocol},
	}
}

func TestStreamsAreUnderstoodAsServersSendThem(t *testing.T) {
	for _, tc := range streamCases() {
		t.Run(tc.name, func(t *testing.T) {
			c := connect(t, serve(t, sse(tc.body)).URL, nil)
			res, err := ask(c)
			checkFailure(t, tc, err)
			if string(res.Raw) != tc.body {
				t.Errorf("raw bytes differ:\n%q\n%q", res.Raw, tc.body)
			}
			if res.Text != tc.text {
				t.Errorf("text %q, want %q", res.Text, tc.text)
			}
			if got := joined(res.ReasoningField, res.Reasoning); got != tc.reasoning {
				t.Errorf("reasoning %q, want %q", got, tc.reasoning)
			}
			if res.FinishReason != tc.finish || string(res.Usage) != tc.usage {
				t.Errorf("finish %q usage %q", res.FinishReason, res.Usage)
			}
			var got []string
			for _, call := range res.Calls {
				line := call.ID + " " + call.Name + " " + call.Arguments
				if !call.ArgumentsValid {
					line += " !"
				}
				got = append(got, line)
			}
			if strings.Join(got, "\n") != strings.Join(tc.calls, "\n") {
				t.Errorf("calls\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.calls, "\n"))
			}
		})
	}
}

func joined(field, text string) string {
	if text == "" {
		return ""
	}
	return field + ":" + text
}

func checkFailure(t *testing.T, tc streamCase, err error) {
	t.Helper()
	if tc.kind == "" {
		if err != nil {
			t.Fatalf("failed: %v", err)
		}
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("no error, want %s", tc.kind)
	}
	if e.Kind != tc.kind || !strings.Contains(e.Provider, tc.says) {
		t.Errorf("%s %q, want %s %q", e.Kind, e.Provider, tc.kind, tc.says)
	}
	if errors.Is(err, ErrCutStream) != (tc.kind == KindCutStream) {
		t.Error("errors.Is ErrCutStream is wrong")
	}
}

func TestUnknownFieldsOfACallAreKeptAsTheyCame(t *testing.T) {
	body := calls(`{"index":0,"id":"a","type":"function","extra_content": {"google":{"thought_signature":"A<b","n":1.0}},"z":1,"function":{"name":"f","arguments":"{}","strict":true}}`) + finish + done
	res, err := ask(connect(t, serve(t, sse(body)).URL, nil))
	if err != nil {
		t.Fatal(err)
	}
	c := res.Calls[0]
	if len(c.Extra) != 2 || c.Extra[0].Key != "extra_content" || string(c.Extra[0].Raw) != `{"google":{"thought_signature":"A<b","n":1.0}}` || c.Extra[1].Key != "z" {
		t.Errorf("extra: %v", c.Extra)
	}
	if len(c.FunctionExtra) != 1 || c.FunctionExtra[0].Key != "strict" {
		t.Errorf("function extra: %v", c.FunctionExtra)
	}
}

func TestALineOf40MBArrivesWhole(t *testing.T) {
	big := strings.Repeat("x", 40<<20)
	res, err := ask(connect(t, serve(t, sse(chunk(`{"content":"`+big+`"}`)+stop+done)).URL, nil))
	if err != nil || res.Text != big {
		t.Fatalf("%d bytes, %v", len(res.Text), err)
	}
}

func TestALineOverTheLimitIsAnErrorNotAnEmptySuccess(t *testing.T) {
	body := chunk(`{"content":"hi"}`) + "data: " + strings.Repeat("x", maxLineBytes) + "\n\n" + done
	res, err := ask(connect(t, serve(t, sse(body)).URL, nil))
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindProtocol || res.Text != "hi" {
		t.Fatalf("%v, text %q", err, res.Text)
	}
}
