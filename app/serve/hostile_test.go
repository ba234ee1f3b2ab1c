package serve

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// bare is a connection on which text was written. HOST stands for the bound address.
func (s *site) bare(text string) (net.Conn, *bufio.Reader) {
	s.t.Helper()
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c, strings.ReplaceAll(text, "HOST", s.listener.Addr().String())); err != nil {
		s.t.Fatal(err)
	}
	return c, bufio.NewReader(c)
}

// answered gives the status of what comes back, 0 when the connection just ends.
func answered(in *bufio.Reader) int {
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

func TestArgumentsThatAreTooLargeAreRefusedAndRunNothing(t *testing.T) {
	s := start(t)
	status, _, body := s.do(s.request("Rename", `["`+strings.Repeat("x", maxBodyBytes)+`"]`))
	if status != http.StatusRequestEntityTooLarge || !strings.Contains(sentence(t, body), "nothing was run") {
		t.Errorf("%d %s", status, body)
	}
	// Said to be small, and without an end: what counts is what comes.
	_, in := s.bare("POST /api/Prompt HTTP/1.1\r\nHost: HOST\r\n" + TokenHeader + ": " + s.token + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
		strings.Repeat(fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat("x", 1<<20)), maxPromptBytes>>20) + "1\r\nx\r\n")
	if status := answered(in); status != http.StatusRequestEntityTooLarge {
		t.Errorf("an endless body: %d", status)
	}
	if len(s.fake.prompts) != 0 {
		t.Error("it ran")
	}
}

func TestHeadersThatAreTooLargeAreRefused(t *testing.T) {
	s := start(t)
	_, in := s.bare("GET / HTTP/1.1\r\nHost: HOST\r\nX: " + strings.Repeat("x", 2*maxHeaderBytes) + "\r\n\r\n")
	if status := answered(in); status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("%d", status)
	}
}

// A client that sends its body drop by drop is cut at the deadline, and others are answered meanwhile.
func TestSlowClientsAreCutAndHoldNobodyUp(t *testing.T) {
	s := start(t, func(s *Server) { s.read = 300 * time.Millisecond })
	var slow []*bufio.Reader
	for range 50 {
		_, in := s.bare("POST /api/Prompt HTTP/1.1\r\nHost: HOST\r\n" + TokenHeader + ": " + s.token + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[")
		slow = append(slow, in)
	}
	for range 20 {
		s.bare("GET / HTTP/1.1\r\nHos") // its header never ends
	}
	for range 10 {
		if status, _, body := s.do(s.request("Tools", `[]`)); status != 200 {
			t.Fatalf("another client gets %d %s", status, body)
		}
	}
	for _, in := range slow {
		if status := answered(in); status == 200 {
			t.Error("half a call was answered as a whole one")
		}
	}
	if len(s.fake.prompts) != 0 {
		t.Errorf("half a call ran: %q", s.fake.prompts)
	}
}

// Requests that a proxy or a browser of today would not send, and that servers have fallen for.
func TestRequestsInDoubleMeaningAreRefused(t *testing.T) {
	s := start(t)
	good := TokenHeader + ": " + s.token + "\r\nContent-Type: application/json\r\n"
	for name, text := range map[string]string{
		"an address of another name":     "POST http://evil.example/api/Prompt HTTP/1.1\r\nHost: HOST\r\n" + good + "Content-Length: 5\r\n\r\n[\"x\"]",
		"two hosts":                      "POST /api/Prompt HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n" + good + "Content-Length: 5\r\n\r\n[\"x\"]",
		"no host":                        "POST /api/Prompt HTTP/1.0\r\n" + good + "Content-Length: 5\r\n\r\n[\"x\"]",
		"two lengths":                    "POST /api/Prompt HTTP/1.1\r\nHost: HOST\r\n" + good + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n[\"x\"]",
		"another method in a header":     "GET /api/Prompt HTTP/1.1\r\nHost: HOST\r\n" + good + "X-HTTP-Method-Override: POST\r\n\r\n",
		"a path that leads out and back": "POST /assets/../api/Prompt HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n[\"x\"]",
		"a dot name with a port":         "POST /api/Prompt HTTP/1.1\r\nHost: localhost.evil.example:80\r\n" + good + "Content-Length: 5\r\n\r\n[\"x\"]",
		"a form with the token's name":   "POST /api/Prompt?" + TokenHeader + "=x HTTP/1.1\r\nHost: HOST\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5\r\n\r\n[\"x\"]",
	} {
		_, in := s.bare(text)
		if status := answered(in); status == 200 || status >= 500 || status == http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, status)
		}
	}
	if len(s.fake.prompts) != 0 {
		t.Errorf("one of them ran: %q", s.fake.prompts)
	}
}

// A page of another site may ask beforehand; the answer allows it nothing.
func TestAnotherSiteGetsNoPermission(t *testing.T) {
	s := start(t)
	r, err := http.NewRequest(http.MethodOptions, s.base+"/api/Prompt", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "http://evil.example")
	r.Header.Set("Access-Control-Request-Method", "POST")
	r.Header.Set("Access-Control-Request-Headers", TokenHeader)
	status, header, _ := s.do(r)
	for name := range header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("it answers %s: %s", name, header.Get(name))
		}
	}
	if status < 400 {
		t.Errorf("%d", status)
	}
}
