package serve

import (
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"

	"zimoscope/app/bridge"
)

// handler is all routes behind the guards that hold for each of them.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/events", s.guardCall(s.stream))
	mux.HandleFunc("POST /api/{method}", s.guardCall(s.call))
	mux.HandleFunc("PUT /api/upload/{upload}", s.guardCall(s.upload))
	mux.HandleFunc("GET /download/{ticket}/{name}", s.download)
	mux.HandleFunc("/api/", s.guardCall(func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, "There is no "+r.Method+" on this address.")
	}))
	mux.HandleFunc("/", s.asset)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bridge.SecureHeaders(w.Header())
		if reason := s.refuse(r); reason != "" {
			fail(w, http.StatusForbidden, reason)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// refuse holds what is true for files and calls: the request must be meant for this address and must not come from
// another site. "" lets it through.
func (s *Server) refuse(r *http.Request) string {
	if !s.knownHost(r.Host) {
		return "This address belongs to another name. Open the address that ZimoScope printed."
	}
	if origins := r.Header.Values("Origin"); len(origins) > 1 || len(origins) == 1 && origins[0] != "http://"+r.Host {
		return "A page of another site asked. Open the address that ZimoScope printed."
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return ""
	}
	// A link in a mail or a terminal in the browser may lead here; it loads the page and gets no data.
	if r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Method == http.MethodGet && !isCall(r) {
		return ""
	}
	return "A page of another site asked. Open the address that ZimoScope printed."
}

// knownHost compares with what we bound, never with a name that others control. When bound to all addresses, any
// address literal will do: rebinding needs a name.
func (s *Server) knownHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return false
	}
	bound := s.listener.Addr().(*net.TCPAddr)
	if port != strconv.Itoa(bound.Port) {
		return false
	}
	if strings.EqualFold(name, "localhost") {
		return bound.IP.IsLoopback() || bound.IP.IsUnspecified()
	}
	ip := net.ParseIP(name)
	return ip != nil && (ip.Equal(bound.IP) || bound.IP.IsUnspecified())
}

func isCall(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/api/") }

// guardCall wants the token, and a JSON body on what has one: a simple form can't set either.
func (s *Server) guardCall(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		given := []byte(r.Header.Get(TokenHeader))
		if subtle.ConstantTimeCompare(given, []byte(s.token)) != 1 {
			fail(w, http.StatusUnauthorized, "The token is missing or belongs to an earlier start. "+
				"Open the address that ZimoScope printed last.")
			return
		}
		if r.Method == http.MethodPost && !isJSON(r.Header.Values("Content-Type")) {
			fail(w, http.StatusUnsupportedMediaType, "Arguments must come as application/json.")
			return
		}
		next(w, r)
	}
}

func isJSON(values []string) bool {
	if len(values) != 1 {
		return false
	}
	kind, _, err := mime.ParseMediaType(values[0])
	return err == nil && kind == "application/json"
}
