package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// puppet is a provider that answers in the three shapes. An agent that offers tools is answered with a call of a
// harmless one, twice in each turn, then with words; what has no tools is answered with words at once.
type puppet struct {
	*httptest.Server
	dir string // what the calls look at

	mu      sync.Mutex
	answers int
	seen    []seen
}

// seen is one request as it arrived, and the answer as it left.
type seen struct {
	path, body, answer string
}

func newPuppet(t *testing.T, dir string) *puppet {
	p := &puppet{dir: dir}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

// steps is how many calls a turn makes.
const steps = 2

func (p *puppet) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var body request
	_ = json.Unmarshal(raw, &body) // other paths have other bodies
	answer, kind := "", "application/json"
	switch {
	case r.Method != http.MethodPost:
		answer = `{"object":"list","data":[{"id":"puppet","object":"model"}]}`
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		answer = chatAnswer(&body, p.call(&body))
	case strings.HasSuffix(r.URL.Path, "/responses"):
		answer = responsesAnswer(p.call(&body))
	case strings.HasSuffix(r.URL.Path, "/messages"):
		answer = messagesAnswer(p.call(&body))
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		answer = `{"input_tokens":10}`
	default:
		answer = `{}`
	}
	if strings.HasPrefix(answer, "data:") || strings.HasPrefix(answer, "event:") {
		kind = "text/event-stream"
		if !body.Stream {
			answer, kind = whole(r.URL.Path, p.call(&body)), "application/json"
		}
	}
	p.mu.Lock()
	p.seen = append(p.seen, seen{r.URL.Path, string(raw), answer})
	p.mu.Unlock()
	w.Header().Set("Content-Type", kind)
	for line := range strings.SplitAfterSeq(answer, "\n\n") { // event by event
		_, _ = io.WriteString(w, line)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
}

type request struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	Tools    []tool            `json:"tools"`
	Messages []json.RawMessage `json:"messages"`
	Input    json.RawMessage   `json:"input"`
}

type tool struct {
	Name     string `json:"name"`
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

// call is a tool call, or words when the name is empty.
type call struct {
	id, name, arguments string
	answer              string // ids of two answers are never the same
}

// call chooses a harmless tool that is offered, until the turn has had its steps.
func (p *puppet) call(r *request) call {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers++
	answer := fmt.Sprint(p.answers)
	list := r.Messages
	if list == nil {
		_ = json.Unmarshal(r.Input, &list)
	}
	results := 0
	for _, m := range list {
		var msg struct {
			Role, Type string
			Content    json.RawMessage
		}
		_ = json.Unmarshal(m, &msg)
		isResult := msg.Role == "tool" || msg.Type == "function_call_output" || msg.Type == "custom_tool_call_output" || strings.Contains(string(msg.Content), `"tool_result"`)
		switch {
		case isResult:
			results++
		case msg.Role == "user":
			results = 0
		}
	}
	if results >= steps {
		return call{answer: answer}
	}
	quoted := func(s string) string { raw, _ := json.Marshal(s); return string(raw) }
	file := quoted(p.dir + "/notes.txt")
	arguments := map[string]string{
		"read_file": `{"file_path":` + file + `,"absolute_path":` + file + `}`, "Read": `{"file_path":` + file + `}`, "read": `{"filePath":` + file + `}`,
		"exec_command": `{"cmd":"cat notes.txt"}`, "shell_command": `{"command":"cat notes.txt"}`, "shell": `{"command":["cat","notes.txt"]}`,
	}
	for _, t := range r.Tools {
		name := t.Name + t.Function.Name
		if a := arguments[name]; a != "" {
			return call{"call_" + answer, name, a, answer}
		}
	}
	return call{answer: answer}
}

const words = "The notes say: buy bread."

func chatAnswer(_ *request, c call) string {
	delta := map[string]any{"role": "assistant", "content": words}
	finish := "stop"
	if c.name != "" {
		finish = "tool_calls"
		delta = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"index": 0, "id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": c.arguments}}}}
	}
	chunk := func(delta any, finish any) string {
		return data("", map[string]any{"id": "chatcmpl-" + c.answer, "object": "chat.completion.chunk", "created": 1, "model": "puppet", "choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
	}
	return chunk(delta, nil) + chunk(map[string]any{}, finish) +
		data("", map[string]any{"id": "chatcmpl-" + c.answer, "object": "chat.completion.chunk", "created": 1, "model": "puppet", "choices": []any{}, "usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 9, "total_tokens": 109}}) + "data: [DONE]\n\n"
}

func data(event string, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	if event != "" {
		return "event: " + event + "\ndata: " + string(raw) + "\n\n"
	}
	return "data: " + string(raw) + "\n\n"
}

func responsesAnswer(c call) string {
	item := map[string]any{"type": "message", "id": "msg_" + c.answer, "role": "assistant", "status": "completed", "content": []any{map[string]any{"type": "output_text", "text": words, "annotations": []any{}}}}
	if c.name != "" {
		item = map[string]any{"type": "function_call", "id": "fc_" + c.answer, "call_id": c.id, "name": c.name, "arguments": c.arguments, "status": "completed"}
	}
	response := func(status string, output []any, usage any) map[string]any {
		return map[string]any{"id": "resp_" + c.answer, "object": "response", "created_at": 1, "model": "puppet", "status": status, "output": output, "usage": usage}
	}
	usage := map[string]any{"input_tokens": 100, "output_tokens": 9, "total_tokens": 109, "input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0}}
	return data("response.created", map[string]any{"type": "response.created", "response": response("in_progress", []any{}, nil)}) +
		data("response.output_item.added", map[string]any{"type": "response.output_item.added", "output_index": 0, "item": item}) +
		data("response.output_item.done", map[string]any{"type": "response.output_item.done", "output_index": 0, "item": item}) +
		data("response.completed", map[string]any{"type": "response.completed", "response": response("completed", []any{item}, usage)})
}

func messagesAnswer(c call) string {
	usage := map[string]any{"input_tokens": 100, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 1}
	block, delta, stop := map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": words}, "end_turn"
	if c.name != "" {
		block, delta, stop = map[string]any{"type": "tool_use", "id": "toolu_" + c.id, "name": c.name, "input": map[string]any{}}, map[string]any{"type": "input_json_delta", "partial_json": c.arguments}, "tool_use"
	}
	return data("message_start", map[string]any{"type": "message_start", "message": map[string]any{"id": "msg_" + c.answer, "type": "message", "role": "assistant", "model": "puppet", "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}}) +
		data("content_block_start", map[string]any{"type": "content_block_start", "index": 0, "content_block": block}) +
		data("content_block_delta", map[string]any{"type": "content_block_delta", "index": 0, "delta": delta}) +
		data("content_block_stop", map[string]any{"type": "content_block_stop", "index": 0}) +
		data("message_delta", map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 9}}) +
		data("message_stop", map[string]any{"type": "message_stop"})
}

// whole is the answer to a request that doesn't stream.
func whole(path string, c call) string {
	var v map[string]any
	switch {
	case strings.HasSuffix(path, "/messages"):
		content, stop := []any{map[string]any{"type": "text", "text": words}}, "end_turn"
		if c.name != "" {
			content, stop = []any{map[string]any{"type": "tool_use", "id": "toolu_" + c.id, "name": c.name, "input": json.RawMessage(c.arguments)}}, "tool_use"
		}
		v = map[string]any{"id": "msg_" + c.answer, "type": "message", "role": "assistant", "model": "puppet", "content": content, "stop_reason": stop, "usage": map[string]any{"input_tokens": 100, "output_tokens": 9}}
	case strings.HasSuffix(path, "/responses"):
		v = map[string]any{"id": "resp_1", "object": "response", "created_at": 1, "model": "puppet", "status": "completed", "output": []any{map[string]any{"type": "message", "id": "m", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": words, "annotations": []any{}}}}}}
	default:
		message := map[string]any{"role": "assistant", "content": words}
		finish := "stop"
		if c.name != "" {
			finish = "tool_calls"
			message = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": c.arguments}}}}
		}
		v = map[string]any{"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "puppet", "choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}}, "usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 9, "total_tokens": 109}}
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
