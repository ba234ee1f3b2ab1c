package proxy

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A client that reads nothing holds its upstream back, and costs no memory but for what the record keeps.
func TestAClientThatReadsNothingHoldsTheUpstreamBack(t *testing.T) {
	const (
		piece   = 64 << 10  // bytes
		endless = 128 << 20 // more than any buffers between two sockets hold
	)
	var written atomic.Int64
	ended := make(chan struct{})
	up := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		defer close(ended)
		control := http.NewResponseController(w)
		for written.Load() < endless {
			_ = control.SetWriteDeadline(time.Now().Add(500 * time.Millisecond)) // of standing still
			n, err := w.Write(make([]byte, piece))
			written.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	r := start(t, up.URL)
	c, _ := r.raw("GET /v1/large HTTP/1.1\r\nHost: HOST\r\n\r\n")
	<-ended
	if written.Load() >= endless {
		t.Fatal("all of it was taken, and nobody read it")
	}
	if kept := maxKeptBytes - atomic.LoadInt64(&r.p.budget.left); kept > previewBytes {
		t.Errorf("%d bytes are kept of a request that is only listed", kept)
	}
	_ = c.Close()
	r.next()
}

// Clients that never finish what they begin hold nobody up.
func TestClientsThatNeverFinishHoldNobodyUp(t *testing.T) {
	up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "ok")
	})
	r := start(t, up.URL)
	for range 100 {
		r.raw("POST /v1/chat/completions HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1000000\r\n\r\n{\"model\":")
		r.raw("POST /v1/chat/comp")
	}
	for range 10 {
		res := r.post("/v1/chat/completions", `{"model":"m","messages":[]}`)
		if text := all(t, res.Body); res.StatusCode != http.StatusOK || text != "ok" {
			t.Fatalf("another client gets %s %q", res.Status, text)
		}
	}
}

func TestHeadersThatAreTooLargeNeverReachTheUpstream(t *testing.T) {
	var asked atomic.Int64
	up := upstream(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	r := start(t, up.URL)
	_, in := r.raw("GET /v1/models HTTP/1.1\r\nHost: HOST\r\nX: " + strings.Repeat("x", 2*maxHeaderBytes) + "\r\n\r\n")
	res, err := http.ReadResponse(in, nil)
	if err == nil && res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("%v %v", res, err)
	}
	if asked.Load() != 0 {
		t.Error("the upstream was asked")
	}
}

// What a page or another server could make a client send, with a meaning that depends on who reads it.
func TestRequestsInDoubleMeaningNeverReachTheUpstream(t *testing.T) {
	var asked atomic.Int64
	up := upstream(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	r := start(t, up.URL)
	for name, text := range map[string]string{
		"an address of another name": "GET http://evil.example/v1/models HTTP/1.1\r\nHost: HOST\r\n\r\n",
		"two hosts":                  "GET /v1/models HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n\r\n",
		"two lengths":                "POST /v1/models HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
		"a form of a page":           "POST /v1/chat/completions HTTP/1.1\r\nHost: HOST\r\nOrigin: null\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
		"a page that asks before":    "OPTIONS /v1/chat/completions HTTP/1.1\r\nHost: HOST\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n",
		"a header in a header's end": "GET /v1/models HTTP/1.1\r\nHost: HOST\r\nX: a\rOrigin: b\r\n\r\n",
	} {
		_, in := r.raw(text)
		res, err := http.ReadResponse(in, nil)
		if err == nil && (res.StatusCode < 400 || res.StatusCode >= 500) {
			t.Errorf("%s: %s", name, res.Status)
		}
		if err == nil && res.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: permission for %s", name, res.Header.Get("Access-Control-Allow-Origin"))
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the upstream was asked %d times", n)
	}
}
