package proxy

import (
	"net/http"
	"net/url"
	"strings"

	"zimoscope/backend/capture/exchange"
)

// target is where a request goes: the upstream with the client's path behind its own, and the client's query behind its
// own. A client may be given the proxy's bare address or the address with the upstream's path: where its path already
// begins with the upstream's, that is not written twice.
//
//	upstream https://api.example.com/v1:  /chat/completions and /v1/chat/completions -> /v1/chat/completions
func target(upstream, asked *url.URL) *url.URL {
	to := &url.URL{Scheme: upstream.Scheme, Host: upstream.Host}
	base := strings.TrimSuffix(upstream.EscapedPath(), "/")
	raw := asked.EscapedPath()
	if raw != base && !strings.HasPrefix(raw, base+"/") {
		raw = base + "/" + strings.TrimPrefix(raw, "/")
	}
	to.RawPath = raw
	to.Path = raw
	if plain, err := url.PathUnescape(raw); err == nil {
		to.Path = plain
	}
	to.RawQuery, to.ForceQuery = asked.RawQuery, asked.ForceQuery
	if upstream.RawQuery != "" {
		to.RawQuery = strings.TrimSuffix(upstream.RawQuery+"&"+asked.RawQuery, "&")
	}
	return to
}

// dialectOf tells by method and path what a body should be.
func dialectOf(method, path string) exchange.Dialect {
	if method != http.MethodPost {
		return exchange.Other
	}
	path = strings.TrimSuffix(path, "/")
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return exchange.Chat
	case strings.HasSuffix(path, "/responses"):
		return exchange.Responses
	case strings.HasSuffix(path, "/messages"):
		return exchange.Messages
	}
	return exchange.Other
}
