package answer

import (
	"reflect"
	"testing"

	"zimoscope/backend/capture/exchange"
)

func TestAnswersOfAllShapes(t *testing.T) {
	call := []Call{{ID: "c1", Name: "read", Arguments: `{"n":1}`}}
	for _, c := range []struct {
		name    string
		dialect exchange.Dialect
		raw     string
		want    Answer
	}{
		{"chat stream", exchange.Chat, "data: {\"id\":\"r1\",\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"he\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"y\",\"reasoning_content\":\"so\",\"tool_calls\":[{\"index\":1,\"id\":\"c1\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"n\\\":\"}}]}}]}\r\n\r\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":5}}\n\ndata: [DONE]\n\n",
			Answer{ID: "r1", Model: "m", Text: "hey", Reasoning: "so", Calls: call, Finish: "tool_calls", Usage: []byte(`{"prompt_tokens":5}`), Streamed: true, Whole: true}},
		{"chat calls without index", exchange.Chat, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"c1\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"n\\\":\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"1}\"}}]}}]}\n\n",
			Answer{Calls: call, Streamed: true}},
		{"chat whole", exchange.Chat, `{"id":"r1","choices":[{"index":0,"finish_reason":"stop","message":{"content":"hey","tool_calls":[{"id":"c1","function":{"name":"read","arguments":{"n":1}}}]}}],"usage":null}`,
			Answer{ID: "r1", Text: "hey", Calls: call, Finish: "stop", Whole: true}},
		{"responses stream", exchange.Responses, "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r1\",\"model\":\"m\"}}\n\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"he\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"hey\"}]},{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"read\",\"arguments\":\"{\\\"n\\\":1}\"}],\"usage\":{\"input_tokens\":5}}}\n\n",
			Answer{ID: "r1", Model: "m", Text: "hey", Calls: call, Finish: "completed", Usage: []byte(`{"input_tokens":5}`), Streamed: true, Whole: true}},
		{"messages stream", exchange.Messages, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"r1\",\"model\":\"m\",\"usage\":{\"input_tokens\":5,\"cache_read_input_tokens\":3}}}\n\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"read\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"n\\\":1}\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"hey\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":7}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
			Answer{ID: "r1", Model: "m", Text: "hey", Calls: call, Finish: "tool_use", Usage: []byte(`{"cache_read_input_tokens":3,"input_tokens":5,"output_tokens":7}`), Streamed: true, Whole: true}},
		{"messages whole", exchange.Messages, `{"id":"r1","content":[{"type":"thinking","thinking":"so"},{"type":"text","text":"hey"},{"type":"tool_use","id":"c1","name":"read","input":{"n":1}}],"stop_reason":"tool_use"}`,
			Answer{ID: "r1", Text: "hey", Reasoning: "so", Calls: call, Finish: "tool_use", Whole: true}},
		{"a cut stream", exchange.Chat, "data: {\"choices\":[{\"delta\":{\"content\":\"he\"}}]}\n\ndata: {\"choi", Answer{Text: "he", Streamed: true}},
		{"an error in a stream", exchange.Messages, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n", Answer{Error: "busy", Streamed: true}},
		{"an error", exchange.Chat, `{"error":"no such model"}`, Answer{Error: "no such model", Whole: true}},
		{"no JSON", exchange.Chat, "<html>", Answer{}},
	} {
		if got := Read(c.dialect, []byte(c.raw)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}
