package proxy

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/secret"
)

func TestSecretsAreNamedAndLeaveEverythingButBodies(t *testing.T) {
	const (
		key, other, cookie, sig, password = "sk-live-0123456789", "x-api-ABCDEFGH", "cookie-value-77", "sig/val+ue==", "up-password-9"
		session                           = "set-cookie-88"
	)
	up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key || r.URL.Query().Get("sig") != sig {
			t.Error(r.Header, r.URL)
		}
		w.Header().Set("Set-Cookie", "sid="+session+"; Path=/")
		w.Header().Set("X-Echo", key)
		w.Header().Set("X-Ratelimit-Remaining-Tokens", "149999984")
		_, _ = io.WriteString(w, "ok")
	})
	r := start(t, strings.Replace(up.URL, "http://", "http://user:"+password+"@", 1))
	res := r.post("/v1/chat/completions?sig=sig%2Fval%2Bue%3D%3D&v=1", chatBody, "Authorization", "Bearer "+key, "X-Api-Key", other, "Cookie", "a=1; b="+cookie, "X-Note", "uses "+key)
	_ = all(t, res.Body)
	e := r.next()
	for _, s := range []string{key, other, cookie, sig, password, session} {
		if !slices.Contains(e.Secrets, s) {
			t.Errorf("%s is not in %q", s, e.Secrets)
		}
		if shown := fmt.Sprint(e.URL, e.RequestHeader, e.ResponseHeader, e.Error, e.Notes); strings.Contains(shown, s) {
			t.Errorf("%s is in %s", s, shown)
		}
	}
	if e.RequestHeader.Get("Authorization") != secret.Mark || !strings.HasSuffix(e.URL, "?sig="+secret.Mark+"&v=1") || strings.Contains(e.URL, "%2F") {
		t.Error(e.URL, e.RequestHeader)
	}
	if !strings.HasPrefix(e.URL, up.URL+"/v1/chat/completions?") {
		t.Errorf("%s is not where it went: a copy of it would lead to a proxy that is gone", e.URL)
	}
	if e.ResponseHeader.Get("X-Ratelimit-Remaining-Tokens") != "149999984" {
		t.Error(e.ResponseHeader)
	}
}

// stuckSink takes nothing until it is let go.
type stuckSink struct{ began, free chan struct{} }

func (s stuckSink) Take(context.Context, exchange.Exchange) error {
	select {
	case s.began <- struct{}{}:
	default:
	}
	<-s.free
	return nil
}

func TestAFullQueueCostsRecordsAndNoTraffic(t *testing.T) {
	up := upstream(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	sink := stuckSink{make(chan struct{}, 1), make(chan struct{})}
	r := start(t, up.URL, func(o *setup) { o.Sink = sink })
	ask := func() {
		res := r.post("/v1/models", "")
		_ = all(t, res.Body)
	}
	ask()
	<-sink.began // from here on the queue only fills
	const extra = 3
	for range queueLength + extra {
		ask()
	}
	// The response of the last request may be here before its record is queued; a stop waits for both.
	close(sink.free)
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if len(r.logs) != 1 || !strings.Contains(r.logs[0], "exchanges were not recorded") {
		t.Fatalf("%q", r.logs)
	}
	if r.p.budget.left != maxKeptBytes {
		t.Fatal("memory was not given back", r.p.budget.left)
	}
}

type brokenSink struct{}

func (brokenSink) Take(_ context.Context, e exchange.Exchange) error {
	if strings.Contains(e.URL, "panic") {
		panic("a mistake")
	}
	return errors.New("the disk is full")
}

func TestASinkThatFailsCostsItsRecordAndNoTraffic(t *testing.T) {
	up := upstream(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	r := start(t, up.URL, func(o *setup) { o.Sink = brokenSink{} })
	for _, path := range []string{"/panic", "/error?api_key=hunter2hunter2"} {
		if got := all(t, r.post(path, "").Body); got != "ok" {
			t.Fatal(got)
		}
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(r.logs, "\n")
	if len(r.logs) != 2 || !strings.Contains(text, "a mistake") || !strings.Contains(text, "the disk is full") || strings.Contains(text, "hunter2") {
		t.Fatal(text)
	}
}

func TestEventsTellHowFarARequestCame(t *testing.T) {
	up := upstream(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "four") })
	events := make(chan Event, 10)
	r := start(t, up.URL, func(o *setup) { o.Observe = func(e Event) { events <- e } })
	_ = all(t, r.post("/v1/messages?token=abcdefghij", chatBody).Body)
	for i, phase := range []Phase{Began, Answered, Ended} {
		e := <-events
		if e.ID != 1 || e.Phase != phase || e.Dialect != exchange.Messages || strings.Contains(e.URL, "abcdefghij") || (e.Status == 200) != (i > 0) || (e.Bytes == 4) != (i == 2) {
			t.Errorf("%+v", e)
		}
	}
}

func TestListedRequestsKeepAPreview(t *testing.T) {
	long := strings.Repeat("x", 3*previewBytes)
	up := upstream(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, long) })
	r := start(t, up.URL)
	if got := all(t, r.post("/v1/embeddings", long).Body); got != long {
		t.Fatal(len(got))
	}
	e := r.next()
	if e.Dialect != exchange.Other || len(e.Request) != previewBytes || len(e.Response) != previewBytes || !e.RequestCut || !e.ResponseCut || e.ResponseBytes != int64(len(long)) || len(e.Notes) != 1 {
		t.Fatal(len(e.Request), len(e.Response), e.Notes)
	}
}

func TestEveryEncodingIsReadForTheRecordOrNamed(t *testing.T) {
	pack := func(open func(io.Writer) io.WriteCloser) []byte {
		var b bytes.Buffer
		w := open(&b)
		_, _ = io.WriteString(w, "plain text")
		_ = w.Close()
		return b.Bytes()
	}
	raw := pack(func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 1); return f })
	z := pack(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	zs := pack(func(w io.Writer) io.WriteCloser { e, _ := zstd.NewWriter(w); return e })
	gz := gzipped(t, "plain text")
	for _, c := range []struct {
		encoding string
		body     []byte
	}{
		{"", []byte("plain text")},
		{"identity", []byte("plain text")},
		{"gzip", gz},
		{"X-GZip", gz},
		{"deflate", raw},
		{"deflate", z},
		{"zstd", zs},
		{"br", brotlied(t)},
		{"gzip, gzip", gzipped(t, string(gz))},
	} {
		if got, err := decode(c.body, c.encoding); err != nil || string(got) != "plain text" {
			t.Error(c.encoding, string(got), err)
		}
	}
	for encoding, word := range map[string]string{"lzma": "compressed with lzma", "br": "br ended", "gzip,gzip,gzip,gzip": "4 times", "gzip": "gzip ended", "zstd": "zstd ended", "deflate": "deflate ended"} {
		if got, err := decode([]byte("no such thing"), encoding); err == nil || !strings.Contains(err.Error(), word) || len(got) != 0 {
			t.Error(encoding, string(got), err)
		}
	}
	if got, err := decode(gz[:len(gz)-9], "gzip"); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix("plain text", string(got)) {
		t.Error(string(got), err)
	}
}

func brotlied(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriter(&b)
	_, _ = io.WriteString(w, "plain text")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTheNameOfAConversationIsNoSecret(t *testing.T) {
	for name, want := range map[string]bool{"Session_id": false, "X-Session-Id": false, "X-Claude-Code-Session-Id": false, "Conversation-Id": false, "Session": true, "X-Session-Token": true, "Cookie": true, "X-Api-Key": true} {
		if secretHeader(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func TestABodyThatUnpacksWithoutEndIsCut(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	e, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range maxDecodedBytes>>20 + 1 {
		_, _ = e.Write(zeros)
	}
	_ = e.Close()
	bomb := b.String()
	up := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "zstd")
		_, _ = io.WriteString(w, bomb)
	})
	r := start(t, up.URL)
	if got := all(t, r.post("/v1/messages", chatBody).Body); got != bomb {
		t.Fatal(len(got))
	}
	if got := r.next(); len(got.Response) != maxDecodedBytes || !got.ResponseCut || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "unpacks to more") {
		t.Fatal(len(got.Response), got.Notes)
	}
}

func TestKeptBodiesAreBoundedEachAndInAll(t *testing.T) {
	b := budget{left: 3 * lastBlock}
	small := keeper{limit: 10, budget: &b}
	small.add([]byte("0123456"))
	small.add([]byte("789abc"))
	small.add([]byte("d"))
	if !small.cut || string(small.join()) != "0123456789" {
		t.Fatal("the limit of one body")
	}
	large := keeper{limit: 100 * lastBlock, budget: &b}
	for range 10 {
		large.add(make([]byte, lastBlock))
	}
	if !large.cut || large.n > 3*lastBlock || large.n < lastBlock {
		t.Fatal("the limit of all", large.n)
	}
	small.release()
	large.release()
	if b.left != 3*lastBlock {
		t.Fatal(b.left)
	}
}

func TestABodyCanBeReadAgainWhileTheFirstReaderStillReads(t *testing.T) {
	b := budget{left: maxKeptBytes}
	text := strings.Repeat("0123456789", 10000)
	s := &source{body: strings.NewReader(text), kept: keeper{limit: len(text), budget: &b}}
	first, err := s.reader()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(first, make([]byte, 33333)); err != nil {
		t.Fatal(err)
	}
	again, err := s.reader()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan string, 1)
	go func() { rest, _ := io.ReadAll(first); done <- string(rest) }()
	whole, err := io.ReadAll(again)
	if rest := <-done; err != nil || string(whole) != text || rest != text[33333:] {
		t.Fatal(len(whole), len(rest), err)
	}
	cut := &source{body: strings.NewReader(text), kept: keeper{limit: 5, budget: &b}}
	r, _ := cut.reader()
	_, _ = io.ReadAll(r)
	if _, err := cut.reader(); !errors.Is(err, errNotKept) {
		t.Fatal(err)
	}
}
