//go:build unix

package toolbox

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

const mistakeWords = "the program made a mistake ("

// A listener that panics costs what it would have shown: servers start, calls are answered, and the status says so.
func TestAListenerThatPanicsCostsNoCall(t *testing.T) {
	web := mcpserver.NewMCPServer("web", "1", mcpserver.WithToolCapabilities(true))
	web.AddTool(mcp.NewTool("echo"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("hello"), nil
	})
	site := httptest.NewServer(mcpserver.NewStreamableHTTPServer(web))
	t.Cleanup(site.Close)
	configs := []ServerConfig{child("plain"), {Name: "web", URL: site.URL + "/mcp"}}
	b, reports := Start(context.Background(), configs, Options{LoginShell: "-", OnTraffic: func(Frame) { panic("sk-secret") }})
	t.Cleanup(func() { _ = b.Close() })
	for i, r := range reports {
		if !r.OK {
			t.Fatalf("%+v", r)
		}
		name := configs[i].Name
		res := b.Call(context.Background(), name, "echo", json.RawMessage(`{"do":"ok"}`))
		if res.State != StateOK {
			t.Errorf("%s: %+v", name, res)
		}
		if said := strings.Join(b.Status()[i].Warnings, "\n"); !strings.Contains(said, mistakeWords) || strings.Contains(said, "secret") {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// What panics while it reads from a server ends that connection in words, and the process that nobody reads any more.
func TestAReaderThatPanicsIsTheErrorOfItsCalls(t *testing.T) {
	cfg := child("plain")
	proc, err := startProcess(cfg, os.Getenv("PATH"))
	if err != nil {
		t.Fatal(err)
	}
	c := newStdioConn(proc, func(f Frame) {
		if f.Direction == DirIn {
			panic("sk-secret")
		}
	})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_, err = c.roundTrip(ctx, "1", "tools/list", requestBody(1, "tools/list", nil))
	if err == nil || !strings.Contains(err.Error(), mistakeWords) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	if _, again := c.roundTrip(ctx, "2", "tools/list", requestBody(2, "tools/list", nil)); again == nil || again.Error() != err.Error() {
		t.Errorf("%v", again)
	}
	if !proc.waitFor(20 * time.Second) {
		t.Error("the process still runs")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// A call, a start and a refresh that panic are the result of that call, of that start and of that refresh.
func TestAPanicOfAnOperationIsItsResult(t *testing.T) {
	b := ready(t, nil, child("plain"))
	s := b.servers[0]
	l := s.current()
	broken := &link{conn: nil, client: l.client, stale: l.stale, info: l.info, tail: l.tail}
	s.mu.Lock()
	s.link = broken
	s.status.Stale = true
	s.mu.Unlock()
	if res := do(b, "plain", "ok"); res.State != StateTransport || !strings.Contains(res.Message, mistakeWords) || !strings.Contains(res.Message, "It may have run") {
		t.Errorf("%+v", res)
	}
	if changed, changes := b.Refresh(context.Background()); changed || len(changes) != 1 || !strings.Contains(changes[0].Message, mistakeWords) {
		t.Errorf("%v %+v", changed, changes)
	}
	s.mu.Lock()
	s.link, s.status.Stale = l, false
	s.mu.Unlock()
	if res := do(b, "plain", "ok"); res.State != StateOK {
		t.Errorf("%+v", res)
	}
}

// A start that panics is the report of that server.
func TestAPanicOfAStartIsItsReport(t *testing.T) {
	b := ready(t, nil, child("plain"))
	broken := newServer(ServerConfig{Name: "broken", Command: "x"}, nil, func(Frame) {}) // nobody looks for its PATH
	if r := b.start(t.Context(), broken); r.OK || r.Server != "broken" || !strings.Contains(r.Message, mistakeWords) {
		t.Errorf("%+v", r)
	}
	if res := do(b, "plain", "ok"); res.State != StateOK {
		t.Errorf("the other one: %+v", res)
	}
}

// What shows the messages of a server at an address runs in goroutines of the libraries: a panic there is the error of the
// request, of reading its answer, or of closing it.
func TestAPanicInTheTrafficOfAnAddressIsItsError(t *testing.T) {
	mistaken := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), mistakeWords) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", what, err)
		}
	}
	trip := &tripper{base: &http.Transport{}, show: func(Frame) { panic("sk-secret") }}
	req, err := http.NewRequest(http.MethodPost, "http://127.0.0.1:1", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := trip.RoundTrip(req)
	if res != nil {
		_ = res.Body.Close()
	}
	mistaken("a request", err)
	answer := func(text string, events bool) *shownBody {
		return &shownBody{ReadCloser: io.NopCloser(strings.NewReader(text)), show: func([]byte) { panic("sk-secret") }, events: events}
	}
	_, err = io.ReadAll(answer("data: {}\n\n", true))
	mistaken("an answer's event", err)
	plain := answer("{}", false)
	if _, err := io.ReadAll(plain); err != nil {
		t.Fatal(err)
	}
	mistaken("the end of an answer", plain.Close())
}
