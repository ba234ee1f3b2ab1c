package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds waits for something that must happen; it only runs out in a failing test.
const patience = 10 * time.Second

type fake struct {
	api.Service
	entered chan struct{} // CallTool has begun
	prompts []string
}

func (f *fake) Tools() ([]api.ToolInfo, error) { return nil, nil }

func (f *fake) Timeline(session string) (api.Timeline, error) {
	return api.Timeline{}, fmt.Errorf("session %s: %w", session, api.ErrNotFound)
}

func (f *fake) Prompt(text string, _ []api.Picture) error {
	f.prompts = append(f.prompts, text)
	return errors.New("The session is read-only; nothing was sent.")
}

func (f *fake) Snapshot() (api.Snapshot, error) { panic("secret") }

func (f *fake) CallTool(ctx context.Context, _, _, _ string) (api.ToolResult, error) {
	close(f.entered)
	<-ctx.Done()
	return api.ToolResult{State: "cancelled"}, nil
}

// site is a running server with what the tests look at.
type site struct {
	*Server
	t    *testing.T
	fake *fake
	hub  *bridge.Hub
	base string
	stop func() error // ends Serve and returns what it returned
}

func start(t *testing.T, change ...func(*Server)) *site {
	t.Helper()
	assets := fstest.MapFS{
		"index.html":         {Data: []byte("<!doctype html><title>page</title>")},
		"assets/app-1234.js": {Data: []byte("export {}")},
		".gitkeep":           {Data: []byte("")},
	}
	return startWith(t, assets, change...)
}

func startWith(t *testing.T, assets fstest.MapFS, change ...func(*Server)) *site {
	t.Helper()
	f, hub := &fake{entered: make(chan struct{})}, bridge.NewHub()
	server, err := New(f, hub, assets, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range change {
		c(server)
	}
	if err := server.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	stop := func() error {
		cancel()
		select {
		case err := <-ended:
			ended <- err
			return err
		case <-time.After(patience):
			return errors.New("Serve did not end")
		}
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return &site{Server: server, t: t, fake: f, hub: hub, base: "http://" + server.browserHost(), stop: stop}
}

// request is a good call of method, to be spoiled by the test.
func (s *site) request(method, args string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.base+"/api/"+method, strings.NewReader(args))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set(TokenHeader, s.token)
	r.Header.Set("Content-Type", "application/json")
	return r
}

func (s *site) get(path string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequest(http.MethodGet, s.base+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// do returns status, header and body.
func (s *site) do(r *http.Request) (int, http.Header, string) {
	s.t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(body)
}

func sentence(t *testing.T, body string) string {
	t.Helper()
	var answer map[string]string
	if err := json.Unmarshal([]byte(body), &answer); err != nil || answer["error"] == "" {
		t.Fatalf("not an error in the agreed form: %s", body)
	}
	return answer["error"]
}
