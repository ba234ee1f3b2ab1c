package scripted

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func fixedNow() time.Time { return time.Unix(1_800_000_000, 0) }

// serve starts a provider with a fixed clock and no delays.
func serve(t *testing.T, s *Script, o Options) string {
	t.Helper()
	o.Now = fixedNow
	web := httptest.NewServer(New(s, o))
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		web.Close()
	})
	return web.URL
}

func post(t *testing.T, url, body string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var buf bytes.Buffer
	if _, err := io.Copy(&buf, res.Body); err != nil {
		t.Fatal(err)
	}
	return res, buf.String()
}

// chat is a conversation in the making.
type chat struct {
	t        *testing.T
	url      string
	tools    []string
	messages []any
}

type obj = map[string]any

func newChat(t *testing.T, url, system, user string, tools ...string) *chat {
	return &chat{t: t, url: url, tools: tools, messages: []any{
		obj{"role": "system", "content": system}, obj{"role": "user", "content": user},
	}}
}

func (c *chat) add(role, content string) {
	c.messages = append(c.messages, obj{"role": role, "content": content})
}

func (c *chat) body(extra ...any) string {
	tools := []any{}
	for _, name := range c.tools {
		tools = append(tools, obj{"type": "function", "function": obj{"name": name, "parameters": obj{"type": "object"}}})
	}
	all := obj{"model": "m", "messages": append(append([]any{}, c.messages...), extra...)}
	if len(tools) > 0 {
		all["tools"] = tools
	}
	raw, err := marshal(all)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(raw)
}

// ask sends the conversation, with extra request-only messages at its end.
func (c *chat) ask(extra ...any) (answerMessage, usage) {
	c.t.Helper()
	res, text := post(c.t, c.url+"/v1/chat/completions", c.body(extra...))
	if res.StatusCode != http.StatusOK {
		c.t.Fatalf("status %d: %s", res.StatusCode, text)
	}
	var out completion
	if err := json.Unmarshal([]byte(text), &out); err != nil || len(out.Choices) != 1 || out.Usage == nil {
		c.t.Fatalf("%v in %s", err, text)
	}
	return *out.Choices[0].Message, *out.Usage
}

// follow asks, and appends the answer and a result for each of its calls.
func (c *chat) follow(extra ...any) answerMessage {
	c.t.Helper()
	m, _ := c.ask(extra...)
	c.messages = append(c.messages, m)
	for _, call := range m.ToolCalls {
		c.messages = append(c.messages, obj{"role": "tool", "tool_call_id": call.ID, "content": "ok"})
	}
	return m
}

func said(m answerMessage) string {
	if m.Content == nil {
		return ""
	}
	return *m.Content
}

// carrier is a request-only message with a block.
func carrier(text string) any { return obj{"role": "user", "content": text} }

const sampleBlock = `<zimoos source="zimoos.currentFrame" request_only="true" frame_cursor="c7" updated_at="x" visible_content_count="3">
title: My "notes" & more
frameCursor: c7
visibleContent: 3
- [note:a] note: open the window — pin
actions: 2
- open note:a — Open A — Shows it
- pin note:a <"now"> — Pin
recoveryActions: 1
- back — Back
</zimoos>`
