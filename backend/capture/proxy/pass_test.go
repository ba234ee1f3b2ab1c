package proxy

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/capture/exchange"
)

const chatBody = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`

func TestBodiesPassUnchangedBothWaysAndAreRecorded(t *testing.T) {
	bodies := map[string]string{
		"empty": "", "json": chatBody, "spaces": " {\"messages\" :\n[ ] }  ", "invalid UTF-8": "{\"messages\":[\"\xff\xfe\"]}",
		"not json": "hello", "nul": "\x00\x01\r\n0\r\n\r\n",
	}
	for name, body := range bodies {
		for _, streamed := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " streamed ", streamed), func(t *testing.T) {
				var got, length = "", int64(0)
				up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
					b, _ := io.ReadAll(r.Body)
					got, length = string(b), r.ContentLength
					w.WriteHeader(207)
					_, _ = w.Write(append([]byte("answer "), b...))
				})
				r := start(t, up.URL)
				var in io.Reader = strings.NewReader(body)
				if streamed {
					in = struct{ io.Reader }{in} // no length is known
				}
				res, err := r.client.Post(r.p.URL()+"/v1/chat/completions", "application/json", in)
				if err != nil {
					t.Fatal(err)
				}
				defer res.Body.Close()
				if answer := all(t, res.Body); res.StatusCode != 207 || answer != "answer "+body || got != body {
					t.Fatalf("%d %q, upstream got %q", res.StatusCode, answer, got)
				}
				if known := length >= 0; known == streamed && body != "" {
					t.Fatalf("length was %d", length)
				}
				e := r.next()
				if string(e.Request) != body || string(e.Response) != "answer "+body || e.Error != "" || e.RequestCut || e.ResponseCut || e.Status != 207 || e.ResponseBytes != int64(len(body)+7) {
					t.Fatalf("%+v", e)
				}
			})
		}
	}
}

func TestLargeBodiesPass(t *testing.T) {
	t.Parallel()
	const size = 100 << 20
	up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		_, _ = io.Copy(w, r.Body)
	})
	r := start(t, up.URL)
	block := make([]byte, 1<<20)
	_, _ = rand.Read(block)
	sent, got := sha256.New(), sha256.New()
	body := io.TeeReader(io.LimitReader(repeat(block), size), sent)
	res, err := r.client.Post(r.p.URL()+"/v1/responses", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if n, err := io.Copy(got, res.Body); err != nil || n != size || !bytes.Equal(sent.Sum(nil), got.Sum(nil)) {
		t.Fatal(n, err)
	}
	e := r.next()
	if e.RequestCut || e.ResponseCut || len(e.Request) != size || !bytes.Equal(e.Request, e.Response) {
		t.Fatal(len(e.Request), len(e.Response), e.Notes)
	}
}

type repeat []byte

func (r repeat) Read(p []byte) (int, error) { return copy(p, r), nil }

func TestEachEventArrivesBeforeTheNextIsWritten(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		t.Run(fmt.Sprint("h2 ", h2), func(t *testing.T) {
			read := make(chan struct{})
			up := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if (r.ProtoMajor == 2) != h2 {
					t.Error(r.Proto)
				}
				w.Header().Set("Content-Type", "text/event-stream")
				w.(http.Flusher).Flush()
				<-read // the head has arrived
				for i := range 20 {
					fmt.Fprintf(w, "data: %d\n\n", i)
					w.(http.Flusher).Flush()
					<-read
				}
			}))
			roots := x509.NewCertPool()
			if up.EnableHTTP2 = h2; h2 {
				up.StartTLS()
				roots.AddCert(up.Certificate())
			} else {
				up.Start()
			}
			t.Cleanup(up.Close)
			r := start(t, up.URL, func(o *setup) { o.RootCAs = roots })
			res := r.post("/v1/messages", chatBody)
			read <- struct{}{}
			lines := bufio.NewReader(res.Body)
			for i := range 20 {
				line, err := lines.ReadString('\n')
				if err != nil || line != fmt.Sprintf("data: %d\n", i) {
					t.Fatal(line, err)
				}
				_, _ = lines.ReadString('\n')
				read <- struct{}{}
			}
			if rest := all(t, lines); rest != "" {
				t.Fatal(rest)
			}
			if e := r.next(); e.Dialect != exchange.Messages || !strings.HasSuffix(string(e.Response), "data: 19\n\n") || e.FirstByte <= 0 {
				t.Fatalf("%+v", e)
			}
		})
	}
}

func TestAResponseMayBeginBeforeItsRequestEnds(t *testing.T) {
	up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.EnableFullDuplex()
		in := bufio.NewReader(r.Body)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			_, _ = io.WriteString(w, "echo "+line)
			_ = control.Flush()
		}
	})
	r := start(t, up.URL)
	out, in := io.Pipe()
	res := make(chan *http.Response, 1)
	go func() {
		got, err := r.client.Post(r.p.URL()+"/v1/chat/completions", "text/plain", out)
		if err != nil {
			t.Error(err)
		}
		res <- got
	}()
	_, _ = io.WriteString(in, "one\n")
	answer := <-res
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	for _, word := range []string{"one", "two", "three"} {
		if word != "one" {
			_, _ = io.WriteString(in, word+"\n")
		}
		if line, err := lines.ReadString('\n'); err != nil || line != "echo "+word+"\n" {
			t.Fatal(line, err)
		}
	}
	_ = in.Close()
	if rest := all(t, lines); rest != "" {
		t.Fatal(rest)
	}
	if e := r.next(); e.RequestCut || string(e.Request) != "one\ntwo\nthree\n" {
		t.Fatalf("%+v", e)
	}
}

func TestCompressedBodiesPassCompressedAndAreRecordedPlain(t *testing.T) {
	packed := gzipped(t, `{"answer":true}`)
	asked := gzipped(t, chatBody)
	up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if !bytes.Equal(b, asked) || len(r.Header.Values("Accept-Encoding")) != 0 {
			t.Errorf("%q %v", b, r.Header)
		}
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed)
	})
	r := start(t, up.URL)
	res := r.post("/v1/chat/completions", string(asked), "Content-Encoding", "gzip")
	if got := all(t, res.Body); got != string(packed) || res.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%q %v", got, res.Header)
	}
	e := r.next()
	if string(e.Request) != chatBody || string(e.Response) != `{"answer":true}` || e.ResponseBytes != int64(len(packed)) || len(e.Notes) != 0 {
		t.Fatalf("%+v", e)
	}
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNothingIsAddedToARequestOrAResponse(t *testing.T) {
	heads := make(chan []string, 1)
	up := rawUpstream(t, func(c *net.TCPConn, in *bufio.Reader) {
		var lines []string
		for {
			line, err := textproto.NewReader(in).ReadLine()
			if err != nil || line == "" {
				break
			}
			lines = append(lines, line)
		}
		heads <- lines
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX-One: 1\r\nContent-Length: 2\r\n\r\nok")
	})
	r := start(t, up+"/base")
	_, in := r.raw("GET /a%2Fb/?x=1;y&&z= HTTP/1.1\r\nHost: HOST\r\nX-Forwarded-For: me\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n")
	head := <-heads
	slices.Sort(head[1:])
	want := []string{"GET /base/a%2Fb/?x=1;y&&z= HTTP/1.1", "Host: " + strings.TrimPrefix(up, "http://"), "X-Forwarded-For: me"}
	if !slices.Equal(head, want) {
		t.Fatalf("%q", head)
	}
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := all(t, res.Body); got != "ok" || len(res.Header) != 2 || res.Header.Get("X-One") != "1" {
		t.Fatal(got, res.Header)
	}
}

func TestTrailersAndInformationalResponsesPass(t *testing.T) {
	up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</a>")
		w.WriteHeader(http.StatusEarlyHints)
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Trailer", "X-End")
		_, _ = io.WriteString(w, r.Trailer.Get("X-Sum"))
		w.Header().Set("X-End", "yes")
	})
	r := start(t, up.URL)
	_, in := r.raw("POST /x HTTP/1.1\r\nHost: HOST\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-Sum: 42\r\n\r\n")
	if hints, err := http.ReadResponse(in, nil); err != nil || hints.StatusCode != http.StatusEarlyHints || hints.Header.Get("Link") != "</a>" {
		t.Fatal(hints, err)
	}
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := all(t, res.Body); got != "42" || res.Trailer.Get("X-End") != "yes" {
		t.Fatal(got, res.Trailer)
	}
}

func TestABodyThatWaitsForPermissionGetsIt(t *testing.T) {
	up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/no" {
			w.WriteHeader(http.StatusExpectationFailed)
			return
		}
		_, _ = io.Copy(w, r.Body)
	})
	r := start(t, up.URL)
	c, in := r.raw("POST /yes HTTP/1.1\r\nHost: HOST\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
	if line, err := in.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 100") {
		t.Fatal(line, err)
	}
	_, _ = in.ReadString('\n')
	_, _ = io.WriteString(c, "abc")
	if res, err := http.ReadResponse(in, nil); err != nil || all(t, res.Body) != "abc" {
		t.Fatal(err)
	}
	_, in = r.raw("POST /no HTTP/1.1\r\nHost: HOST\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
	if res, err := http.ReadResponse(in, nil); err != nil || res.StatusCode != http.StatusExpectationFailed {
		t.Fatal(res, err)
	}
}

func TestAnUpgradedConnectionPassesBothWays(t *testing.T) {
	up := rawUpstream(t, func(c *net.TCPConn, in *bufio.Reader) {
		r, err := http.ReadRequest(in)
		if err != nil || r.Header.Get("Upgrade") != "websocket" {
			t.Error(r, err)
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		line, _ := in.ReadString('\n')
		_, _ = io.WriteString(c, "echo "+line)
	})
	r := start(t, up)
	c, in := r.raw("GET /v1/realtime HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	res, err := http.ReadResponse(in, nil)
	if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(res, err)
	}
	_, _ = io.WriteString(c, "hello\n")
	if line, err := in.ReadString('\n'); err != nil || line != "echo hello\n" {
		t.Fatal(line, err)
	}
	_ = c.Close()
	if e := r.next(); e.Status != http.StatusSwitchingProtocols || e.Dialect != exchange.Other || len(e.Notes) == 0 || e.Error != "" {
		t.Fatalf("%+v", e)
	}
}
