package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

const (
	// mcpPath is where the HTTP listener offers MCP.
	mcpPath = "/mcp"
	// maxBodyBytes bounds one HTTP request: far above any tool call.
	maxBodyBytes = 4 << 20
	// headerTimeout ends connections that never send their headers.
	headerTimeout = 10 * time.Second
	// stopTimeout is how long a stop waits for calls that are being answered.
	stopTimeout = 2 * time.Second
)

// ErrNotLoopback says that an address could be reached from other machines:
// use 127.0.0.1, [::1] or localhost.
var ErrNotLoopback = errors.New("the simulator listens on loopback only")

// ListenHTTP serves MCP as streamable HTTP at /mcp on addr ("127.0.0.1:0" for
// any free port) until ctx is done, which is a normal end and returns nil.
// ready is called once with the URL to connect to, when connections are taken.
// Requests with a Host or an Origin that is not of this machine get 403.
func ListenHTTP(ctx context.Context, addr string, o Options, ready func(url string)) error {
	if err := checkLoopback(addr); err != nil {
		return err
	}
	s, err := New(o)
	if err != nil {
		return err
	}
	var config net.ListenConfig
	ln, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("the simulator cannot listen on %s: %w", addr, err)
	}
	mcpServer := server.NewStreamableHTTPServer(s,
		server.WithStateful(true),
		server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))
	mux := http.NewServeMux()
	mux.Handle(mcpPath, guard(mcpServer))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout, ErrorLog: log.New(io.Discard, "", 0)}

	served := make(chan error, 1)
	go func() { served <- web.Serve(ln) }()
	if ready != nil {
		ready("http://" + ln.Addr().String() + mcpPath)
	}
	select {
	case err = <-served:
		return fmt.Errorf("the simulator stopped listening: %w", err)
	case <-ctx.Done():
	}
	stop(web, mcpServer)
	<-served
	return nil
}

// stop ends the listening streams of the sessions first: they never end on
// their own, and a shutdown would wait for them.
func stop(web *http.Server, mcpServer *server.StreamableHTTPServer) {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	mcpServer.CloseSessions(ctx)
	if web.Shutdown(ctx) != nil {
		_ = web.Close() // what is still open after the wait is cut
	}
}

// guard keeps out requests that a foreign web page could cause.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopbackHost(r.Host) {
			http.Error(w, "refused: the Host header is not of this machine", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && !isLoopbackOrigin(origin) {
			http.Error(w, "refused: the Origin header is not of this machine", http.StatusForbidden)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBodyBytes)
		next.ServeHTTP(w, r)
	})
}

func checkLoopback(addr string) error {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return fmt.Errorf("%q is no address such as 127.0.0.1:7700: %w", addr, err)
	}
	if !isLoopbackHost(addr) {
		return fmt.Errorf("%w: %q can be reached from other machines; use 127.0.0.1, [::1] or localhost", ErrNotLoopback, addr)
	}
	return nil
}

func isLoopbackHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func isLoopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && isLoopbackHost(u.Host)
}
