package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/requestview/wire"
)

// Attributes of a span (OpenTelemetry semantic conventions for generative AI). The last two are our own: they hold the
// exact bytes, which the conventions have no place for.
const (
	attrModel        = "gen_ai.request.model"
	attrInput        = "gen_ai.input.messages"
	attrSystem       = "gen_ai.system_instructions"
	attrTools        = "gen_ai.tool.definitions"
	attrConversation = "gen_ai.conversation.id"
	attrBody         = "zimoscope.request.body"
	attrResponse     = "zimoscope.response.body"
)

const spanNote = "put together from the attributes of a span: the bytes that were sent are not told"

// readOTLP takes the spans of one or more export requests.
func readOTLP(r *reading) error {
	s := &session{reading: r}
	for {
		if r.space() == 0 {
			return nil
		}
		err := r.members(func(name string) error {
			if name != "resourceSpans" && name != "resource_spans" {
				return r.skip()
			}
			return r.list(s.resourceComing)
		})
		if errors.Is(err, io.EOF) {
			err = errCut
		}
		if err != nil {
			return r.torn(err)
		}
	}
}

// spans takes a line that is one export request.
func (s *session) spans(line []byte) error {
	list := wire.Get(line, "resourceSpans")
	return each(list, s.resource)
}

func each(list []byte, visit func([]byte) error) error {
	var inner error
	_ = wire.Elements(list, func(start, end int) error { // it was found to be whole
		inner = visit(list[start:end])
		return inner
	})
	return inner
}

// resourceComing takes the spans of a resource as they stream by. What is whole of one that is cut is taken too.
func (s *session) resourceComing() error {
	err := s.object(func(name string) error {
		if name != "scopeSpans" && name != "scope_spans" {
			return s.skip()
		}
		return s.list(func() error {
			return s.object(func(name string) error {
				if name != "spans" {
					return s.skip()
				}
				return s.elements(s.gather)
			})
		})
	})
	if failed := s.gathered(); failed != nil {
		return failed
	}
	return err
}

// resource takes the spans of one resource.
func (s *session) resource(raw []byte) error {
	if err := each(firstOf(raw, "scopeSpans", "scope_spans"), func(scope []byte) error {
		return each(wire.Get(scope, "spans"), s.gather)
	}); err != nil {
		return err
	}
	return s.gathered()
}

// maxGathered bounds the spans that wait for those of the same resource that began earlier, in bytes.
const maxGathered = 64 << 20

// gather holds a span back until its resource ends.
func (s *session) gather(raw []byte) error {
	sp := readSpan(raw)
	if sp == nil {
		return nil
	}
	s.spansHeld = append(s.spansHeld, sp)
	if s.spanBytes += len(raw); s.spanBytes > maxGathered {
		return s.gathered()
	}
	return nil
}

// gathered takes the spans in the order in which they began: files hold them as they ended.
func (s *session) gathered() error {
	list := s.spansHeld
	s.spansHeld, s.spanBytes = nil, 0
	slices.SortStableFunc(list, func(a, b *span) int { return cmp.Compare(a.start, b.start) })
	for _, sp := range list {
		if err := s.span(sp); err != nil {
			return err
		}
	}
	return nil
}

type span struct {
	start, end int64
	trace      string
	status     string
	attrs      map[string]json.RawMessage
}

// readSpan gives a span that tells of a request to a model; nil for any other. What its events tell counts too.
func readSpan(raw []byte) *span {
	sp := &span{start: nanos(raw, "startTimeUnixNano"), end: nanos(raw, "endTimeUnixNano"), trace: str(raw, "traceId"), attrs: map[string]json.RawMessage{}}
	sp.read(wire.Get(raw, "attributes"))
	_ = each(wire.Get(raw, "events"), func(e []byte) error {
		sp.read(wire.Get(e, "attributes"))
		return nil
	})
	sp.status = str(wire.Get(raw, "status"), "message")
	if sp.attrs[attrInput] == nil && sp.attrs[attrBody] == nil {
		return nil
	}
	return sp
}

func nanos(raw []byte, name string) int64 {
	n, err := strconv.ParseInt(strings.Trim(string(wire.Get(raw, name)), `"`), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func (sp *span) read(list []byte) {
	_ = each(list, func(one []byte) error {
		if v := anyValue(wire.Get(one, "value")); v != nil {
			sp.attrs[str(one, "key")] = v
		}
		return nil
	})
}

// anyValue turns OTLP's typed value into plain JSON.
func anyValue(raw []byte) json.RawMessage {
	for _, name := range []string{"stringValue", "boolValue", "doubleValue"} {
		if v := wire.Get(raw, name); v != nil {
			return bytes.Clone(v)
		}
	}
	if v := wire.Get(raw, "intValue"); v != nil {
		return bytes.Clone(bytes.Trim(v, `"`))
	}
	if a := wire.Get(raw, "arrayValue"); a != nil {
		out := []byte{'['}
		_ = each(wire.Get(a, "values"), func(v []byte) error {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, orNull(anyValue(v))...)
			return nil
		})
		return append(out, ']')
	}
	if kv := wire.Get(raw, "kvlistValue"); kv != nil {
		out := []byte{'{'}
		_ = each(wire.Get(kv, "values"), func(one []byte) error {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(wire.AppendQuoted(out, str(one, "key")), ':')
			out = append(out, orNull(anyValue(wire.Get(one, "value")))...)
			return nil
		})
		return append(out, '}')
	}
	return nil
}

func orNull(raw []byte) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}

// span takes one request.
func (s *session) span(sp *span) error {
	e := exchange.Exchange{Source: source(s.file, FormatOTLP), Conversation: sp.text(attrConversation), URL: sp.address(), Status: numeric(sp.attrs["http.response.status_code"]), Error: sp.status}
	if e.Conversation == "" {
		e.Conversation = sp.trace
	}
	if sp.start > 0 {
		e.Started = time.Unix(0, sp.start).UTC()
	}
	if sp.end > 0 {
		e.Ended = time.Unix(0, sp.end).UTC()
	}
	e.UsageRaw = sp.usage()
	if exact := sp.text(attrBody); exact != "" {
		e.Request, e.Response = []byte(exact), []byte(sp.text(attrResponse))
	} else {
		e.Request, e.Notes = sp.body(), []string{spanNote}
	}
	e.Dialect = dialectOf(e.Request, pathOf(e.URL))
	return s.take(e)
}

func (sp *span) text(name string) string {
	v, _ := wire.String(sp.attrs[name])
	return v
}

func (sp *span) address() string {
	if u := sp.text("url.full"); u != "" {
		return u
	}
	if host := sp.text("server.address"); host != "" {
		return "//" + host
	}
	return ""
}

// usage is the report as the span tells it, under the names of the conventions.
func (sp *span) usage() []byte {
	out := map[string]json.RawMessage{}
	for name, v := range sp.attrs {
		if strings.HasPrefix(name, "gen_ai.usage.") {
			out[name] = v
		}
	}
	if len(out) == 0 {
		return nil
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return raw
}

// body makes a chat body of what the span tells.
func (sp *span) body() []byte {
	out := []byte(`{"model":`)
	out = append(out, orNull(sp.attrs[attrModel])...)
	if tools := unwrap(sp.attrs[attrTools]); len(tools) > 0 && tools[0] == '[' {
		out = append(append(out, `,"tools":`...), tools...)
	}
	out = append(out, `,"messages":[`...)
	n := 0
	add := func(raw []byte) {
		if n++; n > 1 {
			out = append(out, ',')
		}
		out = append(out, raw...)
	}
	if system := unwrap(sp.attrs[attrSystem]); len(system) > 0 {
		add(chatMessage("system", system))
	}
	_ = each(unwrap(sp.attrs[attrInput]), func(m []byte) error {
		if parts := wire.Get(m, "parts"); parts != nil {
			add(chatMessage(str(m, "role"), parts))
		} else {
			add(m)
		}
		return nil
	})
	return append(out, "]}"...)
}

// chatMessage makes a message of the conventions' parts: texts, calls and results.
func chatMessage(role string, parts []byte) []byte {
	var text strings.Builder
	calls := []byte{}
	id := ""
	_ = each(parts, func(p []byte) error {
		switch str(p, "type") {
		case "text":
			text.WriteString(str(p, "content"))
		case "tool_call":
			if len(calls) > 0 {
				calls = append(calls, ',')
			}
			calls = append(wire.AppendQuoted(append(calls, `{"id":`...), str(p, "id")), `,"type":"function","function":{"name":`...)
			calls = append(wire.AppendQuoted(calls, str(p, "name")), `,"arguments":`...)
			calls = append(wire.AppendQuoted(calls, asText(wire.Get(p, "arguments"))), "}}"...)
		case "tool_call_response":
			id = str(p, "id")
			text.WriteString(asText(firstOf(p, "response", "result")))
		}
		return nil
	})
	if s, ok := wire.String(parts); ok { // instructions may be one text
		text.WriteString(s)
	}
	out := wire.AppendQuoted([]byte(`{"role":`), role)
	if id != "" {
		out = wire.AppendQuoted(append(out, `,"tool_call_id":`...), id)
	}
	if len(calls) > 0 {
		out = append(append(append(out, `,"tool_calls":[`...), calls...), ']')
	}
	out = wire.AppendQuoted(append(out, `,"content":`...), text.String())
	return append(out, '}')
}

// asText gives a text value, or any other as its JSON.
func asText(raw []byte) string {
	if s, ok := wire.String(raw); ok {
		return s
	}
	return string(raw)
}
