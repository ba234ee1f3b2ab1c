package proxy

import (
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// refusal is an answer of the proxy itself.
type refusal struct {
	status   int
	code     string // for programs
	sentence string // for people
}

// guard keeps web pages out: they must not use the keys of whoever is behind the proxy. A page can rebind its name to
// this machine, but not ours to its own, so the Host must be ours; and what a page sends across sites says so.
func (p *Proxy) guard(r *http.Request) *refusal {
	switch origin := r.Header.Get("Origin"); {
	case !p.knownHost(r.Host):
		return &refusal{http.StatusForbidden, "wrong_host", "This request is addressed to another name. Use the address that the proxy printed, " + p.URL() + "."}
	case len(r.Header.Values("Origin")) > 0 && !p.origins[origin]:
		return &refusal{http.StatusForbidden, "origin_not_allowed", "Requests from web pages are not taken. If you trust this one, start the proxy with --allow-origin " + origin + "."}
	case origin == "" && fromPage(r):
		return &refusal{http.StatusForbidden, "origin_not_allowed", "Requests from web pages are not taken, and this one doesn't name its page."}
	case r.Method == http.MethodConnect:
		return &refusal{http.StatusNotImplemented, "no_tunnel", "This is a reverse proxy and opens no tunnels. Set its address as the base URL of your client, not as its HTTP proxy."}
	}
	return nil
}

// fromPage says that a browser sent r for a page; typing the address into a browser is "none".
func fromPage(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "none"
}

// knownHost says that host is a loopback name with our port.
func (p *Proxy) knownHost(host string) bool {
	addr, ok := p.listener.Addr().(*net.TCPAddr)
	if !ok {
		return false
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), "80"
	}
	if port != strconv.Itoa(addr.Port) {
		return false
	}
	return strings.EqualFold(name, "localhost") || name == "127.0.0.1" || name == "::1" || name == addr.IP.String()
}

// send answers in a form that the error readers of both families of clients understand.
func (f *refusal) send(w http.ResponseWriter) {
	text := "ZimoScope proxy: " + f.sentence
	body, _ := json.Marshal(map[string]any{ // strings can't fail
		"type":  "error",
		"error": map[string]string{"type": "zimoscope_proxy", "code": f.code, "message": text},
	})
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(f.status)
	_, _ = w.Write(body)
}
