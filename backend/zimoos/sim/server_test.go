package sim

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// limit ends a test that hangs; no test comes near it.
const limit = 60 * time.Second

func connect(t *testing.T, c *client.Client) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	if err := c.Start(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	var init mcp.InitializeRequest
	init.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	init.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	if _, err := c.Initialize(ctx, init); err != nil {
		t.Fatal(err)
	}
	return ctx
}

func call(ctx context.Context, t *testing.T, c *client.Client, name string, args map[string]any) (string, bool) {
	t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = name, args
	res, err := c.CallTool(ctx, req)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(res.Content) != 1 || res.StructuredContent != nil {
		t.Fatalf("%s: %d parts, want one text", name, len(res.Content))
	}
	return res.Content[0].(mcp.TextContent).Text, res.IsError
}

func toolNames(ctx context.Context, t *testing.T, c *client.Client) string {
	t.Helper()
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

// stdio starts ServeStdio on pipes and a client at their other ends.
func stdio(t *testing.T, o Options) (context.Context, *client.Client) {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := ServeStdio(context.Background(), o, inR, outW)
		_ = outW.Close()
		done <- err
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		if err := <-done; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
	c := client.NewClient(transport.NewIO(outR, inW, io.NopCloser(strings.NewReader(""))))
	return connect(t, c), c
}

func cursorOf(t *testing.T, text string) string {
	t.Helper()
	var f Frame
	if err := json.Unmarshal([]byte(text), &f); err != nil || f.Protocol != frameProtocol {
		t.Fatalf("no frame: %v in %.80s", err, text)
	}
	return f.FrameCursor
}

func session(ctx context.Context, t *testing.T, c *client.Client) {
	t.Helper()
	if got := toolNames(ctx, t, c); got != "zimoos.act zimoos.current zimoos.search" {
		t.Errorf("tools: %s", got)
	}
	text, isError := call(ctx, t, c, "zimoos.current", nil)
	first := cursorOf(t, text)
	if isError || !strings.HasPrefix(text, "{\n  \"protocol\"") {
		t.Errorf("not the frame as JSON with two spaces: %.60q", text)
	}
	text, isError = call(ctx, t, c, "zimoos.act", map[string]any{"frameCursor": first, "cmd": "open note:groceries"})
	if second := cursorOf(t, text); isError || second == first || !strings.Contains(text, "append note:groceries <text>") {
		t.Errorf("act: isError %v, cursor %s", isError, second)
	}
	text, isError = call(ctx, t, c, "zimoos.act", map[string]any{"frameCursor": first, "cmd": "back"})
	var failed errorResult
	if err := json.Unmarshal([]byte(text), &failed); err != nil || !isError || failed.Error == "" || failed.Frame.Title != "Groceries" {
		t.Errorf("stale act: isError %v, %.200s", isError, text)
	}
	if text, isError = call(ctx, t, c, "zimoos.search", map[string]any{"query": "bread"}); isError {
		t.Errorf("search: %.200s", text)
	}
	text, _ = call(ctx, t, c, "zimoos.act", map[string]any{"frameCursor": cursorOf(t, text), "cmd": "grow-bytes 10000000"})
	if len(text) < 10_000_000 {
		t.Errorf("a large frame came as %d bytes", len(text))
	}
}

func TestZimoOSOverStdio(t *testing.T) {
	ctx, c := stdio(t, Options{Seed: 1})
	session(ctx, t, c)
}

func TestWrongArgumentsGiveAnErrorWithTheFrame(t *testing.T) {
	ctx, c := stdio(t, Options{Seed: 1})
	for name, args := range map[string]map[string]any{
		"zimoos.act": {"frameCursor": 1, "cmd": "home"}, "zimoos.search": {},
	} {
		text, isError := call(ctx, t, c, name, args)
		var failed errorResult
		if err := json.Unmarshal([]byte(text), &failed); err != nil || !isError || failed.Frame.FrameCursor != "c1" {
			t.Errorf("%s: isError %v, %.120s", name, isError, text)
		}
	}
}

func TestOrdinaryToolsOverStdio(t *testing.T) {
	ctx, c := stdio(t, Options{Seed: 1, Server: ServerFiles})
	if got := toolNames(ctx, t, c); got != "files.list files.read" {
		t.Errorf("tools: %s", got)
	}
	if text, isError := call(ctx, t, c, "files.list", nil); isError || text != "Documents/\nPictures/\nreadme.txt" {
		t.Errorf("list: %q", text)
	}
	short, _ := call(ctx, t, c, "files.read", map[string]any{"path": "/readme.txt"})
	long, isError := call(ctx, t, c, "files.read", map[string]any{"path": "readme.txt", "repeat": 1000})
	if isError || len(long) != 1000*(len(short)+1)-1 {
		t.Errorf("read: %d bytes once, %d a thousand times", len(short), len(long))
	}
	for _, args := range []map[string]any{{"path": "/nope"}, {"path": "/Documents"}, {"path": "/readme.txt", "repeat": 0}} {
		if text, isError := call(ctx, t, c, "files.read", args); !isError {
			t.Errorf("%v: %q is no error", args, text)
		}
	}
}

func listen(t *testing.T, o Options) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	urls, done := make(chan string, 1), make(chan error, 1)
	go func() { done <- ListenHTTP(ctx, "127.0.0.1:0", o, func(u string) { urls <- u }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("ListenHTTP: %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	select {
	case u := <-urls:
		return u
	case err := <-done:
		t.Fatal(err)
		return ""
	}
}

func TestZimoOSOverHTTP(t *testing.T) {
	url := listen(t, Options{Seed: 1})
	c, err := client.NewStreamableHttpClient(url)
	if err != nil {
		t.Fatal(err)
	}
	session(connect(t, c), t, c)
}

func TestForeignHostAndOriginAreRefused(t *testing.T) {
	url := listen(t, Options{Seed: 1})
	for _, tc := range []struct {
		host, origin string
		want         int
	}{
		{"evil.example", "", 403},
		{"127.0.0.1.evil.example:80", "", 403},
		{"", "https://evil.example", 403},
		{"", "null", 403},
		{"localhost", "http://localhost:3000", 200},
		{"", "", 200},
	} {
		body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if tc.host != "" {
			req.Host = tc.host
		}
		if tc.origin != "" {
			req.Header.Set("Origin", tc.origin)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != tc.want {
			t.Errorf("host %q origin %q: %d, want %d", tc.host, tc.origin, res.StatusCode, tc.want)
		}
	}
}

// The MCP library looks at the Host too; this holds without it.
func TestGuardRefusesForeignHostsByItself(t *testing.T) {
	h := guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	for host, want := range map[string]int{"evil.example": 403, "": 403, "127.0.0.1:9": 200, "[::1]:9": 200, "LOCALHOST": 200} {
		req := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		req.Host = host
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, req)
		if rec.Code != want {
			t.Errorf("host %q: %d, want %d", host, rec.Code, want)
		}
	}
}

func TestOnlyLoopbackAddressesAreTaken(t *testing.T) {
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.org:80"} {
		if err := ListenHTTP(t.Context(), addr, Options{}, nil); !errors.Is(err, ErrNotLoopback) {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if err := ListenHTTP(t.Context(), "127.0.0.1", Options{}, nil); err == nil {
		t.Error("an address without a port was taken")
	}
}

func TestUnknownServerIsAnError(t *testing.T) {
	if _, err := New(Options{Server: "nope"}); !errors.Is(err, ErrUnknownServer) {
		t.Errorf("%v", err)
	}
}
