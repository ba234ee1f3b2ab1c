package proxy

import (
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"strings"
)

// wantsUpgrade says that the client wants another protocol. HTTP/2 is none: the upstream may be spoken to in it anyway,
// and the client, who must put up with a refusal, gets HTTP/1.1.
func wantsUpgrade(r *http.Request) bool {
	to := r.Header.Get("Upgrade")
	return to != "" && !strings.EqualFold(to, "h2c") && tokenIn(r.Header["Connection"], "upgrade")
}

// upgrade passes a request on that wants another protocol on its connection, such as a WebSocket, and then all bytes
// both ways. It is listed; what goes over the connection is not kept.
func (p *Proxy) upgrade(w http.ResponseWriter, r *http.Request, c *call) (broken bool) {
	out := p.outgoing(r, c, &interim{done: true}) // the library passes informational responses on itself
	pass := &httputil.ReverseProxy{
		Transport: p.transport,
		ErrorLog:  log.New(io.Discard, "", 0),
		Rewrite: func(pr *httputil.ProxyRequest) {
			upgrade, connection := pr.Out.Header["Upgrade"], pr.Out.Header["Connection"]
			pr.Out.URL, pr.Out.Host, pr.Out.Header = out.URL, out.Host, out.Header
			pr.Out.Header["Upgrade"], pr.Out.Header["Connection"] = upgrade, connection
			pr.Out.Body, pr.Out.GetBody = out.Body, out.GetBody
			pr.Out = pr.Out.WithContext(out.Context())
		},
		ModifyResponse: func(res *http.Response) error {
			c.answered(res)
			c.upgraded = res.StatusCode == http.StatusSwitchingProtocols
			p.tell(c, Answered)
			return nil
		},
		ErrorHandler:  func(w http.ResponseWriter, _ *http.Request, err error) { broken = c.unanswered(w, r, err) },
		FlushInterval: -1,
	}
	defer func() {
		// This is how the library says that the response broke off.
		switch v := recover(); v {
		case nil:
		case http.ErrAbortHandler:
			broken = true
			c.brokenOff(r, io.ErrUnexpectedEOF)
		default:
			panic(v)
		}
	}()
	pass.ServeHTTP(w, r)
	return broken
}
