package proxy

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"zimoscope/backend/secret"
)

// secrets collects the values that must not be stored, and the headers that hold them.
type secrets struct {
	values  []string
	headers map[string]bool
}

func (s *secrets) add(values ...string) {
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" && !slices.Contains(s.values, v) {
			s.values = append(s.values, v)
		}
	}
}

// list gives the values in the order in which they were found.
func (s *secrets) list() []string { return s.values }

// names of headers that tell which conversation a request belongs to. Agents repeat the value in their bodies; hidden
// there, it could not tell conversations apart any more.
var names = regexp.MustCompile(`(?i)^(x-)?([a-z]+-)*(session|conversation|thread)[_-]id$`)

// secretHeader says that a header holds a secret. Rate limits count tokens of text; their numbers are no secrets, and
// hiding them would hide the same numbers in every body.
func secretHeader(name string) bool {
	return secret.Name(name) && !strings.Contains(strings.ToLower(name), "ratelimit") && !names.MatchString(name)
}

// secretQuery says that a query parameter holds a secret.
func secretQuery(name string) bool {
	switch strings.ToLower(name) {
	case "sig", "signature", "auth", "code":
		return true
	}
	return secret.Name(name)
}

func (s *secrets) header(h http.Header) {
	for name, values := range h {
		if !secretHeader(name) {
			continue
		}
		s.headers[name] = true
		for _, v := range values {
			s.headerValue(name, v)
		}
	}
}

func (s *secrets) headerValue(name, value string) {
	scheme, rest, two := strings.Cut(value, " ")
	switch {
	case name == "Cookie":
		for pair := range strings.SplitSeq(value, ";") {
			_, v, _ := strings.Cut(pair, "=")
			s.add(v)
		}
	case name == "Set-Cookie":
		pair, _, _ := strings.Cut(value, ";")
		_, v, _ := strings.Cut(pair, "=")
		s.add(v)
	case two && strings.EqualFold(scheme, "Basic"):
		s.add(rest)
		if plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest)); err == nil {
			_, password, _ := strings.Cut(string(plain), ":")
			s.add(password)
		}
	case two && strings.HasSuffix(name, "Authorization"):
		s.add(rest)
	default:
		s.add(value)
	}
}

// query takes the values of secret parameters, as they stand and decoded.
func (s *secrets) query(address string) {
	_, query, _ := strings.Cut(address, "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if !secretQuery(unescaped(name)) {
			continue
		}
		s.add(value, unescaped(value))
	}
}

func (s *secrets) upstream(u *url.URL) {
	s.query("?" + u.RawQuery)
	if password, ok := u.User.Password(); ok {
		s.add(password)
	} else {
		s.add(u.User.Username()) // a key alone is written where a name would stand
	}
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// maskedURL is address without the values of secret parameters, and without what r knows.
func maskedURL(address string, r *secret.Redactor) string {
	path, query, has := strings.Cut(address, "?")
	if !has {
		return r.Text(address)
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, _, ok := strings.Cut(pair, "="); ok && secretQuery(unescaped(name)) {
			pairs[i] = name + "=" + secret.Mark
		}
	}
	return r.Text(path + "?" + strings.Join(pairs, "&"))
}

// maskedHeader is a copy of h without the values of those headers that are named, and without what r knows.
func maskedHeader(h http.Header, named map[string]bool, r *secret.Redactor) http.Header {
	if h == nil {
		return nil
	}
	out := make(http.Header, len(h))
	for name, values := range h {
		for _, v := range values {
			v = r.Text(v)
			if named[name] {
				v = secret.Mark
			}
			out[name] = append(out[name], v)
		}
	}
	return out
}
