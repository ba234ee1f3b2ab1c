package proxy

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"time"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/safely"
)

// copyBytes is the size of one read from the upstream or write to it, in bytes.
const copyBytes = 32 << 10

// errClient marks what went wrong on the client's side of a response.
var errClient = errors.New("the client left")

// ServeHTTP passes one request on and records it. It panics with http.ErrAbortHandler where the client must see its
// connection break.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.running.TryRLock() {
		panic(http.ErrAbortHandler) // the record is closed already
	}
	defer p.running.RUnlock()
	if f := p.guard(r); f != nil {
		f.send(w)
		return
	}
	c := p.begin(r)
	pass := p.forward
	if wantsUpgrade(r) {
		pass = p.upgrade
	}
	broken := true
	if err := safely.Do(func() error { broken = pass(w, r, c); return nil }); err != nil {
		c.failure = fmt.Sprintf("The proxy broke off: %v.", err)
	}
	p.end(c)
	if broken {
		breakConnection(r)
		panic(http.ErrAbortHandler)
	}
}

// breakConnection makes the abrupt end visible to clients that know a response's end by the connection's end alone:
// those must see a reset. For all others the missing rest says it, and nothing on the way to them is lost.
func breakConnection(r *http.Request) {
	if r.ProtoAtLeast(1, 1) {
		return
	}
	if conn, ok := r.Context().Value(connKey{}).(*net.TCPConn); ok {
		_ = conn.SetLinger(0)
	}
}

// begin opens the record of a request.
func (p *Proxy) begin(r *http.Request) *call {
	dialect := dialectOf(r.Method, r.URL.Path)
	reqLimit, resLimit := maxRequestBytes, maxResponseBytes
	if dialect == exchange.Other {
		reqLimit, resLimit = previewBytes, previewBytes
	}
	c := &call{id: p.ids.Add(1), started: time.Now(), method: r.Method, url: target(p.upstream, r.URL).String(), dialect: dialect, header: r.Header, length: r.ContentLength}
	c.request = &source{body: r.Body, kept: keeper{limit: reqLimit, budget: &p.budget, expect: min(r.ContentLength, int64(reqLimit))}}
	c.response = keeper{limit: resLimit, budget: &p.budget}
	c.upstream = p.upstream
	p.tell(c, Began)
	return c
}

// end closes the record and queues it.
func (p *Proxy) end(c *call) {
	c.ended = time.Now()
	c.bodyEnd = c.request.close()
	p.tell(c, Ended)
	p.recorder.put(c)
}

func (p *Proxy) tell(c *call, phase Phase) {
	if p.options.Observe == nil {
		return
	}
	e := Event{ID: c.id, Phase: phase, At: time.Now(), Method: c.method, URL: maskedURL(c.url, nil), Dialect: c.dialect, Status: c.status}
	if phase == Ended {
		e.Bytes, e.Error = c.bytes, c.failure
	}
	p.options.Observe(e)
}

// forward sends the request and passes the response on. It says whether the client's connection must break.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, c *call) (broken bool) {
	control := http.NewResponseController(w)
	// A response may begin before its request has ended; without this the server would first read the rest.
	_ = control.EnableFullDuplex()
	early := &interim{w: w}
	res, err := p.transport.RoundTrip(p.outgoing(r, c, early))
	early.stop()
	if err != nil {
		return c.unanswered(w, r, err)
	}
	defer func() { _ = res.Body.Close() }()
	c.answered(res)
	c.response.expect = min(res.ContentLength, int64(c.response.limit))
	p.tell(c, Answered)
	announced := head(w, res)
	err = control.Flush()
	if err == nil {
		err = p.copy(w, control, res.Body, c)
	} else {
		err = fmt.Errorf("%w: %w", errClient, err)
	}
	if err != nil {
		c.brokenOff(r, err)
		return true
	}
	trailers(w, res, announced)
	return false
}

// outgoing is the request as the upstream gets it: the client's, but for its address and hop-by-hop headers.
func (p *Proxy) outgoing(r *http.Request, c *call, early *interim) *http.Request {
	out := &http.Request{
		Method: r.Method, URL: target(p.upstream, r.URL), Host: p.upstream.Host, Header: r.Header.Clone(), Trailer: r.Trailer,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: r.ContentLength, Body: http.NoBody,
	}
	dropHopByHop(out.Header)
	if tokenIn(r.Header["Te"], "trailers") {
		out.Header.Set("Te", "trailers")
	}
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header["User-Agent"] = []string{""} // or the library would add its own
	}
	if r.ContentLength != 0 {
		out.Body, _ = c.request.reader() // nothing was read yet, so it can't fail
		out.GetBody = func() (io.ReadCloser, error) {
			c.resent.Store(true)
			return c.request.reader()
		}
	}
	if u := p.upstream.User; u != nil && out.Header.Get("Authorization") == "" {
		password, _ := u.Password()
		out.SetBasicAuth(u.Username(), password)
	}
	trace := &httptrace.ClientTrace{
		GetConn:        func(string) { c.connected.Store(false) },
		GotConn:        func(httptrace.GotConnInfo) { c.connected.Store(true) },
		Got1xxResponse: early.pass,
	}
	return out.WithContext(httptrace.WithClientTrace(r.Context(), trace))
}

// copy passes the body on, each piece as it comes.
func (p *Proxy) copy(w io.Writer, control *http.ResponseController, body io.Reader, c *call) error {
	buf := p.copies.Get().(*[]byte)
	defer p.copies.Put(buf)
	for {
		n, err := body.Read(*buf)
		if n > 0 {
			piece := (*buf)[:n]
			_, werr := w.Write(piece)
			if werr == nil {
				werr = control.Flush()
			}
			c.bytes += int64(n)
			c.response.add(piece)
			if werr != nil {
				return fmt.Errorf("%w: %w", errClient, werr)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// head passes status and headers on, and nothing that the server would add of itself.
func head(w http.ResponseWriter, res *http.Response) (announced int) {
	h := w.Header()
	maps.Copy(h, res.Header.Clone())
	dropHopByHop(h)
	for _, name := range []string{"Date", "Content-Type"} {
		if _, ok := h[name]; !ok {
			h[name] = nil
		}
	}
	for _, name := range slices.Sorted(maps.Keys(res.Trailer)) {
		h.Add("Trailer", name)
	}
	w.WriteHeader(res.StatusCode)
	return len(res.Trailer)
}

// trailers passes on what came after the body, announced or not.
func trailers(w http.ResponseWriter, res *http.Response, announced int) {
	prefix := ""
	if len(res.Trailer) != announced {
		prefix = http.TrailerPrefix
	}
	for name, values := range res.Trailer {
		for _, v := range values {
			w.Header().Add(prefix+name, v)
		}
	}
}

// interim passes informational responses on, until the response itself has come.
type interim struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	done bool
}

func (i *interim) pass(code int, header textproto.MIMEHeader) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.done || code == http.StatusContinue { // the server says "continue" itself, when the body is first read
		return nil
	}
	h := i.w.Header()
	maps.Copy(h, http.Header(header))
	i.w.WriteHeader(code)
	clear(h)
	return nil
}

func (i *interim) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.done = true
}

// hopByHop are the headers that are about one connection, not about the message.
func hopByHop() []string {
	return []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}
}

func dropHopByHop(h http.Header) {
	for _, line := range h["Connection"] {
		for name := range strings.SplitSeq(line, ",") {
			if name = textproto.TrimString(name); name != "" {
				h.Del(name)
			}
		}
	}
	for _, name := range hopByHop() {
		h.Del(name)
	}
}

func tokenIn(lines []string, token string) bool {
	for _, line := range lines {
		for t := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(textproto.TrimString(t), token) {
				return true
			}
		}
	}
	return false
}
