package serve

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
)

func TestAnswersAndFailuresHaveTheAgreedForm(t *testing.T) {
	var logged string
	s := start(t, func(s *Server) { s.options.Log = func(text string) { logged = text } })
	for _, c := range []struct {
		method, args string
		status       int
		says         string
	}{
		{"Nothing", `[]`, 404, "no such method"},
		{"Timeline", `["s9"]`, 404, "session s9: not found"},
		{"Timeline", `[]`, 400, "nothing was run"},
		{"Timeline", `nonsense`, 400, "nothing was run"},
		{"Prompt", `["hi",[]]`, 422, "The session is read-only; nothing was sent."},
		{"Snapshot", `[]`, 500, "The program made a mistake"},
		{"Rename", `["` + strings.Repeat("x", maxBodyBytes) + `"]`, 413, "over 8 MB; nothing was run"},
		{"Prompt", `["hi",[{"name":"p","data":"` + strings.Repeat("A", maxBodyBytes) + `"}]]`, 422, "The session is read-only; nothing was sent."},
		{"Prompt", `["` + strings.Repeat("x", maxPromptBytes) + `",[]]`, 413, "over 36 MB; nothing was run"},
	} {
		status, _, body := s.do(s.request(c.method, c.args))
		if status != c.status || !strings.Contains(sentence(t, body), c.says) {
			t.Errorf("%s: got %d %.200s", c.method, status, body)
		}
	}
	if !strings.Contains(logged, "panic in Snapshot") || strings.Contains(logged, "secret") {
		t.Errorf("logged %q", logged)
	}
	status, header, body := s.do(s.request("Tools", ``))
	if status != 200 || body != "[]" || header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %s %v", status, body, header)
	}
}

func TestEveryAnswerCarriesTheSafetyHeaders(t *testing.T) {
	s := start(t)
	refused := s.get("/")
	refused.Host = "evil.example"
	for name, r := range map[string]*http.Request{
		"page": s.get("/"), "script": s.get("/assets/app-1234.js"), "call": s.request("Tools", "[]"),
		"missing": s.get("/nothing"), "refused": refused,
	} {
		_, header, _ := s.do(r)
		if header.Get("Content-Security-Policy") != bridge.ContentSecurityPolicy ||
			header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Referrer-Policy") != "no-referrer" ||
			header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", name, header)
		}
	}
}

func TestFilesComeWithTheirTypeAndAge(t *testing.T) {
	s := start(t)
	for path, want := range map[string][3]string{
		"/":                        {"200", "text/html; charset=utf-8", "no-store"},
		"/index.html":              {"200", "text/html; charset=utf-8", "no-store"},
		"/assets/app-1234.js":      {"200", "text/javascript; charset=utf-8", "max-age=31536000, immutable"},
		"/assets/":                 {"404", "application/json", "no-store"},
		"/nothing":                 {"404", "application/json", "no-store"},
		"/.gitkeep":                {"404", "application/json", "no-store"},
		"/assets/..%2f..%2fgo.mod": {"404", "application/json", "no-store"},
	} {
		status, header, _ := s.do(s.get(path))
		got := [3]string{http.StatusText(status), header.Get("Content-Type"), header.Get("Cache-Control")}
		want[0] = map[string]string{"200": "OK", "404": "Not Found"}[want[0]]
		if got != want {
			t.Errorf("%s: got %v", path, got)
		}
	}
}

func TestAProgramWithoutFrontEndSaysSo(t *testing.T) {
	s := startWith(t, fstest.MapFS{".gitkeep": {}})
	if status, _, body := s.do(s.get("/")); status != 503 || !strings.Contains(body, "make build") {
		t.Fatalf("got %d %s", status, body)
	}
}

// lines reads an event stream line by line; the channel closes at its end.
func (s *site) lines(after string) <-chan string {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := s.get("/api/events?after=" + after).WithContext(ctx)
	r.Header.Set(TokenHeader, s.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "text/event-stream" {
		s.t.Fatalf("got %d %v", answer.StatusCode, answer.Header)
	}
	lines := make(chan string)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(lines)
		defer answer.Body.Close()
		for scanner := bufio.NewScanner(answer.Body); scanner.Scan(); {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	s.t.Cleanup(func() { cancel(); <-done })
	return lines
}

func (s *site) expect(lines <-chan string, want ...string) {
	s.t.Helper()
	for _, w := range want {
		for got := ""; got != w; {
			select {
			case line, ok := <-lines:
				if !ok {
					s.t.Fatalf("the stream ended before %q", w)
				}
				if got = line; got != w && got != "" {
					s.t.Fatalf("got %q, want %q", got, w)
				}
			case <-time.After(patience):
				s.t.Fatalf("no %q", w)
			}
		}
	}
}

func TestEventsArriveAtOnceFromTheNumberAskedFor(t *testing.T) {
	s := start(t)
	s.hub.Publish("state", "", 1)
	s.hub.Publish("timeline", "s1", 2)
	lines := s.lines("1")
	s.expect(lines, ": listening", `data: {"seq":2,"topic":"timeline","id":"s1","rev":2}`)
	s.hub.Publish("request", "s1/3", 3)
	s.expect(lines, `data: {"seq":3,"topic":"request","id":"s1/3","rev":3}`)
}

func TestAGapIsSaidBeforeTheStreamEnds(t *testing.T) {
	s := start(t)
	lines := s.lines("99")
	s.expect(lines, ": listening", "event: gap", "data: {}")
	for line := range lines {
		if line != "" {
			t.Fatalf("after the gap: %q", line)
		}
	}
}

func TestASilentStreamOutlivesTheReadDeadlineAndBeats(t *testing.T) {
	s := start(t, func(s *Server) { s.read, s.beat = 100*time.Millisecond, 150*time.Millisecond })
	lines := s.lines("0")
	s.expect(lines, ": listening", ": still here", ": still here", ": still here")
}

func TestStreamsAreLimitedAndGivenBack(t *testing.T) {
	s := start(t)
	s.streams.Store(maxStreams)
	r := s.get("/api/events?after=0")
	r.Header.Set(TokenHeader, s.token)
	if status, _, _ := s.do(r); status != 503 {
		t.Fatalf("got %d", status)
	}
	s.streams.Store(maxStreams - 1)
	s.expect(s.lines("0"), ": listening")
}

func TestStoppingEndsStreamsAndRunningTools(t *testing.T) {
	s := start(t)
	lines := s.lines("0")
	s.expect(lines, ": listening")
	status := make(chan string, 1)
	go func() {
		_, _, body := s.do(s.request("CallTool", `["a","b","{}"]`))
		status <- body
	}()
	<-s.fake.entered
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	for range lines {
	}
	if body := <-status; !strings.Contains(body, `"state":"cancelled"`) {
		t.Fatalf("the tool's caller got %s", body)
	}
	if _, err := net.Dial("tcp", s.listener.Addr().String()); err == nil {
		t.Fatal("still listening")
	}
}

func TestAToolMayTakeLongerThanTheReadDeadline(t *testing.T) {
	slow := &slowTool{release: make(chan struct{})}
	s := start(t, func(s *Server) { s.read, s.svc = 50*time.Millisecond, slow })
	time.AfterFunc(200*time.Millisecond, func() { close(slow.release) })
	if status, _, body := s.do(s.request("CallTool", `["a","b","{}"]`)); status != 200 || !strings.Contains(body, `"state":"ok"`) {
		t.Fatalf("got %d %s", status, body)
	}
}

// slowTool ends by its caller's doing, or as cancelled.
type slowTool struct {
	api.Service
	release chan struct{}
}

func (f *slowTool) CallTool(ctx context.Context, _, _, _ string) (api.ToolResult, error) {
	select {
	case <-f.release:
		return api.ToolResult{State: "ok"}, nil
	case <-ctx.Done():
		return api.ToolResult{State: "cancelled"}, nil
	}
}

func TestAPortInUseIsSaid(t *testing.T) {
	s := start(t)
	other, err := New(nil, nil, nil, Options{Listen: s.listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Listen(); err == nil || !strings.Contains(err.Error(), "Port 0 picks a free one") {
		t.Fatalf("got %v", err)
	}
	if err := other.Serve(context.Background()); !errors.Is(err, ErrNotListening) {
		t.Fatalf("got %v", err)
	}
}
