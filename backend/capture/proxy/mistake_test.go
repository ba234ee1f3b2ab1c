package proxy

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"zimoscope/backend/capture/exchange"
)

// A mistake while a request passes breaks that request's connection, is recorded, and ends nothing else.
func TestAPanicInTheTrafficIsRecordedAndCostsNoOther(t *testing.T) {
	up := upstream(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	r := start(t, up.URL, func(o *setup) {
		o.Observe = func(e Event) {
			if e.Phase == Answered && e.ID == 1 {
				panic("sk-secret")
			}
		}
	})
	if res, err := r.client.Post(r.p.URL()+"/v1/messages", "application/json", strings.NewReader(chatBody)); err == nil {
		_ = res.Body.Close()
		t.Error("the broken one was answered")
	}
	if e := r.next(); !strings.Contains(e.Error, "the program made a mistake (") || strings.Contains(e.Error, "secret") || string(e.Request) != chatBody {
		t.Errorf("%q %q", e.Error, e.Request)
	}
	if got := all(t, r.post("/v1/messages", chatBody).Body); got != "ok" {
		t.Error(got)
	}
}

// The transport reads a request's body in a goroutine of its own.
func TestAPanicInABodyIsAnAnswerInTheProxysName(t *testing.T) {
	up := upstream(t, func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body) })
	r := start(t, up.URL)
	w := &kept{header: http.Header{}}
	req, err := http.NewRequest(http.MethodPost, "http://"+r.p.listener.Addr().String()+"/v1/messages", brokenBody{})
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = -1 // not told
	r.p.ServeHTTP(w, req)
	if w.status != http.StatusBadGateway || !strings.Contains(w.text.String(), "the program made a mistake (") || strings.Contains(w.text.String(), "secret") {
		t.Errorf("%d %s", w.status, w.text.String())
	}
	r.next()
}

type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { panic("sk-secret") }

// kept is a response that is kept.
type kept struct {
	header http.Header
	status int
	text   strings.Builder
}

func (k *kept) Header() http.Header         { return k.header }
func (k *kept) WriteHeader(status int)      { k.status = status }
func (k *kept) Write(p []byte) (int, error) { return k.text.Write(p) }
func (k *kept) Flush()                      {}

// breaksOnce is a sink that panics at the first exchange.
type breaksOnce struct {
	exchange.Sink
	broken bool
}

func (b *breaksOnce) Take(ctx context.Context, e exchange.Exchange) error {
	if !b.broken {
		b.broken = true
		panic("sk-secret")
	}
	return b.Sink.Take(ctx, e)
}

// A mistake in what takes the records costs one record, which is said, and no traffic.
func TestAPanicInTheSinkCostsItsRecordAlone(t *testing.T) {
	up := upstream(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	r := start(t, up.URL, func(o *setup) { o.Sink = &breaksOnce{Sink: o.Sink} })
	for range 2 {
		if got := all(t, r.post("/v1/messages", chatBody).Body); got != "ok" {
			t.Error(got)
		}
	}
	r.next() // the second
	r.mu.Lock()
	defer r.mu.Unlock()
	if text := strings.Join(r.logs, "\n"); strings.Count(text, "was not recorded, the traffic itself passed: the program made a mistake (") != 1 || strings.Contains(text, "secret") {
		t.Errorf("%q", text)
	}
}
