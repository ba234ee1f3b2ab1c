// Package stage sets up what end-to-end tests stand on where the real thing is not at hand: a scripted model behind a
// real address, and a hub that shows a frame. Tests alone use it; nothing on it counts as the real run.
package stage

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"zimoscope/backend/requestview"
	"zimoscope/backend/scripted"
)

// Play starts the scripted model as a real HTTP server for the time of the test and gives its base address.
func Play(t *testing.T, script *scripted.Script, o scripted.Options) (baseURL string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- scripted.Listen(ctx, "127.0.0.1:0", script, o, func(url string) { ready <- url })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	select {
	case url := <-ready:
		return url
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
		return ""
	}
}

// Hub starts a hub that shows one frame, and gives its address.
func Hub(t *testing.T) string {
	t.Helper()
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c0","visibleContent":[],"shortcuts":[],"handles":[]}`)
	}))
	t.Cleanup(hub.Close)
	return hub.URL
}

// Task does what the prompt of the real run asks for. That prompt speaks of summary lines itself, so the marker of a
// summary request is the whole instruction.
func Task() *scripted.Script {
	call := func(name, arguments string) []scripted.ToolCall {
		return []scripted.ToolCall{{Name: name, Arguments: json.RawMessage(arguments)}}
	}
	return &scripted.Script{Model: "scripted-demo", SummaryMarker: []string{requestview.SummaryInstruction}, Turns: []scripted.Turn{{Steps: []scripted.Step{
		{ToolCalls: call("zimoos.current", `{}`)},
		{Text: "摘要：看到桌面 {{title}}。", ToolCalls: call("zimoos.act", `{"frameCursor":"{{cursor}}","cmd":"{{action:open app:notes|open app:notes}}"}`)},
		{Text: "摘要：打开了 {{title}}。", ToolCalls: call("zimoos.search", `{"query":"notes"}`)},
		{Text: "标题 {{title}}，frameCursor {{cursor}}，共 {{count}} 条。"},
	}}}}
}
