package importer

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
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
			return r.inside('[', ']', r.harEntry)
		})
	})
	if errors.Is(err, io.EOF) {
		err = errCut
	}
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

// harRecord is one request with its response, read member by member as it streams by: each byte is looked at once.
type harRecord struct {
	exchange.Exchange
	text     []byte // raw, of the response
	body     string // of the request
	hasBody  bool
	asBase64 struct{ body, text bool }
	millis   int
}

func (r *reading) harEntry() error {
	h := &harRecord{}
	err := r.object(func(name string) error {
		switch name {
		case "request":
			return r.object(func(name string) error { return r.harRequest(h, name) })
		case "response":
			return r.object(func(name string) error { return r.harResponse(h, name) })
		}
		return r.pick(name, map[string]func(raw []byte){
			"startedDateTime": func(raw []byte) { h.Started, _ = time.Parse(time.RFC3339Nano, text(raw)) },
			"time":            func(raw []byte) { h.millis = numeric(raw) },
		})
	})
	if err != nil || h.Method != http.MethodPost { // pages, scripts and pictures
		return err
	}
	return r.takeHAR(h)
}

func (r *reading) harRequest(h *harRecord, name string) error {
	if name == "postData" {
		return r.object(func(name string) error {
			return r.pick(name, map[string]func(raw []byte){
				"text":     func(raw []byte) { h.body, h.hasBody = wire.String(raw) },
				"encoding": func(raw []byte) { h.asBase64.body = text(raw) == "base64" },
			})
		})
	}
	return r.pick(name, map[string]func(raw []byte){
		"method":  func(raw []byte) { h.Method = text(raw) },
		"url":     func(raw []byte) { h.URL = text(raw) },
		"headers": func(raw []byte) { h.RequestHeader = headers(raw) },
	})
}

func (r *reading) harResponse(h *harRecord, name string) error {
	if name == "content" {
		return r.object(func(name string) error {
			return r.pick(name, map[string]func(raw []byte){
				"text":     func(raw []byte) { h.text = bytes.Clone(raw) },
				"encoding": func(raw []byte) { h.asBase64.text = text(raw) == "base64" },
			})
		})
	}
	return r.pick(name, map[string]func(raw []byte){
		"status":  func(raw []byte) { h.Status = numeric(raw) },
		"headers": func(raw []byte) { h.ResponseHeader = headers(raw) },
	})
}

func (r *reading) takeHAR(h *harRecord) error {
	if !h.hasBody {
		r.note("a request to %s holds no body", pathOf(h.URL))
		return nil
	}
	e := h.Exchange
	e.Request = decoded(h.body, h.asBase64.body)
	if e.Dialect = dialectOf(e.Request, pathOf(e.URL)); e.Dialect == exchange.Other {
		return nil
	}
	e.Response = decoded(text(h.text), h.asBase64.text)
	e.Secrets = secretsOf(e.URL, e.RequestHeader, e.ResponseHeader)
	if !e.Started.IsZero() {
		e.Ended = e.Started.Add(time.Duration(h.millis) * time.Millisecond)
	}
	return r.take(e)
}

// decoded gives the bytes that a text of an archive stands for; what claims to be base64 and is not stays as it is.
func decoded(s string, asBase64 bool) []byte {
	if asBase64 {
		if plain, err := base64.StdEncoding.DecodeString(s); err == nil {
			return plain
		}
	}
	return []byte(s)
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
