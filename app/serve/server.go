package serve

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"zimoscope/app/api"
	"zimoscope/backend/safely"
)

const (
	// DefaultListen is loopback with a port that the system picks.
	DefaultListen = "127.0.0.1:0"
	// TokenHeader carries the token of a call.
	TokenHeader = "X-ZimoScope-Token"

	tokenBytes     = 32               // of randomness: not to be guessed
	headerTimeout  = 10 * time.Second // for a client to send its header
	readTimeout    = 30 * time.Second // for a client to send a whole request
	writeTimeout   = 30 * time.Second // for a client to take one answer or one batch of events
	idleTimeout    = 2 * time.Minute  // for a kept connection without requests
	closeTimeout   = 3 * time.Second  // for running calls to end once the context is done
	heartbeatEvery = 15 * time.Second // of silence on an event stream, so that a dead client is noticed
	maxHeaderBytes = 32 << 10
	maxBodyBytes   = 8 << 20  // of arguments: a long text, not an import
	maxPromptBytes = 36 << 20 // of Prompt's: beside its text all pictures that one may have, as base64
	maxStreams     = 32       // event streams at once: a person has a few tabs
)

// Errors of New and Listen.
var (
	// ErrNotLoopback: choose 127.0.0.1, [::1] or localhost, or allow remote clients and know what that means.
	ErrNotLoopback = errors.New("it is not a loopback address, so other machines could read every session; " +
		"use 127.0.0.1, [::1] or localhost")
	// ErrNotListening: call Listen first.
	ErrNotListening = errors.New("the server does not listen yet")
)

// Events hands out the events after a number; a closed channel means that there is a gap. *bridge.Hub is one.
type Events interface {
	Subscribe(after uint64) (ch <-chan api.Event, cancel func())
}

// Options say where to listen and what to do with what nobody asked for. The zero value is good.
type Options struct {
	// Listen is host:port; empty means DefaultListen. The host is an address or localhost, no other name.
	Listen string
	// AllowRemote permits addresses that other machines can reach. The token then travels unencrypted.
	AllowRemote bool
	// Warn gets sentences for the user, such as the one about AllowRemote. May be nil.
	Warn func(sentence string)
	// Log gets what a maintainer needs: the stack of a recovered panic. May be nil.
	Log func(text string)
}

// Server is one listener. Make it with New, then Listen, then Serve.
type Server struct {
	svc      api.Service
	events   Events
	assets   fs.FS
	options  Options
	token    string
	listener net.Listener
	streams  atomic.Int64
	beat     time.Duration // heartbeatEvery, shorter in tests
	read     time.Duration // readTimeout, shorter in tests
}

// New prepares a server with a fresh token. assets is the built front end, index.html at its root.
func New(svc api.Service, events Events, assets fs.FS, o Options) (*Server, error) {
	if o.Listen == "" {
		o.Listen = DefaultListen
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	if err := checkListen(&o); err != nil {
		return nil, err
	}
	secret := make([]byte, tokenBytes)
	rand.Read(secret) // never fails: it ends the program rather than return weak bytes
	return &Server{
		svc: svc, events: events, assets: assets, options: o,
		token: base64.RawURLEncoding.EncodeToString(secret),
		beat:  heartbeatEvery, read: readTimeout,
	}, nil
}

// checkListen refuses what is not loopback, and makes localhost an address, so that no resolver decides where we bind.
func checkListen(o *Options) error {
	host, port, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return fmt.Errorf("can't listen on %q: give host:port, such as %s", o.Listen, DefaultListen)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("can't listen on %q: %q is no port between 0 and 65535", o.Listen, port)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	o.Listen = net.JoinHostPort(host, port)
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return nil
	}
	if !o.AllowRemote {
		return fmt.Errorf("can't listen on %q: %w", o.Listen, ErrNotLoopback)
	}
	o.Warn("Listening on " + o.Listen + ", which other machines can reach. Whoever sees the address with its token " +
		"can read every session and run tools, and the traffic is not encrypted. Better: listen on 127.0.0.1 and use " +
		"an SSH tunnel.")
	return nil
}

// Listen binds the address. After it URL is complete and clients may connect; they are answered once Serve runs.
func (s *Server) Listen() error {
	listener, err := net.Listen("tcp", s.options.Listen)
	if err != nil {
		return fmt.Errorf("can't listen on %s: %w; is another program using that port? Port 0 picks a free one",
			s.options.Listen, err)
	}
	s.listener = listener
	return nil
}

// URL is the whole address with the token, or "" before Listen. It is a secret: print it for the user, don't log it.
func (s *Server) URL() string {
	if s.listener == nil {
		return ""
	}
	return "http://" + s.browserHost() + "/#token=" + s.token
}

// browserHost is host:port as a browser on this machine writes it.
func (s *Server) browserHost() string {
	addr := s.listener.Addr().(*net.TCPAddr)
	host := addr.IP
	if host.IsUnspecified() {
		host = net.IPv4(127, 0, 0, 1)
	}
	return net.JoinHostPort(host.String(), strconv.Itoa(addr.Port))
}

// Serve answers until ctx is done, then gives running calls closeTimeout to end and cuts the rest. It returns nil when
// it ended that way. Listen must have come before.
func (s *Server) Serve(ctx context.Context) error {
	if s.listener == nil {
		return ErrNotListening
	}
	live, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       s.read,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return live },
		ErrorLog:          log.New(io.Discard, "", 0), // lines about broken clients, nothing a user can act on
	}
	ended := make(chan error, 1)
	safely.Go(func() error { return server.Serve(s.listener) }, func(err error) { ended <- err })
	select {
	case err := <-ended:
		return fmt.Errorf("the listener on %s ended: %w", s.options.Listen, err)
	case <-ctx.Done():
	}
	cancel() // event streams and running tools end by this
	stop, done := context.WithTimeout(context.Background(), closeTimeout)
	defer done()
	if server.Shutdown(stop) != nil {
		server.Close()
	}
	<-ended
	return nil
}
