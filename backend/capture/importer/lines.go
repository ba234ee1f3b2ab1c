package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/requestview/wire"
)

// readLines takes one record from each line, whatever kind each line is of.
func readLines(r *reading) error {
	s := &session{reading: r}
	for {
		line, err := r.line()
		if errors.Is(err, io.EOF) {
			return s.close()
		}
		if errors.Is(err, errTooLarge) {
			return r.torn(err)
		}
		if err != nil {
			return plain(r.path, err)
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		m, whole := wholeObject(line)
		if !whole {
			r.note("a line of %s is no whole JSON object and was left out", r.file)
			continue
		}
		if err := s.line(line, m); err != nil {
			return err
		}
	}
}

// line tells what kind of record a line is.
func (s *session) line(line []byte, m fields) error {
	switch {
	case m["resourceSpans"] != nil:
		return s.spans(line)
	case m["role"] != nil && m["model"] == nil:
		return s.message(line)
	case m["body"] != nil && (m["custom_id"] != nil || m["url"] != nil || m["method"] != nil):
		return s.batch(m)
	case m["request"] != nil || m["request_body"] != nil:
		return s.logged(m)
	case m["messages"] != nil || m["input"] != nil:
		return s.gateway(line, m)
	}
	s.note("a line of %s holds no request", s.file)
	return nil
}

type fields map[string][]byte

func membersOf(object []byte) fields {
	f, _ := wholeObject(object)
	return f
}

// wholeObject reads an object's members and says whether it is one whole object with nothing behind it.
func wholeObject(object []byte) (f fields, whole bool) {
	f = fields{}
	end := bytes.IndexByte(object, '{')
	err := wire.Members(object, func(m wire.Member) error {
		if end = m.End - 1; f[m.Name] == nil {
			f[m.Name] = object[m.Start:m.End]
		}
		return nil
	})
	return f, err == nil && string(bytes.TrimSpace(object[end+1:])) == "}"
}

func (f fields) text(names ...string) string {
	for _, n := range names {
		if s, ok := wire.String(f[n]); ok && s != "" {
			return s
		}
	}
	return ""
}

func (f fields) first(names ...string) []byte {
	for _, n := range names {
		if raw := f[n]; raw != nil && string(raw) != "null" {
			return raw
		}
	}
	return nil
}

// batch is a line of a batch file: the body stands in it as it is sent.
func (s *session) batch(m fields) error {
	body := bytes.Clone(unwrap(m["body"]))
	path := m.text("url")
	return s.take(exchange.Exchange{Source: source(s.file, lineBatch), Method: m.text("method"), URL: path, Request: body, Dialect: dialectOf(body, pathOf(path))})
}

// logged is a line that holds request and response apart.
func (s *session) logged(m fields) error {
	body := unwrap(m.first("request_body", "request"))
	e := exchange.Exchange{Source: source(s.file, lineLogged), Response: bytes.Clone(unwrap(m.first("response", "response_body"))), URL: m.text("url", "api_base")}
	if inner := firstOf(body, "body", "json"); inner != nil { // the request with its envelope
		e.URL, e.Method = str(body, "url"), str(body, "method")
		e.RequestHeader = headerObject(wire.Get(body, "headers"))
		e.Secrets = secretsOf(e.URL, e.RequestHeader)
		body = unwrap(inner)
	}
	e.Request = bytes.Clone(body)
	e.Dialect = dialectOf(e.Request, pathOf(e.URL))
	m.times(&e)
	if e.Dialect == exchange.Other {
		s.note("a line of %s holds a request of another shape", s.file)
		return nil
	}
	return s.take(e)
}

func headerObject(raw []byte) map[string][]string {
	h := map[string][]string{}
	_ = wire.Members(raw, func(m wire.Member) error {
		if v, ok := wire.String(raw[m.Start:m.End]); ok {
			h[m.Name] = append(h[m.Name], v)
		}
		return nil
	})
	return h
}

// gateway is a line of a gateway's log, or a raw body: when it holds what a body never does, the body is made of its
// fields and that is said.
func (s *session) gateway(line []byte, m fields) error {
	e := exchange.Exchange{Source: source(s.file, lineBody)}
	if m.first("response", "usage", "startTime", "start_time", "call_type", "litellm_call_id", "id") == nil {
		e.Request = bytes.Clone(line)
		e.Dialect = shapeOf(m)
		return s.take(e)
	}
	e.Source = source(s.file, lineGateway)
	e.Response, e.UsageRaw = bytes.Clone(unwrap(m["response"])), bytes.Clone(m["usage"])
	e.Conversation = m.text("session_id", "litellm_session_id", "trace_id")
	e.URL = m.text("api_base")
	if key := m.text("api_key"); key != "" {
		e.Secrets = append(e.Secrets, key)
	}
	m.times(&e)
	e.Notes = []string{"its body was put together from the fields of a log: the bytes that were sent are not told"}
	e.Request = assemble(m)
	e.Dialect = dialectOf(e.Request, pathOf(e.URL))
	return s.take(e)
}

// assemble makes a body from the fields of a log, each with its own bytes.
func assemble(m fields) []byte {
	out := []byte{'{'}
	add := func(name string, raw []byte) {
		if raw == nil || string(raw) == "null" {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(wire.AppendQuoted(out, name), ':')
		out = append(out, raw...)
	}
	params := m.first("optional_params", "model_parameters", "additional_args")
	add("model", m["model"])
	tools := m["tools"]
	if tools == nil {
		tools = wire.Get(params, "tools")
	}
	add("tools", tools)
	add("system", m["system"])
	add("instructions", m["instructions"])
	if m["messages"] != nil {
		add("messages", unwrap(m["messages"]))
	} else {
		add("input", m["input"])
	}
	return append(out, '}')
}

// times reads when a request began and ended, as text or in seconds.
func (f fields) times(e *exchange.Exchange) {
	e.Started, e.Ended = f.time("startTime", "start_time", "created_at", "timestamp"), f.time("endTime", "end_time", "completed_at")
}

func (f fields) time(names ...string) time.Time {
	for _, n := range names {
		if s, ok := wire.String(f[n]); ok {
			for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999", "2006-01-02T15:04:05.999999"} {
				if t, err := time.Parse(layout, s); err == nil {
					return t
				}
			}
			continue
		}
		var seconds float64
		if _, err := fmt.Sscan(string(f[n]), &seconds); err == nil && seconds > 0 {
			return time.UnixMilli(int64(seconds * 1000)).UTC()
		}
	}
	return time.Time{}
}
