package scripted_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"zimoscope/backend/scripted"
	"zimoscope/backend/zimoos/sim"
)

// maxRequests is far above what a demo takes.
const maxRequests = 100

// agent is the least that can play a demo: it keeps the transcript, runs the
// calls against the simulator, and shows the newest frame in each request.
type agent struct {
	t        *testing.T
	url      string
	servers  map[string]*client.Client // by function name
	tools    []any
	messages []any
	frame    map[string]any
	requests int
	summary  int
}

func (a *agent) connect(name, which string) {
	s, err := sim.New(sim.Options{Seed: 1, Server: which})
	if err != nil {
		a.t.Fatal(err)
	}
	c, err := client.NewInProcessClient(s)
	if err != nil {
		a.t.Fatal(err)
	}
	ctx := a.t.Context()
	if err := c.Start(ctx); err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = c.Close() })
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		a.t.Fatal(err)
	}
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		a.t.Fatal(err)
	}
	for _, tool := range list.Tools {
		function := name + "__" + strings.ReplaceAll(tool.Name, ".", "_x2e_")
		a.servers[function] = c
		a.tools = append(a.tools, map[string]any{"type": "function", "function": map[string]any{"name": function}})
	}
}

// block lists the frame in the way the placeholders read it.
func (a *agent) block() string {
	if a.frame == nil {
		return `<zimoos state="none"></zimoos>`
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<zimoos frame_cursor=%q visible_content_count=\"%d\">\ntitle: %s\nframeCursor: %s\nactions:\n",
		a.frame["frameCursor"], len(a.frame["visibleContent"].([]any)), a.frame["title"], a.frame["frameCursor"])
	for _, s := range a.frame["shortcuts"].([]any) {
		fmt.Fprintf(&b, "- %s — %s\n", s.(map[string]any)["cmd"], s.(map[string]any)["label"])
	}
	return b.String() + "</zimoos>"
}

type answer struct {
	Choices []struct {
		Message struct {
			Content   string `json:"content"`
			ToolCalls []struct {
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
}

func (a *agent) ask(tail string) (answer, json.RawMessage) {
	a.t.Helper()
	all := append(append([]any{}, a.messages...), map[string]any{"role": "user", "content": a.block() + tail})
	body, err := json.Marshal(map[string]any{"model": "m", "tools": a.tools, "messages": all})
	if err != nil {
		a.t.Fatal(err)
	}
	res, err := http.Post(a.url+"/v1/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	var raw struct {
		Choices []struct{ Message json.RawMessage }
	}
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(res.Body); err != nil || res.StatusCode != http.StatusOK {
		a.t.Fatalf("request %d: %d %s", a.requests, res.StatusCode, buf.String())
	}
	var out answer
	if json.Unmarshal(buf.Bytes(), &out) != nil || json.Unmarshal(buf.Bytes(), &raw) != nil {
		a.t.Fatal(buf.String())
	}
	return out, raw.Choices[0].Message
}

// turn plays one turn and gives the last words.
func (a *agent) turn(prompt string) string {
	a.messages = append(a.messages, map[string]any{"role": "user", "content": prompt})
	for {
		out, raw := a.ask("")
		if a.requests++; a.requests > maxRequests {
			a.t.Fatal("the demo does not end")
		}
		m := out.Choices[0].Message
		if m.Content == "" {
			side, _ := a.ask("\n\nIn one line that starts with \"Summary:\": what did the last operation do?")
			if s := side.Choices[0].Message.Content; strings.HasPrefix(s, "Summary: ") || strings.HasPrefix(s, "摘要：") {
				a.summary++
			}
			if side.Usage.Details.Cached == 0 {
				a.t.Error("the summary request found nothing in the cache")
			}
		}
		a.messages = append(a.messages, raw)
		for _, c := range m.ToolCalls {
			a.messages = append(a.messages, map[string]any{"role": "tool", "tool_call_id": c.ID, "content": a.run(c.Function.Name, c.Function.Arguments)})
		}
		if len(m.ToolCalls) == 0 {
			return m.Content
		}
	}
}

func (a *agent) run(function, arguments string) string {
	var req mcp.CallToolRequest
	_, name, _ := strings.Cut(function, "__")
	req.Params.Name, req.Params.Arguments = strings.ReplaceAll(name, "_x2e_", "."), json.RawMessage(arguments)
	res, err := a.servers[function].CallTool(context.Background(), req)
	if err != nil {
		a.t.Fatalf("%s %s: %v", function, arguments, err)
	}
	text := res.Content[0].(mcp.TextContent).Text
	if res.IsError {
		a.t.Errorf("%s %s: %.200s", function, arguments, text)
		return text
	}
	var frame map[string]any
	if json.Unmarshal([]byte(text), &frame) == nil && frame["protocol"] == "zimoos/os-frame" {
		a.frame = frame
		return "ok"
	}
	return text
}

func TestDemosRunAgainstTheSimulator(t *testing.T) {
	for name, tc := range map[string]struct {
		script  *scripted.Script
		prompts []string
		title   string
		bare    bool
		want    int // main requests
	}{
		"English":             {scripted.Demo(), scripted.DemoPrompts(), "Weekend shopping", false, 14},
		"Chinese":             {scripted.DemoZH(), scripted.DemoPromptsZH(), "周末采购", false, 14},
		"without file server": {scripted.Demo(), scripted.DemoPrompts(), "Weekend shopping", true, 12},
	} {
		t.Run(name, func(t *testing.T) {
			web := httptest.NewServer(scripted.New(tc.script, scripted.Options{}))
			defer web.Close()
			defer http.DefaultClient.CloseIdleConnections()
			a := &agent{t: t, url: web.URL, servers: map[string]*client.Client{}}
			a.messages = []any{map[string]any{"role": "system", "content": "s"}}
			a.connect("zimoos-sim", sim.ServerZimoOS)
			if !tc.bare {
				a.connect("files", sim.ServerFiles)
			}
			var last string
			for _, p := range tc.prompts {
				last = a.turn(p)
			}
			if a.requests != tc.want || a.summary != 1 || len(tc.prompts) != 2 {
				t.Errorf("%d requests, %d summaries", a.requests, a.summary)
			}
			cursor := fmt.Sprint(a.frame["frameCursor"])
			if a.frame["title"] != tc.title || !strings.Contains(last, tc.title) || !strings.Contains(last, cursor) {
				t.Errorf("the screen shows %v at %s, the last words are %q", a.frame["title"], cursor, last)
			}
		})
	}
}
