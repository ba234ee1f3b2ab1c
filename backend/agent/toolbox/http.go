package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"zimoscope/backend/safely"
)

// errSessionLost: the server no longer knows the session; the request was
// turned away.
var errSessionLost = errors.New("the server lost the session")

// httpConn is mcp-go's streamable HTTP transport with a round tripper that
// sends exact bytes and shows what passes.
type httpConn struct {
	*transport.StreamableHTTP
	trip *tripper
}

func newHTTPConn(cfg ServerConfig, show func(Frame)) (*httpConn, error) {
	trip := &tripper{
		base: http.DefaultTransport.(*http.Transport).Clone(),
		show: show, headers: cfg.Headers,
	}
	t, err := transport.NewStreamableHTTP(cfg.URL,
		transport.WithHTTPBasicClient(&http.Client{Transport: trip, CheckRedirect: sameHost}),
		transport.WithHTTPHeaders(cfg.Headers),
		transport.WithHTTPLogger(slog.New(slog.DiscardHandler)),
		transport.WithContinuousListening(),
	)
	if err != nil {
		return nil, errors.New("the address cannot be read")
	}
	return &httpConn{StreamableHTTP: t, trip: trip}, nil
}

// sameHost follows no redirect to another host: it would take the headers along.
func sameHost(req *http.Request, via []*http.Request) error {
	if req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}

// exactBody travels with a request's context to the round tripper, which sends
// it once in place of the same message re-encoded.
type exactBody struct {
	body []byte
	used atomic.Bool
}

type exactKey struct{}

// exchange sends a request and waits for its answer.
func (c *httpConn) exchange(ctx context.Context, id int64, method string, body []byte, header http.Header) (reply, error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return reply{}, err
	}
	req := transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(id), Method: method, Header: header}
	if len(e.Params) > 0 {
		req.Params = e.Params
	}
	res, err := c.SendRequest(context.WithValue(ctx, exactKey{}, &exactBody{body: body}), req)
	switch {
	case errors.Is(err, transport.ErrSessionTerminated):
		return reply{}, errSessionLost
	case err != nil && ctx.Err() != nil:
		return reply{}, ctx.Err()
	case err != nil:
		return reply{}, plainCause(err)
	case res.Error != nil:
		raw, err := json.Marshal(res.Error)
		return reply{rpcError: raw}, err
	case res.Result == nil:
		return reply{}, errors.New("the server's answer has neither a result nor an error")
	}
	return reply{result: res.Result}, nil
}

// RequiresLegacyProtocol hides that the transport listens, for which mcp-go takes a handshake to be needed: whoever
// has none is asked only after it refused one, and tells nothing on the stream.
func (c *httpConn) RequiresLegacyProtocol() bool { return false }

// plainCause drops the address, with its parameters, from a connection error.
func plainCause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// Close ends the session and all connections.
func (c *httpConn) Close() error {
	err := c.StreamableHTTP.Close()
	c.trip.base.CloseIdleConnections()
	return err
}

// tripper sends HTTP requests for one server.
type tripper struct {
	base    *http.Transport
	show    func(Frame)
	headers map[string]string
}

// RoundTrip sends one request; see exactBody for what it replaces. The goroutines that it and the answer's body run in
// are the libraries'.
func (t *tripper) RoundTrip(req *http.Request) (res *http.Response, err error) {
	err = safely.Do(func() (err error) { res, err = t.roundTrip(req); return err })
	return res, err
}

func (t *tripper) roundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	for name, value := range t.headers {
		if out.Header.Get(name) == "" { // ending a session goes without them
			out.Header.Set(name, value)
		}
	}
	if req.Method == http.MethodDelete {
		return t.endSession(out)
	}
	if req.Method == http.MethodPost {
		if err := t.outgoing(out); err != nil {
			return nil, err
		}
	}
	res, err := t.base.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	res.Body = &shownBody{ReadCloser: res.Body, show: t.incoming, events: kind == "text/event-stream"}
	return res, nil
}

func (t *tripper) endSession(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), sessionEndTimeout)
	defer cancel()
	res, err := t.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	_ = res.Body.Close()
	res.Body = http.NoBody
	return res, nil
}

func (t *tripper) outgoing(req *http.Request) error {
	var body []byte
	if exact, ok := req.Context().Value(exactKey{}).(*exactBody); ok && exact.used.CompareAndSwap(false, true) {
		body = exact.body
	} else if req.Body != nil {
		read, err := io.ReadAll(req.Body)
		if err != nil {
			return err
		}
		body = read
	}
	if req.Body != nil {
		_ = req.Body.Close()
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.ContentLength = int64(len(body))
	t.show(messageFrame(DirOut, body))
	return nil
}

func (t *tripper) incoming(raw []byte) {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 {
		t.show(messageFrame(DirIn, raw))
	}
}

func messageFrame(direction string, raw []byte) Frame {
	f := Frame{Direction: direction, Raw: raw}
	var e envelope
	if json.Unmarshal(raw, &e) != nil {
		f.Direction, f.Note = DirWarning, "not a message"
		return f
	}
	f.Method = e.Method
	if e.hasID() {
		f.ID = e.key()
	}
	return f
}

// shownBody shows an answer's messages as they are read: the whole of a plain
// one, each data field of a stream.
type shownBody struct {
	io.ReadCloser
	show   func([]byte)
	events bool

	mu    sync.Mutex // a stream is closed from another goroutine than its reader
	buf   []byte
	data  []byte
	shown bool
}

func (b *shownBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if own := safely.Do(func() error { b.took(p[:n]); return nil }); own != nil {
		return n, own
	}
	return n, err
}

func (b *shownBody) took(p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(p) > 0 && len(b.buf) < maxMessageBytes {
		b.buf = append(b.buf, p...)
		if b.events {
			b.cut()
		}
	}
}

// cut takes whole lines out of the buffer.
func (b *shownBody) cut() {
	for {
		at := bytes.IndexByte(b.buf, '\n')
		if at < 0 {
			return
		}
		line := bytes.TrimRight(b.buf[:at], "\r")
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			b.data = append(append(b.data, value...), '\n')
		} else if len(line) == 0 && len(b.data) > 0 {
			b.show(b.data)
			b.data = nil
		}
		b.buf = b.buf[at+1:]
	}
}

func (b *shownBody) Close() error {
	return errors.Join(b.ReadCloser.Close(), safely.Do(func() error { b.closed(); return nil }))
}

func (b *shownBody) closed() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		return
	}
	b.shown = true
	if b.events {
		b.show(b.data)
	} else {
		b.show(b.buf)
	}
}
