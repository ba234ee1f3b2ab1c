package importer

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"time"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/secret"
)

// readHAR takes the entries of an HTTP archive, version 1.2, as it streams by.
func readHAR(r *reading) error {
	err := r.members(func(name string) error {
		if name != "log" {
			return r.skip()
		}
		return r.members(func(name string) error {
			if name != "entries" {
				return r.skip()
			}
			return r.elements(r.harEntry)
		})
	})
	return r.torn(err)
}

// torn turns the end of a damaged file into a note: what was whole has been taken.
func (r *reading) torn(err error) error {
	if errors.Is(err, errCut) || errors.Is(err, errTooLarge) {
		r.note("%s: %v; everything before that was taken", r.file, err)
		return nil
	}
	return err
}

func (r *reading) harEntry(raw []byte) error {
	req, resp := wire.Get(raw, "request"), wire.Get(raw, "response")
	e := exchange.Exchange{Method: str(req, "method"), URL: str(req, "url"), Status: number(resp, "status")}
	if e.Method != http.MethodPost {
		return nil // pages, scripts and pictures
	}
	post := wire.Get(req, "postData")
	body, ok := wire.String(wire.Get(post, "text"))
	if !ok {
		r.note("a request to %s holds no body", pathOf(e.URL))
		return nil
	}
	e.Request = []byte(body)
	if str(post, "encoding") == "base64" {
		if plain, err := base64.StdEncoding.DecodeString(body); err == nil {
			e.Request = plain
		}
	}
	if e.Dialect = dialectOf(e.Request, pathOf(e.URL)); e.Dialect == exchange.Other {
		return nil
	}
	content := wire.Get(resp, "content")
	text, _ := wire.String(wire.Get(content, "text"))
	e.Response = []byte(text)
	if str(content, "encoding") == "base64" {
		if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
			e.Response = plain
		}
	}
	e.RequestHeader, e.ResponseHeader = headers(wire.Get(req, "headers")), headers(wire.Get(resp, "headers"))
	e.Secrets = secretsOf(e.URL, e.RequestHeader, e.ResponseHeader)
	if t, err := time.Parse(time.RFC3339Nano, str(raw, "startedDateTime")); err == nil {
		e.Started = t
		e.Ended = t.Add(time.Duration(number(raw, "time")) * time.Millisecond)
	}
	return r.take(e)
}

// secretsOf lists what may be a key in an address and in headers: a file holds them as they were sent.
func secretsOf(address string, list ...http.Header) (found []string) {
	for _, h := range list {
		for name, values := range h {
			if secret.Name(name) {
				for _, v := range values {
					found = append(found, v, lastWord(v))
				}
			}
		}
	}
	u, err := url.Parse(address)
	if err != nil {
		return found
	}
	for name, values := range u.Query() {
		if secret.Name(name) || name == "sig" {
			found = append(found, values...)
		}
	}
	if p, ok := u.User.Password(); ok {
		found = append(found, p)
	}
	return found
}
