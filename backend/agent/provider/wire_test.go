package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// record is what a tap saw.
type record struct {
	mu     sync.Mutex
	body   bytes.Buffer
	status int
	err    error
	ends   int
	late   bool
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.late = r.late || r.ends > 0
	return r.body.Write(p)
}

func (r *record) Done(status int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status, r.err = status, err
	r.ends++
}

// taps hands out records and checks the numbering.
type taps struct {
	t    *testing.T
	list []*record
}

func (s *taps) open(n int) AttemptTap {
	if n != len(s.list)+1 {
		s.t.Errorf("attempt %d after %d", n, len(s.list))
	}
	s.list = append(s.list, &record{})
	return s.list[n-1]
}

// fiveMB is a body with all that a JSON encoder would rewrite.
func fiveMB() []byte {
	text := strings.Repeat(`<zimoos>&amp; 1.0 \u003c 9007199254740993 é `, 5<<20/46)
	return []byte(`{"model":"m", "stream":true,  "messages":[{"role":"user","content":"` + text + `"}] }`)
}

func TestTapAndServerSeeTheSameBytesOnEveryAttempt(t *testing.T) {
	body := fiveMB()
	var seen [][]byte
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ := io.ReadAll(r.Body)
		seen = append(seen, got)
		if len(seen) < 3 {
			w.Header().Set("Retry-After-Ms", "1")
			w.WriteHeader([]int{429, 503}[len(seen)-1])
			return
		}
		_, _ = io.WriteString(w, stop+done)
	})
	s := &taps{t: t}
	res, err := connect(t, server.URL, nil).Stream(context.Background(), body, StreamOptions{OnAttempt: s.open})
	if err != nil {
		t.Fatal(err)
	}
	if res.Attempts != 3 || len(s.list) != 3 || len(seen) != 3 {
		t.Fatalf("%d attempts, %d taps, %d arrived", res.Attempts, len(s.list), len(seen))
	}
	for i, r := range s.list {
		if !bytes.Equal(r.body.Bytes(), body) || !bytes.Equal(seen[i], body) {
			t.Errorf("attempt %d: bytes differ", i+1)
		}
		if want := []int{429, 503, 200}[i]; r.status != want || r.err != nil || r.ends != 1 || r.late {
			t.Errorf("attempt %d: status %d, err %v, ends %d, late %v", i+1, r.status, r.err, r.ends, r.late)
		}
	}
}

func TestATapHearsOfAnAttemptWithoutAnswer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stopped := make(chan struct{})
	go func() { // takes connections and drops them
		defer close(stopped)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	s := &taps{t: t}
	res, err := connect(t, "http://"+listener.Addr().String(), nil).Stream(context.Background(), []byte(`{"stream":true}`), StreamOptions{OnAttempt: s.open})
	_ = listener.Close()
	<-stopped
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindUnreachable || res.Status != 0 {
		t.Fatalf("%v", err)
	}
	if res.Attempts < 3 || len(s.list) != res.Attempts {
		t.Fatalf("%d attempts, %d taps", res.Attempts, len(s.list))
	}
	for i, r := range s.list {
		if r.status != 0 || r.err == nil || r.ends != 1 {
			t.Errorf("attempt %d: status %d, err %v, ends %d", i+1, r.status, r.err, r.ends)
		}
	}
}

func TestAKeptConnectionThatDiedLosesNoAttempt(t *testing.T) {
	server := serve(t, sse(stop+done))
	c := connect(t, server.URL, nil)
	for round := range 5 {
		s := &taps{t: t}
		res, err := c.Stream(context.Background(), []byte(`{"stream":true}`), StreamOptions{OnAttempt: s.open})
		if err != nil || res.Attempts != len(s.list) {
			t.Fatalf("round %d: %v, %d attempts, %d taps", round, err, res.Attempts, len(s.list))
		}
		for _, r := range s.list {
			if r.ends != 1 {
				t.Errorf("round %d: a tap ended %d times", round, r.ends)
			}
		}
		server.CloseClientConnections()
	}
}

func TestARefusedRequestIsNeverSentAgain(t *testing.T) {
	for _, code := range []int{400, 401, 403, 404, 413, 422} {
		sent := 0
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			sent++
			w.Header().Set("X-Should-Retry", "true")
			w.WriteHeader(code)
		})
		if _, err := ask(connect(t, server.URL, nil)); err == nil || sent != 1 {
			t.Errorf("%d: sent %d times, %v", code, sent, err)
		}
	}
}

func TestAWaitBeyondTheLimitEndsTheRetriesAndIsTold(t *testing.T) {
	sent := 0
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sent++
		status(429, map[string]string{"Retry-After": "3600"}, `{"error":{"message":"slow down"}}`)(w, r)
	})
	_, err := ask(connect(t, server.URL, nil))
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindRateLimited || e.RetryAfter != time.Hour || sent != 1 {
		t.Fatalf("sent %d, %v", sent, err)
	}
}

func TestNothingFromTheEnvironmentIsSent(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-from-the-environment")
	t.Setenv("OPENAI_ORG_ID", "org-from-the-environment")
	t.Setenv("OPENAI_PROJECT_ID", "project-from-the-environment")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Leak: from-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
	var got string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = fmt.Sprint(r.Header)
		sse(stop+done)(w, r)
	})
	if _, err := ask(connect(t, server.URL, func(c *Config) { c.APIKey = "" })); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got, "environment") || strings.Contains(got, "Authorization") || strings.Contains(got, "Stainless") {
		t.Errorf("sent: %s", got)
	}
}

func TestAddressKeyAndHeadersReachTheServer(t *testing.T) {
	var path, auth, extra string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		path, auth, extra = r.URL.String(), r.Header.Get("Authorization"), r.Header.Get("X-Extra")
		sse(stop+done)(w, r)
	})
	for base, want := range map[string]string{
		server.URL:                              "/chat/completions",
		server.URL + "/v1":                      "/v1/chat/completions",
		server.URL + "/v1/":                     "/v1/chat/completions",
		server.URL + "/a/v1/chat/completions":   "/a/v1/chat/completions",
		server.URL + "/v1?api-version=2026-1-1": "/v1/chat/completions?api-version=2026-1-1",
	} {
		_, err := ask(connect(t, "", func(c *Config) { c.BaseURL = base; c.Headers = map[string]string{"X-Extra": "e"} }))
		if err != nil || path != want || auth != "Bearer "+testKey || extra != "e" {
			t.Errorf("%s: %v %s %s %s", base, err, path, auth, extra)
		}
	}
}

func TestUnusableAddressesAreRefusedBeforeAnythingIsSent(t *testing.T) {
	for _, base := range []string{"", "127.0.0.1:1234", "ftp://h/v1", "http://", "http://u:secret-pass@h/v1", "http://[::1"} {
		if _, err := New(Config{BaseURL: base}); !errors.Is(err, ErrConfig) || strings.Contains(fmt.Sprint(err), "secret-pass") {
			t.Errorf("%q: %v", base, err)
		}
	}
}
