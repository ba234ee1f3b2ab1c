package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzAStreamGivesAnAnswerOrAnError: whatever a server sends, the result is a whole answer or an error, the same one
// however the bytes come in, and its deltas are its text.
func FuzzAStreamGivesAnAnswerOrAnError(f *testing.F) {
	for _, s := range []string{
		chunk(`{"content":"hi"}`) + stop + done,
		": PING\n\n" + chunk(`{"reasoning_content":"r","content":null}`) + "data: \n\n" + stop,
		"\xef\xbb\xbfevent: x\r\ndata:{\"choices\":[]}\r\n\r\n" + done,
		calls(`{"index":1,"id":"a","function":{"name":"f","arguments":"{\"a\":"}}`) + calls(`{"index":1,"function":{"arguments":"1}"}}`) + finish,
		calls(`{"id":"a","function":{"name":"f","arguments":{"x":1}}},{"id":"a","function":{"name":"f"}}`) + finish + done,
		`data: {"error":{"message":"no","code":"context_length_exceeded"}}` + "\n\n",
		`data: {"choices":null,"error_message":"x"}` + "\n\n", `{"choices":[{"message":{"content":"whole"},"finish_reason":"stop"}]}`,
		`{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"thinking":[{"text":"b"}]}],"function_call":{"name":"f","arguments":"{}"}},"finish_reason":"stop"}],"usage":{"a":1}}`,
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[null,[],7,{\"index\":-1}]},\"finish_reason\":\"error\"}]}\n", "<html>", "[1]", "data: [DONE]\n\n",
	} {
		f.Add([]byte(s))
	}
	client, err := New(Config{BaseURL: "http://127.0.0.1:9/v1", Model: "m"})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(client.Close)
	f.Fuzz(func(t *testing.T, body []byte) {
		whole, text, err := assembled(client, bytes.NewReader(body), false)
		if err == nil {
			soundAnswer(t, whole, text)
		} else if e := new(Error); !errors.As(err, &e) || err.Error() == "" {
			t.Fatalf("no error that a person can read: %v", err)
		}
		if len(body) > 4<<10 {
			return // the same byte by byte takes too long
		}
		pieces, piecesText, piecesErr := assembled(client, iotest.OneByteReader(bytes.NewReader(body)), true)
		if (err == nil) != (piecesErr == nil) || text != piecesText || !reflect.DeepEqual(whole, pieces) {
			t.Fatalf("cut otherwise it is\n%+v (%v), whole\n%+v (%v)", pieces, piecesErr, whole, err)
		}
		if cut := bytes.TrimRight(body, "\r\n \t"); err == nil && whole.Streamed && whole.FinishReason == "" && !bytes.Contains(cut, []byte("[DONE]")) {
			t.Fatalf("a cut stream passes for whole: %q", body)
		}
	})
}

// assembled reads a body as an answer's. text is what the deltas said.
func assembled(c *Client, body io.Reader, live bool) (*Response, string, error) {
	var text strings.Builder
	o := StreamOptions{OnDelta: func(d Delta) { text.WriteString(d.Text) }}
	if live {
		o.StopWhen = func(*Response) bool { return false }
	}
	r := c.newRun(context.Background(), o)
	defer r.end()
	res := &Response{}
	asm := newAssembler(res, o.OnDelta)
	asm.live = live
	err := r.read(body, asm)
	asm.publish(true)
	return res, text.String(), err
}

func soundAnswer(t *testing.T, r *Response, text string) {
	t.Helper()
	if r.Text != text {
		t.Fatalf("the deltas say %q, the answer %q", text, r.Text)
	}
	if r.Usage != nil && !json.Valid(r.Usage) {
		t.Fatalf("usage %q", r.Usage)
	}
	if r.Reasoning != "" && r.ReasoningField == "" {
		t.Fatal("reasoning from nowhere")
	}
	for i, c := range r.Calls {
		var object map[string]json.RawMessage
		args := strings.TrimSpace(c.Arguments)
		if c.ArgumentsValid && args != "" && json.Unmarshal([]byte(args), &object) != nil {
			t.Fatalf("call %d would run on %q", i, c.Arguments)
		}
		if c.ID == "" && c.Name == "" && args == "" {
			t.Fatalf("call %d is a phantom", i)
		}
		for _, x := range append(c.Extra, c.FunctionExtra...) {
			if !json.Valid(x.Raw) {
				t.Fatalf("call %d has %q in %s", i, x.Raw, x.Key)
			}
		}
	}
}
