package proxy

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"zimoscope/backend/capture/exchange"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds waits that only a failure ends.
const patience = 30 * time.Second

// chanSink gives what it took to the test.
type chanSink chan exchange.Exchange

func (s chanSink) Take(ctx context.Context, e exchange.Exchange) error {
	select {
	case s <- e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// rig is a running proxy with a client.
type rig struct {
	t      *testing.T
	p      *Proxy
	sink   chanSink
	client *http.Client
	stop   func() error // ends the proxy; gives what Serve returned

	mu   sync.Mutex
	logs []string
}

// upstream is a server that runs handler.
func upstream(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

// setup is what a test may change.
type setup struct {
	Options
	Sink exchange.Sink
}

func start(t *testing.T, upstream string, change ...func(*setup)) *rig {
	t.Helper()
	r := &rig{t: t, sink: make(chanSink, 1000)}
	o := setup{Sink: r.sink, Options: Options{Upstream: upstream, Log: func(s string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.logs = append(r.logs, s)
	}}}
	for _, f := range change {
		f(&o)
	}
	p, err := New(o.Options)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Listen(); err != nil {
		t.Fatal(err)
	}
	r.p = p
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- p.Serve(ctx, o.Sink) }()
	r.stop = sync.OnceValue(func() error { cancel(); return <-served })
	transport := &http.Transport{DisableCompression: true}
	r.client = &http.Client{Transport: transport}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// next is the next exchange that was recorded.
func (r *rig) next() exchange.Exchange {
	r.t.Helper()
	select {
	case e := <-r.sink:
		return e
	case <-time.After(patience):
		r.t.Fatal("nothing was recorded")
		return exchange.Exchange{}
	}
}

func (r *rig) post(path, body string, header ...string) *http.Response {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, r.p.URL()+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	res, err := r.client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// all reads a body to its end.
func all(t *testing.T, body io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// raw is a bare connection to the proxy on which text was written.
func (r *rig) raw(text string) (net.Conn, *bufio.Reader) {
	r.t.Helper()
	c, err := net.Dial("tcp", r.p.listener.Addr().String())
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c, strings.ReplaceAll(text, "HOST", r.p.listener.Addr().String())); err != nil {
		r.t.Fatal(err)
	}
	return c, bufio.NewReader(c)
}

// rawUpstream answers each connection with a function of its own.
func rawUpstream(t *testing.T, serve func(c *net.TCPConn, in *bufio.Reader)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer func() { _ = c.Close() }()
				_ = c.SetDeadline(time.Now().Add(patience))
				serve(c.(*net.TCPConn), bufio.NewReader(c))
			})
		}
	})
	t.Cleanup(func() { _ = l.Close(); running.Wait() })
	return "http://" + l.Addr().String()
}

// readRequest takes one whole request off the connection.
func readRequest(in *bufio.Reader) {
	if r, err := http.ReadRequest(in); err == nil {
		_, _ = io.Copy(io.Discard, r.Body)
	}
}
