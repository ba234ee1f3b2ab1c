package serve

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestOnlyLoopbackIsBoundUnlessAllowed(t *testing.T) {
	for _, listen := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:80", "example.org:0"} {
		if _, err := New(nil, nil, nil, Options{Listen: listen}); !errors.Is(err, ErrNotLoopback) {
			t.Errorf("%s: %v", listen, err)
		}
	}
	for _, listen := range []string{"", "127.0.0.1:0", "localhost:0", "[::1]:0", "127.0.0.7:80"} {
		if _, err := New(nil, nil, nil, Options{Listen: listen}); err != nil {
			t.Errorf("%s: %v", listen, err)
		}
	}
	for _, listen := range []string{"127.0.0.1", "127.0.0.1:http2x", "127.0.0.1:70000", "127.0.0.1:-1"} {
		if _, err := New(nil, nil, nil, Options{Listen: listen}); err == nil {
			t.Errorf("%s was taken", listen)
		}
	}
}

func TestARemoteAddressIsWarnedAbout(t *testing.T) {
	var warned string
	o := Options{Listen: "0.0.0.0:0", AllowRemote: true, Warn: func(s string) { warned = s }}
	if _, err := New(nil, nil, nil, o); err != nil || !strings.Contains(warned, "not encrypted") {
		t.Fatalf("%v %q", err, warned)
	}
}

func TestEachStartHasItsOwnLongToken(t *testing.T) {
	a, b := start(t), start(t)
	if a.token == b.token || len(a.token) < 43 {
		t.Fatalf("tokens of %d characters, equal: %v", len(a.token), a.token == b.token)
	}
	if want := "http://" + a.listener.Addr().String() + "/#token=" + a.token; a.URL() != want {
		t.Fatalf("got %s", a.URL())
	}
}

func TestCallsOfOthersAreRefused(t *testing.T) {
	s := start(t)
	for name, c := range map[string]struct {
		spoil func(*http.Request)
		want  int
	}{
		"no token":                  {func(r *http.Request) { r.Header.Del(TokenHeader) }, 401},
		"empty token":               {func(r *http.Request) { r.Header.Set(TokenHeader, "") }, 401},
		"part of the token":         {func(r *http.Request) { r.Header.Set(TokenHeader, s.token[:20]) }, 401},
		"token in the address":      {func(r *http.Request) { r.Header.Del(TokenHeader); r.URL.RawQuery = "token=" + s.token }, 401},
		"a name that was rebound":   {func(r *http.Request) { r.Host = "evil.example:" + s.base[strings.LastIndex(s.base, ":")+1:] }, 403},
		"a host without port":       {func(r *http.Request) { r.Host = "127.0.0.1" }, 403},
		"another port":              {func(r *http.Request) { r.Host = "127.0.0.1:1" }, 403},
		"another loopback address":  {func(r *http.Request) { r.Host = strings.Replace(r.URL.Host, "127.0.0.1", "127.0.0.2", 1) }, 403},
		"a foreign origin":          {func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		"origin null":               {func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"an empty origin":           {func(r *http.Request) { r.Header["Origin"] = []string{""} }, 403},
		"https of the same host":    {func(r *http.Request) { r.Header.Set("Origin", "https://"+r.URL.Host) }, 403},
		"two origins":               {func(r *http.Request) { r.Header["Origin"] = []string{s.base, s.base} }, 403},
		"another site":              {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"another port of this host": {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 403},
		"another site, navigating": {func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}, 403},
		"a simple form":              {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		"a form":                     {func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }, 415},
		"no content type":            {func(r *http.Request) { r.Header.Del("Content-Type") }, 415},
		"a content type that has it": {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain; x=application/json") }, 415},
	} {
		r := s.request("Prompt", `["hello",[]]`)
		c.spoil(r)
		status, _, body := s.do(r)
		if status != c.want || sentence(t, body) == "" || strings.Contains(body, s.token) {
			t.Errorf("%s: got %d %s", name, status, body)
		}
	}
	if len(s.fake.prompts) != 0 {
		t.Fatalf("a refused call ran: %v", s.fake.prompts)
	}
}

func TestTheOwnPageMayCall(t *testing.T) {
	s := start(t)
	for name, change := range map[string]func(*http.Request){
		"a program without origin": func(*http.Request) {},
		"the page": func(r *http.Request) {
			r.Header.Set("Origin", s.base)
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		},
		"the page by the other name": func(r *http.Request) {
			r.Host = strings.Replace(r.URL.Host, "127.0.0.1", "localhost", 1)
			r.Header.Set("Origin", "http://"+r.Host)
		},
		"a charset": func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") },
	} {
		r := s.request("Tools", `[]`)
		change(r)
		if status, _, body := s.do(r); status != 200 || body != "[]" {
			t.Errorf("%s: got %d %s", name, status, body)
		}
	}
}

func TestAnAbsentOriginSkipsNoOtherCheck(t *testing.T) {
	s := start(t)
	r := s.get("/api/events?after=0")
	if status, _, _ := s.do(r); status != 401 {
		t.Errorf("events without token: %d", status)
	}
	r = s.get("/")
	r.Host = "evil.example"
	if status, _, body := s.do(r); status != 403 || strings.Contains(body, "<title>") {
		t.Errorf("the page under another name: %d %s", status, body)
	}
	r = s.get("/api/nothing")
	if status, _, _ := s.do(r); status != 401 {
		t.Errorf("an unknown route without token: %d", status)
	}
}

func TestOtherSitesMayLinkHereButNotLoadFiles(t *testing.T) {
	s := start(t)
	r := s.get("/assets/app-1234.js")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	r.Header.Set("Sec-Fetch-Mode", "no-cors")
	if status, _, _ := s.do(r); status != 403 {
		t.Errorf("a script for another site: %d", status)
	}
	r = s.get("/")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	r.Header.Set("Sec-Fetch-Mode", "navigate")
	if status, _, _ := s.do(r); status != 200 {
		t.Errorf("a link: %d", status)
	}
}
