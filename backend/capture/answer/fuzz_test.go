package answer

import (
	"encoding/json"
	"testing"

	"zimoscope/backend/capture/exchange"
)

// FuzzAnyResponseIsRead: nothing that a provider sends ends the program, and what is kept of it is bounded.
func FuzzAnyResponseIsRead(f *testing.F) {
	for _, s := range []string{
		`{"id":"r","choices":[{"message":{"content":"hi","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`,
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-7,\"function\":{\"arguments\":\"{\"}}]}}]}\n\ndata: [DONE]\n\n",
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":1}}}\n\nevent: x\ndata: {\"type\":\"content_block_start\",\"index\":3,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"n\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":3,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}\n\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":2}}\n\n",
		"data: {\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"n\"}}\r\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"output\":[null,{\"type\":\"message\",\"content\":[{\"text\":\"x\"}]}],\"usage\":null}}\n",
		`{"type":"message","content":[{"type":"text","text":"t"},{"type":"tool_use","input":{"a":1}}],"stop_reason":"end_turn"}`, `{"error":{"message":7}}`, `{"error":"no"}`, ":\n\n", "\xef\xbb\xbfdata:", "[]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, d := range []exchange.Dialect{exchange.Chat, exchange.Responses, exchange.Messages, exchange.Other} {
			a := Read(d, raw)
			if len(a.Text) > maxWords || len(a.Reasoning) > maxWords {
				t.Fatalf("%s: %d bytes of text, %d of reasoning", d, len(a.Text), len(a.Reasoning))
			}
			if a.Usage != nil && !json.Valid(a.Usage) {
				t.Fatalf("%s: usage %q", d, a.Usage)
			}
			if len(a.Calls) > len(raw) || len(a.Names()) != len(a.Calls) {
				t.Fatalf("%s: %d calls from %d bytes", d, len(a.Calls), len(raw))
			}
			for _, c := range a.Calls {
				if len(c.Arguments) > maxWords {
					t.Fatalf("%s: %d bytes of arguments", d, len(c.Arguments))
				}
			}
			if again := Read(d, raw); again.Text != a.Text || again.Whole != a.Whole || len(again.Calls) != len(a.Calls) {
				t.Fatalf("%s: the same bytes are read in two ways", d)
			}
		}
	})
}
