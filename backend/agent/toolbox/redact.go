package toolbox

import (
	"bytes"
	"encoding/json"
	"net/url"
	"sort"
	"strings"
)

const redacted = "[secret removed]"

// redactor removes the values of one server's configuration from what is shown.
type redactor struct{ values []string }

func newRedactor(cfg ServerConfig) *redactor {
	set := map[string]bool{}
	add := func(v string) {
		if v = strings.TrimSpace(v); len(v) < minSecretLength {
			return
		}
		set[v] = true
		set[url.QueryEscape(v)] = true
		if quoted, err := json.Marshal(v); err == nil {
			set[string(quoted[1:len(quoted)-1])] = true
		}
	}
	for _, v := range cfg.Env {
		add(v)
	}
	for _, v := range cfg.Headers {
		add(v)
		for _, word := range strings.Fields(v) {
			add(word)
		}
	}
	if u, err := url.Parse(cfg.URL); err == nil {
		for _, list := range u.Query() {
			for _, v := range list {
				add(v)
			}
		}
	}
	r := &redactor{}
	for v := range set {
		r.values = append(r.values, v)
	}
	// Longest first, so that no part of a longer value survives.
	sort.Slice(r.values, func(i, j int) bool {
		if len(r.values[i]) != len(r.values[j]) {
			return len(r.values[i]) > len(r.values[j])
		}
		return r.values[i] < r.values[j]
	})
	return r
}

func (r *redactor) text(s string) string { return string(r.bytes([]byte(s))) }

// bytes returns b itself when there is nothing to remove.
func (r *redactor) bytes(b []byte) []byte {
	for _, v := range r.values {
		if bytes.Contains(b, []byte(v)) {
			b = bytes.ReplaceAll(b, []byte(v), []byte(redacted))
		}
	}
	return b
}
