package proxy

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

// breaksAfter sends a chunk and resets the connection once the client has it.
func breaksAfter(t *testing.T, head string, read <-chan struct{}) string {
	return rawUpstream(t, func(c *net.TCPConn, in *bufio.Reader) {
		readRequest(in)
		_, _ = io.WriteString(c, head)
		<-read
		_ = c.SetLinger(0)
	})
}

func TestAnUpstreamThatBreaksOffBreaksTheClientsConnection(t *testing.T) {
	for name, head := range map[string]string{
		"chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
		"length":  "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
		"close":   "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello",
	} {
		t.Run(name, func(t *testing.T) {
			read := make(chan struct{})
			r := start(t, breaksAfter(t, head, read))
			res := r.post("/v1/chat/completions", chatBody)
			hello := make([]byte, 5)
			if _, err := io.ReadFull(res.Body, hello); err != nil || string(hello) != "hello" {
				t.Fatal(string(hello), err)
			}
			close(read)
			if rest, err := io.ReadAll(res.Body); err == nil {
				t.Fatalf("a neat end after %q", rest)
			}
			e := r.next()
			if e.Status != 200 || string(e.Response) != "hello" || !e.ResponseCut || !strings.Contains(e.Error, "after 5 bytes") || !strings.Contains(e.Error, "upstream") {
				t.Fatalf("%+v", e)
			}
		})
	}
}

func TestAClientWithoutChunksSeesAReset(t *testing.T) {
	read := make(chan struct{})
	r := start(t, breaksAfter(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", read))
	_, in := r.raw("GET /x HTTP/1.0\r\nHost: HOST\r\n\r\n")
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(res.Body, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	close(read)
	if _, err := io.ReadAll(res.Body); !errors.Is(err, syscall.ECONNRESET) {
		t.Fatal(err)
	}
}

func TestNonsenseFromTheUpstreamIsNoNeatAnswer(t *testing.T) {
	for name, answer := range map[string]string{
		"nothing":       "",
		"no http":       "hello\r\n\r\n",
		"chunk":         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
		"missing end":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
		"too few bytes": "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, rawUpstream(t, func(c *net.TCPConn, in *bufio.Reader) {
				readRequest(in)
				_, _ = io.WriteString(c, answer)
			}))
			res, err := r.client.Post(r.p.URL()+"/v1/chat/completions", "application/json", strings.NewReader(chatBody))
			if err == nil {
				_, err = io.ReadAll(res.Body)
				_ = res.Body.Close()
			}
			if err == nil {
				t.Fatal("a neat answer", res.Status)
			}
			if e := r.next(); e.Error == "" || string(e.Request) != chatBody {
				t.Fatalf("%+v", e)
			}
		})
	}
}

func TestAClientThatLeavesEndsTheUpstreamsWork(t *testing.T) {
	for _, path := range []string{"/v1/chat/completions?hang", "/v1/chat/completions"} {
		t.Run(path, func(t *testing.T) {
			gone := make(chan struct{})
			began := make(chan struct{})
			up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if r.URL.RawQuery == "" {
					_, _ = io.WriteString(w, "first")
					w.(http.Flusher).Flush()
				} else {
					close(began)
				}
				<-r.Context().Done()
				close(gone)
			})
			r := start(t, up.URL)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			req, _ := http.NewRequestWithContext(ctx, http.MethodPost, r.p.URL()+path, strings.NewReader(chatBody))
			go func() { <-began; leave() }()
			if res, err := r.client.Do(req); err == nil {
				_, _ = io.ReadFull(res.Body, make([]byte, len("first")))
				close(began)
				_, _ = io.ReadAll(res.Body)
				_ = res.Body.Close()
			}
			<-gone
			e := r.next()
			if !strings.HasPrefix(e.Error, "The client left") || string(e.Request) != chatBody || e.RequestCut {
				t.Fatalf("%+v", e)
			}
			if (e.Status != 0) != (path == "/v1/chat/completions") {
				t.Fatal(e.Status)
			}
		})
	}
}

func TestAClientThatLeavesInItsRequestIsRecordedThatFar(t *testing.T) {
	broken := make(chan error, 1)
	up := upstream(t, func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		broken <- err
	})
	r := start(t, up.URL)
	c, _ := r.raw("POST /v1/responses HTTP/1.1\r\nHost: HOST\r\nContent-Length: 100\r\n\r\nabc")
	_ = c.Close()
	if e := r.next(); !e.RequestCut || string(e.Request) != "abc" || e.Status != 0 || !strings.Contains(e.Error, "in the middle of its request") {
		t.Fatalf("%+v", e)
	}
	select {
	case err := <-broken:
		if err == nil {
			t.Fatal("the upstream got a whole request")
		}
	default: // the request was so short that the upstream never saw it
	}
}

func TestARequestThatIsNoHTTPIsRefusedByName(t *testing.T) {
	up := upstream(t, func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	r := start(t, up.URL)
	_, in := r.raw("POST /v1/responses HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n")
	res, err := http.ReadResponse(in, nil)
	if err != nil || res.StatusCode != http.StatusBadRequest || !strings.Contains(all(t, res.Body), "ZimoScope proxy") {
		t.Fatal(res, err)
	}
	if e := r.next(); !e.RequestCut || !strings.Contains(e.Error, "not readable HTTP") || e.Status != 0 {
		t.Fatalf("%+v", e)
	}
}

func TestAnUpstreamThatCantBeReachedIsA502InTheProxysName(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	untrusted := httptest.NewUnstartedServer(nil)
	untrusted.Config.ErrorLog = quiet()
	untrusted.StartTLS()
	defer untrusted.Close()
	plain := upstream(t, func(http.ResponseWriter, *http.Request) {})
	for name, address := range map[string]string{
		"upstream_unreachable": closed.URL,
		"upstream_tls":         untrusted.URL,
		"http":                 strings.Replace(plain.URL, "http:", "https:", 1),
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, address)
			res := r.post("/v1/chat/completions", chatBody)
			text := all(t, res.Body)
			if res.StatusCode != http.StatusBadGateway || !strings.Contains(text, "ZimoScope proxy: No") || name != "http" && !strings.Contains(text, name) {
				t.Fatal(res.Status, text)
			}
			if e := r.next(); e.Status != 0 || !strings.HasPrefix(e.Error, "No ") || len(e.Response) != 0 || len(e.Notes) == 0 {
				t.Fatalf("%+v", e)
			}
		})
	}
}

func TestAStopCutsWhatHangsAndRecordsIt(t *testing.T) {
	t.Parallel()
	began := make(chan struct{})
	up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "first")
		w.(http.Flusher).Flush()
		close(began)
		<-r.Context().Done()
	})
	r := start(t, up.URL)
	res := r.post("/v1/chat/completions", chatBody)
	<-began
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Fatal("a neat end")
	}
	if e := r.next(); !strings.Contains(e.Error, "was stopped") || string(e.Response) != "first" || !e.ResponseCut {
		t.Fatalf("%+v", e)
	}
}
