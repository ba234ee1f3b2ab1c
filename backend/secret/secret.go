// Package secret removes known secret values from text before it enters a transcript, a file or a log.
//
// Contract: a Redactor is made once from the values that a configuration holds and is safe for concurrent use. It works
// by value, wherever the value stands, not by the name of a header or field. It never reveals a value, not in errors.
package secret

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// minLength is the shortest value, in bytes, that counts as a secret: shorter ones occur in ordinary words.
const minLength = 8

// Mark stands where a secret stood.
const Mark = "[secret removed]"

// Redactor replaces known values. The zero value and nil replace nothing.
type Redactor struct{ r *strings.Replacer }

// escapeDepth is how deep in JSON strings a value is still known: a frame is JSON inside the text of a JSON result, and
// a recorded message may hold that once more.
const escapeDepth = 3

// escaped is s as it stands inside a JSON string.
func escaped(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return s
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	return quoted[1 : len(quoted)-1]
}

// New takes the values to hide; short ones are ignored. Their URL-escaped and JSON-escaped forms are hidden too.
func New(values ...string) *Redactor {
	var all []string
	for _, v := range values {
		v = strings.TrimSpace(v)
		if len(v) < minLength {
			continue
		}
		all = append(all, v)
		all = append(all, url.QueryEscape(v))
		for range escapeDepth {
			v = escaped(v)
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	pairs := make([]string, 0, 2*len(all))
	for _, v := range slices.Compact(all) {
		pairs = append(pairs, v, Mark)
	}
	if len(pairs) == 0 {
		return &Redactor{}
	}
	return &Redactor{strings.NewReplacer(pairs...)}
}

// Text removes known values from s.
func (r *Redactor) Text(s string) string {
	if r == nil || r.r == nil {
		return s
	}
	return r.r.Replace(s)
}

// Bytes removes known values from b; without any the same slice comes back.
func (r *Redactor) Bytes(b []byte) []byte {
	if r == nil || r.r == nil {
		return b
	}
	if s := r.r.Replace(string(b)); len(s) != len(b) || s != string(b) {
		return []byte(s)
	}
	return b
}

var secretName = regexp.MustCompile(`(?i)key|token|secret|passw|credential|authorization|cookie|session`)

// Name says that a header, environment variable or option of this name holds a secret.
func Name(name string) bool { return secretName.MatchString(name) }
