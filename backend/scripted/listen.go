package scripted

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

const (
	// headerTimeout ends connections that never send their headers.
	headerTimeout = 10 * time.Second
	// stopTimeout is how long a stop waits for answers that are under way.
	stopTimeout = 2 * time.Second
)

// ErrNotLoopback says that an address could be reached from other machines:
// use 127.0.0.1, [::1] or localhost.
var ErrNotLoopback = errors.New("the scripted provider listens on loopback only")

// Listen serves the script on addr ("127.0.0.1:0" for any free port) until ctx
// is done, which is a normal end and returns nil. ready is called once, when
// connections are taken, with the base URL, http://127.0.0.1:PORT/v1.
// Requests whose Host is not of this machine, and all that carry an Origin
// (those that a web page causes), get 403.
func Listen(ctx context.Context, addr string, s *Script, o Options, ready func(url string)) error {
	if err := checkLoopback(addr); err != nil {
		return err
	}
	var config net.ListenConfig
	ln, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("the scripted provider cannot listen on %s: %w", addr, err)
	}
	web := &http.Server{Handler: guard(New(s, o)), ReadHeaderTimeout: headerTimeout, ErrorLog: log.New(io.Discard, "", 0)}
	served := make(chan error, 1)
	go func() { served <- web.Serve(ln) }()
	if ready != nil {
		ready("http://" + ln.Addr().String() + "/v1")
	}
	select {
	case err = <-served:
		return fmt.Errorf("the scripted provider stopped listening: %w", err)
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if web.Shutdown(stopping) != nil {
		_ = web.Close() // what is still open after the wait is cut
	}
	<-served
	return nil
}

func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.Host) {
			sendError(w, http.StatusForbidden, newError("invalid_request_error", "forbidden", "refused: the Host header is not of this machine"))
			return
		}
		if r.Header.Get("Origin") != "" {
			sendError(w, http.StatusForbidden, newError("invalid_request_error", "forbidden", "refused: requests from web pages are not taken"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func checkLoopback(addr string) error {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return fmt.Errorf("%q is no address such as 127.0.0.1:7800: %w", addr, err)
	}
	if !isLoopback(addr) {
		return fmt.Errorf("%w: %q can be reached from other machines; use 127.0.0.1, [::1] or localhost", ErrNotLoopback, addr)
	}
	return nil
}

func isLoopback(hostport string) bool {
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
