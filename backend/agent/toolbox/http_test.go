package toolbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// sessions is an HTTP server that can forget its session.
type sessions struct {
	mu      sync.Mutex
	number  int
	bodies  []string
	headers []string
	stream  bool // answer as an event stream
	tools   string
	stall   chan struct{} // closed when a stalled call was abandoned
}

func (s *sessions) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
}

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.headers = append(s.headers, r.Method+" "+r.Header.Get("X-Key"))
	if r.Method != http.MethodPost {
		s.mu.Unlock()
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	s.bodies = append(s.bodies, string(body))
	session := fmt.Sprint("s", s.number)
	tools := s.tools
	s.mu.Unlock()
	var e envelope
	_ = json.Unmarshal(body, &e)
	if e.Method == "initialize" {
		w.Header().Set("Mcp-Session-Id", session)
		s.answer(w, e.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"http","version":"1"}}`)
		return
	}
	if r.Header.Get("Mcp-Session-Id") != session {
		http.NotFound(w, r)
		return
	}
	switch e.Method {
	case "tools/list":
		s.answer(w, e.ID, `{"tools":[`+tools+`]}`)
	case "tools/call":
		switch {
		case strings.Contains(string(e.Params), `"stall"`):
			<-r.Context().Done()
			close(s.stall)
		case strings.Contains(string(e.Params), `"fail"`):
			w.WriteHeader(500)
			_, _ = io.WriteString(w, `{"message":"boom"}`)
		default:
			s.answer(w, e.ID, `{"n":9007199254740993, "z":"<b>","a":1.0}`)
		}
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

func (s *sessions) answer(w http.ResponseWriter, id json.RawMessage, result string) {
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	if s.stream {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "event: message\ndata: "+message+"\n\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, message)
}

func (s *sessions) sent(method string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, b := range s.bodies {
		if strings.Contains(b, `"method":"`+method+`"`) {
			list = append(list, b)
		}
	}
	return list
}

func serveSessions(t *testing.T, s *sessions) ServerConfig {
	t.Helper()
	if s.tools == "" {
		s.tools = `{"name":"echo","inputSchema":` + oddSchema + `}`
	}
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	return ServerConfig{Name: "web", URL: web.URL + "/mcp?key=query-secret", Headers: map[string]string{"X-Key": "header-secret"}, CallTimeout: 30 * time.Second}
}

func TestHTTPKeepsBytesBothWaysPlainAndStreamed(t *testing.T) {
	for _, stream := range []bool{false, true} {
		s := &sessions{stream: stream}
		rec := newTraffic()
		b := ready(t, rec, serveSessions(t, s))
		if string(b.Tools()[0].InputSchema) != oddSchema {
			t.Errorf("%s", b.Tools()[0].InputSchema)
		}
		args := `{"n":9007199254740993, "z":"<b>&"}`
		got := b.Call(context.Background(), "web", "echo", json.RawMessage(args))
		if got.State != StateOK || string(got.Raw) != `{"n":9007199254740993, "z":"<b>","a":1.0}` {
			t.Errorf("%+v %s", got, got.Raw)
		}
		if calls := s.sent("tools/call"); len(calls) != 1 || !strings.Contains(calls[0], `"arguments":`+args+`}`) {
			t.Errorf("%v", calls)
		}
		rec.until(t, func(f Frame) bool { return f.Direction == DirIn && strings.Contains(string(f.Raw), `"z":"<b>"`) })
		rec.until(t, func(f Frame) bool { return f.Direction == DirOut && strings.Contains(string(f.Raw), args) })
	}
}

func TestALostSessionIsRenewedAndTheCallNotRepeated(t *testing.T) {
	s := &sessions{}
	b := ready(t, nil, serveSessions(t, s))
	s.forget()
	got := do(b, "web", "x")
	if got.State != StateTransport || !strings.Contains(got.Message, "renewed") || !strings.Contains(got.Message, "not repeated") {
		t.Fatalf("%+v", got)
	}
	if n := len(s.sent("tools/call")); n != 1 {
		t.Errorf("sent %d times", n)
	}
	if got := do(b, "web", "x"); got.State != StateOK {
		t.Errorf("%+v", got)
	}
	if !b.Status()[0].Stale {
		t.Error("the tool list of a restarted server was not marked")
	}
	s.forget() // listing is repeated in the new session
	s.mu.Lock()
	s.tools = `{"name":"echo","inputSchema":{}}`
	s.mu.Unlock()
	changed, changes := b.Refresh(context.Background())
	if !changed || len(changes) != 1 || fmt.Sprint(changes[0].Altered) != "[echo]" || changes[0].Message != "" {
		t.Errorf("%v %+v", changed, changes)
	}
}

func TestHTTPDeadlineCancelsAndAFailureIsATransportError(t *testing.T) {
	s := &sessions{stall: make(chan struct{})}
	b := ready(t, nil, serveSessions(t, s))
	b.servers[0].cfg.CallTimeout = 50 * time.Millisecond
	if got := do(b, "web", "stall"); got.State != StateTimeout {
		t.Errorf("%+v", got)
	}
	<-s.stall
	if n := len(s.sent("notifications/cancelled")); n != 1 {
		t.Errorf("%d cancel notifications", n)
	}
	b.servers[0].cfg.CallTimeout = 30 * time.Second
	if got := do(b, "web", "fail"); got.State != StateTransport || got.Message == "" {
		t.Errorf("%+v", got)
	}
	if got := do(b, "web", "x"); got.State != StateOK {
		t.Errorf("%+v", got)
	}
}

func TestHTTPSecretsAreShownNowhereAndReachTheServer(t *testing.T) {
	s := &sessions{}
	rec := newTraffic()
	b := ready(t, rec, serveSessions(t, s))
	args := `{"k":"header-secret and query-secret"}`
	_ = b.Call(context.Background(), "web", "echo", json.RawMessage(args))
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	_, reports := box(t, rec, ServerConfig{Name: "dead", URL: dead.URL + "/?key=query-secret", Headers: map[string]string{"X-Key": "header-secret"}})
	if all := rec.all() + fmt.Sprintf("%+v %+v", b.Status(), reports); strings.Contains(all, "header-secret") || strings.Contains(all, "query-secret") {
		t.Error(all)
	}
	if reports[0].OK || reports[0].Message == "" {
		t.Errorf("%+v", reports[0])
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	for _, h := range s.headers {
		if !strings.HasSuffix(h, " header-secret") {
			t.Errorf("without its header: %s", h)
		}
	}
}

func TestMcpGoServerOverHTTP(t *testing.T) {
	good := goodServer()
	web := httptest.NewServer(mcpserver.NewStreamableHTTPServer(good))
	defer web.Close()
	b := ready(t, nil, ServerConfig{Name: "good", URL: web.URL + "/mcp"})
	got := b.Call(context.Background(), "good", "zimoos.current", json.RawMessage(`{"a":1}`))
	if got.State != StateOK || !strings.Contains(string(got.Raw), `"text":"1"`) {
		t.Errorf("%+v %s", got, got.Raw)
	}
	good.DeleteTools("zimoos.current")
	limit := time.Now().Add(20 * time.Second)
	for !b.Status()[0].Stale { // announced on the listening stream
		if time.Now().After(limit) {
			t.Fatal("list_changed was not heard")
		}
		time.Sleep(time.Millisecond)
	}
	if changed, _ := b.Refresh(context.Background()); !changed || len(b.Tools()) != 0 {
		t.Errorf("changed %v, tools %v", changed, b.Tools())
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
