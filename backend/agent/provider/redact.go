package provider

import (
	"encoding/json"
	"net/url"
	"regexp"
	"sort"
	"strings"
)

const (
	// minSecretLength: shorter values occur in ordinary text by chance, so
	// removing them would garble it. In bytes.
	minSecretLength = 6
	// redacted stands where a secret stood.
	redacted = "[secret removed]"
)

// redactor removes known secret values from text, in the spellings in which a
// server echoes them.
type redactor struct {
	values  []string // longest first, so that no part of one survives
	pattern *regexp.Regexp
}

func newRedactor(cfg Config, base *url.URL) *redactor {
	set := map[string]bool{}
	add := func(v string) {
		v = strings.TrimSpace(v)
		if len(v) < minSecretLength {
			return
		}
		set[v] = true
		set[url.QueryEscape(v)] = true
		if q, err := json.Marshal(v); err == nil {
			set[string(q[1:len(q)-1])] = true
		}
	}
	add(cfg.APIKey)
	for _, v := range cfg.Headers {
		add(v)
		for _, word := range strings.Fields(v) {
			add(word)
		}
	}
	for _, values := range base.Query() {
		for _, v := range values {
			add(v)
		}
	}
	r := &redactor{pattern: regexp.MustCompile(`\b(?:sk|pk|key)-[A-Za-z0-9_*.\-]{6,}`)}
	for v := range set {
		r.values = append(r.values, v)
	}
	sort.Slice(r.values, func(i, j int) bool {
		if len(r.values[i]) != len(r.values[j]) {
			return len(r.values[i]) > len(r.values[j])
		}
		return r.values[i] < r.values[j]
	})
	return r
}

// text removes every known value, and what looks like a key that the server
// shortened itself.
func (r *redactor) text(s string) string {
	return r.pattern.ReplaceAllLiteralString(r.known(s), redacted)
}

// known removes known values only.
func (r *redactor) known(s string) string {
	for _, v := range r.values {
		s = strings.ReplaceAll(s, v, redacted)
	}
	return s
}
