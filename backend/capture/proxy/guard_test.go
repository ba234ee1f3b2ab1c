package proxy

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"zimoscope/backend/capture/exchange"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func TestOnlyLoopbackIsListenedOn(t *testing.T) {
	for _, listen := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "[::]:0", "example.com:80"} {
		if _, err := New(Options{Upstream: "http://x", Listen: listen}); !errors.Is(err, ErrNotLoopback) {
			t.Error(listen, err)
		}
	}
	for _, listen := range []string{"", "127.0.0.1:0", "localhost:0", "[::1]:0"} {
		if _, err := New(Options{Upstream: "http://x", Listen: listen}); err != nil {
			t.Error(listen, err)
		}
	}
}

func TestAnUpstreamMustBeAnAddress(t *testing.T) {
	for _, up := range []string{"", "x", "ftp://x", "http://", "http:x", "http://user:hunter22@x:port", "://hunter22"} {
		if _, err := New(Options{Upstream: up}); !errors.Is(err, ErrUpstream) || strings.Contains(err.Error(), "hunter22") {
			t.Error(up, err)
		}
	}
}

func TestWebPagesAndOtherNamesAreRefused(t *testing.T) {
	asked := 0
	up := upstream(t, func(http.ResponseWriter, *http.Request) { asked++ })
	r := start(t, up.URL, func(o *setup) { o.AllowOrigins = []string{"http://localhost:3000"} })
	port := r.p.listener.Addr().String()[len("127.0.0.1"):]
	for name, c := range map[string]struct {
		host, origin, site string
		want               int
	}{
		"plain":           {want: 200},
		"localhost":       {host: "localhost" + port, want: 200},
		"v6":              {host: "[::1]" + port, want: 200},
		"rebound":         {host: "evil.example" + port, want: 403},
		"other port":      {host: "127.0.0.1:1", want: 403},
		"no port":         {host: "127.0.0.1", want: 403},
		"origin":          {origin: "http://evil.example", want: 403},
		"null origin":     {origin: "null", want: 403},
		"allowed origin":  {origin: "http://localhost:3000", site: "cross-site", want: 200},
		"image of a page": {site: "cross-site", want: 403},
		"typed in":        {site: "none", want: 200},
	} {
		before := asked
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, r.p.URL()+"/v1/models", nil)
		req.Host = c.host
		for header, v := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site} {
			if v != "" {
				req.Header.Set(header, v)
			}
		}
		res, err := r.client.Do(req)
		if err != nil {
			t.Fatal(name, err)
		}
		text := all(t, res.Body)
		_ = res.Body.Close()
		if res.StatusCode != c.want || (asked > before) != (c.want == 200) || c.want == 403 && !strings.Contains(text, "ZimoScope proxy: ") {
			t.Error(name, res.Status, text)
		}
	}
}

func TestATunnelIsRefused(t *testing.T) {
	r := start(t, "http://127.0.0.1:1")
	_, in := r.raw("CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n\r\n")
	if res, err := http.ReadResponse(in, nil); err != nil || res.StatusCode != http.StatusNotImplemented {
		t.Fatal(res, err)
	}
}

func TestTheUpstreamsPathIsJoinedOnce(t *testing.T) {
	for _, c := range [][3]string{
		{"https://api.x.com/v1", "/chat/completions", "https://api.x.com/v1/chat/completions"},
		{"https://api.x.com/v1", "/v1/chat/completions", "https://api.x.com/v1/chat/completions"},
		{"https://api.x.com/v1/", "/v1/chat/completions", "https://api.x.com/v1/chat/completions"},
		{"https://api.x.com/v1", "/v1", "https://api.x.com/v1"},
		{"https://api.x.com/v1", "/v10/x", "https://api.x.com/v1/v10/x"},
		{"https://api.x.com", "/v1/messages?beta=true", "https://api.x.com/v1/messages?beta=true"},
		{"https://api.x.com", "/", "https://api.x.com/"},
		{"https://api.x.com/a%2Fb", "/c%20d/", "https://api.x.com/a%2Fb/c%20d/"},
		{"https://api.x.com/p?api-version=3", "/q", "https://api.x.com/p/q?api-version=3"},
		{"https://api.x.com/p?api-version=3", "/q?z=%zz;&", "https://api.x.com/p/q?api-version=3&z=%zz;"},
	} {
		up, err := url.Parse(c[0])
		if err != nil {
			t.Fatal(err)
		}
		asked, err := url.ParseRequestURI(c[1])
		if err != nil {
			t.Fatal(err)
		}
		if got := target(up, asked).String(); got != c[2] {
			t.Errorf("%s + %s = %s", c[0], c[1], got)
		}
	}
}

func TestDialectsAreKnownByPathAndBody(t *testing.T) {
	for _, c := range []struct {
		method, path, body string
		want               exchange.Dialect
	}{
		{"POST", "/v1/chat/completions", chatBody, exchange.Chat},
		{"POST", "/openai/deployments/d/chat/completions/", chatBody, exchange.Chat},
		{"POST", "/v1/responses", `{"input":"x"}`, exchange.Responses},
		{"POST", "/v1/messages", chatBody, exchange.Messages},
		{"POST", "/v1/messages", "not json", exchange.Messages},
		{"POST", "/v1/threads/t/messages", `{"role":"user","content":"x"}`, exchange.Other},
		{"POST", "/v1/messages/count_tokens", chatBody, exchange.Other},
		{"GET", "/v1/chat/completions", "", exchange.Other},
		{"POST", "/v1/embeddings", `{"input":"x"}`, exchange.Other},
		{"POST", "/v1/chat/completions", `[1]`, exchange.Chat},
	} {
		if got, notes := judge(dialectOf(c.method, c.path), []byte(c.body), false); got != c.want {
			t.Error(c.method, c.path, got, notes)
		}
	}
}
