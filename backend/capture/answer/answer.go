// Package answer reads what a provider sent back, in the three shapes that are understood, streamed or whole.
//
// Contract: a pure function of the bytes. A response that is cut, damaged or of another shape gives what was read up
// to there; nothing here fails. Text of a model stays as it is.
package answer

import (
	"bytes"
	"encoding/json"
	"strings"

	"zimoscope/backend/capture/exchange"
)

// Answer is a response in one form.
type Answer struct {
	ID        string // of the response, which a later request may name
	Model     string
	Text      string
	Reasoning string
	Calls     []Call
	Finish    string
	Usage     json.RawMessage // as reported, nil when it was not
	Error     string          // what the provider said went wrong
	Streamed  bool
	Whole     bool // its end was seen
}

// Call is one tool call, its arguments as the model wrote them.
type Call struct{ ID, Name, Arguments string }

// maxWords bounds the text that is kept of an answer, in bytes; the raw response keeps all.
const maxWords = 1 << 20

// Read reads a response body.
func Read(d exchange.Dialect, raw []byte) Answer {
	a := &reader{calls: map[int]int{}}
	if isStream(raw) {
		a.Streamed = true
		events(raw, func(data []byte) { a.event(d, data) })
	} else if o := object(raw); o != nil {
		a.Whole = true
		a.whole(d, o)
	}
	return a.finish()
}

// isStream says that a body is a stream of events, whatever its header claims.
func isStream(raw []byte) bool {
	head := bytes.TrimLeft(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), " \t\r\n")
	for _, p := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(head, []byte(p)) {
			return true
		}
	}
	return false
}

// events visits the data of each event; several data lines of one event are joined.
func events(raw []byte, visit func([]byte)) {
	var data []byte
	flush := func() {
		if len(data) > 0 {
			visit(data)
		}
		data = nil
	}
	for len(raw) > 0 {
		line := raw
		if i := bytes.IndexByte(raw, '\n'); i >= 0 {
			line, raw = raw[:i], raw[i+1:]
		} else {
			raw = nil
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			flush()
			continue
		}
		value, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			continue
		}
		value = bytes.TrimPrefix(value, []byte(" "))
		if data != nil {
			data = append(append(data, '\n'), value...)
		} else {
			data = value[:len(value):len(value)]
		}
	}
	flush()
}

type members map[string]json.RawMessage

func object(raw []byte) members {
	var m members
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

func (m members) text(name string) string {
	var s string
	if json.Unmarshal(m[name], &s) != nil {
		return ""
	}
	return s
}

func (m members) object(name string) members { return object(m[name]) }

func (m members) list(name string) (list []members) {
	var raw []json.RawMessage
	if json.Unmarshal(m[name], &raw) != nil {
		return nil
	}
	for _, r := range raw {
		list = append(list, object(r))
	}
	return list
}

func (m members) number(name string, otherwise int) int {
	n := otherwise
	if raw := m[name]; len(raw) == 0 || bytes.Equal(raw, []byte("null")) || json.Unmarshal(raw, &n) != nil {
		return otherwise
	}
	return n
}

func (m members) present(name string) json.RawMessage {
	if raw := m[name]; len(raw) > 0 && !bytes.Equal(raw, []byte("null")) {
		return raw
	}
	return nil
}

// reader gathers an answer. calls maps the index that a stream gives a call to its place in Calls.
type reader struct {
	Answer
	calls           map[int]int
	text, reasoning []byte
	arguments       [][]byte // of Calls
}

func (r *reader) finish() Answer {
	r.Text, r.Reasoning = string(r.text), string(r.reasoning)
	for i := range r.Calls {
		r.Calls[i].Arguments = string(r.arguments[i])
	}
	return r.Answer
}

func (r *reader) event(d exchange.Dialect, data []byte) {
	if bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) {
		r.Whole = true
		return
	}
	o := object(data)
	if o == nil {
		return
	}
	if e := errorText(o); e != "" {
		r.Error = e
	}
	switch d {
	case exchange.Chat:
		r.chatChunk(o)
	case exchange.Responses:
		r.responsesEvent(o)
	case exchange.Messages:
		r.messagesEvent(o)
	}
}

func (r *reader) whole(d exchange.Dialect, o members) {
	r.Error = errorText(o)
	switch d {
	case exchange.Chat:
		r.chatWhole(o)
	case exchange.Responses:
		r.responsesWhole(o)
	case exchange.Messages:
		r.messagesWhole(o)
	}
}

// errorText reads an error in any of the forms that providers send: an object, a string, or a typed event.
func errorText(o members) string {
	raw := o.present("error")
	if raw == nil {
		return ""
	}
	if e := object(raw); e != nil {
		if m := e.text("message"); m != "" {
			return m
		}
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func add(to *[]byte, text string) {
	if room := maxWords - len(*to); room > 0 {
		*to = append(*to, text[:min(len(text), room)]...)
	}
}

// call finds the call with that index in the stream, or opens it.
func (r *reader) call(index int) (c *Call, arguments *[]byte) {
	at, ok := r.calls[index]
	if !ok {
		at = len(r.Calls)
		r.calls[index] = at
		r.Calls, r.arguments = append(r.Calls, Call{}), append(r.arguments, nil)
	}
	return &r.Calls[at], &r.arguments[at]
}

func (r *reader) usage(raw json.RawMessage) {
	if raw != nil {
		r.Usage = raw
	}
}

// merge lays a later usage report over an earlier one: some providers send the parts of one report in two events.
func (r *reader) merge(raw json.RawMessage) {
	if raw == nil {
		return
	}
	later, all := object(raw), object(r.Usage)
	if later == nil || all == nil {
		r.Usage = raw
		return
	}
	for k, v := range later {
		all[k] = v
	}
	if out, err := json.Marshal(all); err == nil {
		r.Usage = out
	}
}

// Names gives the names of the calls.
func (a *Answer) Names() []string {
	var list []string
	for _, c := range a.Calls {
		list = append(list, strings.TrimSpace(c.Name))
	}
	return list
}
