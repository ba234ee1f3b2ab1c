package proxy

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/safely"
)

const (
	// DefaultListen is loopback with a port that the system picks.
	DefaultListen = "127.0.0.1:0"

	// headerTimeout ends connections that never send their headers. Bodies have no limit of time.
	headerTimeout = 30 * time.Second
	// idleTimeout ends connections of clients that ask for nothing more.
	idleTimeout = 2 * time.Minute
	// maxHeaderBytes bounds the headers of one request, in bytes.
	maxHeaderBytes = 1 << 20
	// stopTimeout is how long a stop waits for responses that are under way.
	stopTimeout = 2 * time.Second
	// drainTimeout is how long a stop waits for the sink.
	drainTimeout = 30 * time.Second

	// idleUpstream is how long a connection to the upstream is kept for the next request.
	idleUpstream = 90 * time.Second
	// maxIdleUpstream is how many connections to the upstream are kept, so that many streams at once don't each pay for
	// a new one.
	maxIdleUpstream = 256
	// continueTimeout is how long a body that its client announced with Expect waits for the upstream's word.
	continueTimeout = time.Second
)

// What New, Listen and Serve refuse.
var (
	// ErrUpstream: give an absolute http or https address, such as https://api.example.com/v1.
	ErrUpstream = errors.New("it is not an http or https address such as https://api.example.com/v1")
	// ErrNotLoopback: listen on 127.0.0.1, [::1] or localhost.
	ErrNotLoopback = errors.New("other machines could reach it and use your keys; listen on 127.0.0.1, [::1] or localhost")
	// errStopped cuts what is under way when the proxy ends.
	errStopped = errors.New("the proxy was stopped")
	// ErrNotListening: call Listen before Serve.
	ErrNotListening = errors.New("the proxy is not listening yet")
)

// Options say what a proxy stands in front of.
type Options struct {
	Upstream     string         // absolute http(s) URL; its path and query are joined to each request's, see target
	Listen       string         // host:port on loopback; "" is DefaultListen
	AllowOrigins []string       // values of Origin that may use the proxy, exactly as a browser sends them
	RootCAs      *x509.CertPool // trusted for the upstream; nil: the system's
	Log          func(string)   // takes sentences for people, from one goroutine; nil: nobody reads them
	Observe      func(Event)    // told as things happen, from the goroutines of the traffic: must not block; nil: nobody
}

// Phase is how far a request has come.
type Phase string

// The phases, in their order; Answered is left out when no response came.
const (
	Began    Phase = "began"
	Answered Phase = "answered"
	Ended    Phase = "ended"
)

// Event is one step of one request, for a live display. URL holds no secrets.
type Event struct {
	ID      uint64 // numbers the requests of one proxy from 1
	Phase   Phase
	At      time.Time
	Method  string
	URL     string
	Dialect exchange.Dialect // by the path alone
	Status  int              // 0 before Answered
	Bytes   int64            // of the response, at Ended
	Error   string           // at Ended; "" when it went all the way
}

// Proxy is one listener before one upstream. It is safe for concurrent use.
type Proxy struct {
	options   Options
	upstream  *url.URL
	transport *http.Transport
	listener  net.Listener
	recorder  *recorder
	budget    budget
	ids       atomic.Uint64
	running   sync.RWMutex // read-locked by each handler, locked for good when the proxy has stopped
	origins   map[string]bool
	copies    sync.Pool // *[]byte of copyBytes
}

// New checks the options; nothing is opened and nothing runs until Serve.
func New(o Options) (*Proxy, error) {
	upstream, err := parseUpstream(o.Upstream)
	if err != nil {
		return nil, err
	}
	if o.Listen == "" {
		o.Listen = DefaultListen
	}
	if o.Listen, err = loopback(o.Listen); err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	p := &Proxy{options: o, upstream: upstream, budget: budget{left: maxKeptBytes}, origins: map[string]bool{}}
	for _, origin := range o.AllowOrigins {
		p.origins[origin] = true
	}
	p.copies.New = func() any { b := make([]byte, copyBytes); return &b }
	p.transport = newTransport(o.RootCAs)
	p.recorder = newRecorder(o.Log)
	return p, nil
}

// newTransport asks for nothing that the client did not ask for: no encodings, no limits of time.
func newTransport(roots *x509.CertPool) *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{}).DialContext,
		TLSClientConfig:       &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:     true,
		DisableCompression:    true,
		MaxIdleConns:          maxIdleUpstream,
		MaxIdleConnsPerHost:   maxIdleUpstream,
		IdleConnTimeout:       idleUpstream,
		ExpectContinueTimeout: continueTimeout,
		ReadBufferSize:        copyBytes,
		WriteBufferSize:       copyBytes,
	}
}

func parseUpstream(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the upstream can't be used: %w", ErrUpstream) // the text may hold a password
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" {
		return nil, fmt.Errorf("the upstream %q can't be used: %w", u.Redacted(), ErrUpstream)
	}
	return u, nil
}

// Listen binds the address. Clients may connect from then on; they are answered once Serve runs.
func (p *Proxy) Listen() error {
	listener, err := net.Listen("tcp", p.options.Listen)
	if err != nil {
		return fmt.Errorf("can't listen on %s: %w; is another program using that port? Port 0 picks a free one", p.options.Listen, err)
	}
	p.listener = listener
	return nil
}

// URL is what clients use as their base address, http://127.0.0.1:PORT, or "" before Listen. The path of the upstream
// may follow it or not.
func (p *Proxy) URL() string {
	if p.listener == nil {
		return ""
	}
	return "http://" + p.listener.Addr().String()
}

// Serve answers and records into sink until ctx is done; it is called once. Then responses under way get stopTimeout to end, the rest is cut, and what was
// recorded is handed to the sink, for drainTimeout at most. It returns nil when it ended that way and nothing was lost.
func (p *Proxy) Serve(ctx context.Context, sink exchange.Sink) error {
	if p.listener == nil {
		return ErrNotListening
	}
	server := &http.Server{
		Handler: p, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: log.New(io.Discard, "", 0), ConnContext: withConn,
	}
	base, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	server.BaseContext = func(net.Listener) context.Context { return base }
	p.recorder.start(sink)
	served := make(chan error, 1)
	safely.Go(func() error { return server.Serve(p.listener) }, func(err error) { served <- err })
	var failure error
	select {
	case failure = <-served:
		failure = fmt.Errorf("the proxy stopped listening: %w", failure)
		stop(ctx, server, cut)
	case <-ctx.Done():
		stop(ctx, server, cut)
		<-served
	}
	p.running.Lock()
	p.transport.CloseIdleConnections()
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	return errors.Join(failure, p.recorder.close(draining))
}

// stop lets what is under way end, for a while, and cuts what is left.
func stop(ctx context.Context, server *http.Server, cut context.CancelCauseFunc) {
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	err := server.Shutdown(stopping)
	cut(errStopped) // also ends upgraded connections, of which the server knows nothing any more
	if err != nil {
		_ = server.Close()
	}
}

// connKey finds the client's connection in the context of its requests.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// loopback refuses what other machines could reach, and makes localhost an address, so that no resolver decides where
// we bind.
func loopback(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("can't listen on %q: give host:port, such as %s", listen, DefaultListen)
	}
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return "", fmt.Errorf("can't listen on %q: %w", listen, ErrNotLoopback)
	}
	return net.JoinHostPort(host, port), nil
}
