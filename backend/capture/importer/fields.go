package importer

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"zimoscope/backend/requestview/wire"
)

func str(object []byte, name string) string { return text(wire.Get(object, name)) }

// text decodes a raw JSON string; "" for any other value.
func text(raw []byte) string {
	s, _ := wire.String(raw)
	return s
}

// numeric reads a number, also one that was written as text; 0 for any other value.
func numeric(raw []byte) int {
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil {
		return 0
	}
	return int(f)
}

func pathOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Path
	}
	return ""
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

// headers reads a list of {name, value}.
func headers(list []byte) http.Header {
	h := http.Header{}
	_ = wire.Elements(list, func(start, end int) error {
		h.Add(str(list[start:end], "name"), str(list[start:end], "value"))
		return nil
	})
	return h
}

// firstOf gives the first member of those names that is there.
func firstOf(object []byte, names ...string) []byte {
	for _, n := range names {
		if raw := wire.Get(object, n); raw != nil && string(raw) != "null" {
			return raw
		}
	}
	return nil
}

// unwrap gives the JSON that a value is: itself, or the text that it holds when that is JSON.
func unwrap(raw []byte) []byte {
	if s, ok := wire.String(raw); ok {
		if t := []byte(strings.TrimSpace(s)); wire.IsValue(t) {
			return t
		}
	}
	return raw
}
