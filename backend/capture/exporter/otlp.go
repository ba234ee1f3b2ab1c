package exporter

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

type otlpSpan struct {
	Trace      string     `json:"traceId"`
	Span       string     `json:"spanId"`
	Name       string     `json:"name"`
	Kind       int        `json:"kind"`
	Start      string     `json:"startTimeUnixNano"`
	End        string     `json:"endTimeUnixNano"`
	Attributes []otlpPair `json:"attributes"`
	Status     otlpStatus `json:"status"`
}

type otlpStatus struct {
	Code    int    `json:"code"`
	Message string `json:"message,omitempty"`
}

type otlpPair struct {
	Key   string         `json:"key"`
	Value map[string]any `json:"value"`
}

const (
	spanClient  = 3 // SPAN_KIND_CLIENT
	statusUnset = 0
	statusError = 2
)

// otlp writes one span for each request, by the semantic conventions for generative AI of OpenTelemetry. The
// conventions have no place for the bytes: those stand in attributes of our own.
func (s Source) otlp(w io.Writer) error {
	out := &stream{w: w}
	out.text(`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"zimoscope"}}]},"scopeSpans":[{"scope":{"name":"zimoscope","version":`)
	out.value(s.Version)
	out.text(`},"spans":[`)
	n := 0
	for _, r := range s.Records {
		if r.Meta.Kind == record.KindOther {
			continue
		}
		sp, err := s.span(r)
		if err != nil {
			return err
		}
		if n++; n > 1 {
			out.text(",")
		}
		out.text("\n")
		out.value(sp)
	}
	out.text("\n]}]}]}\n")
	return out.err
}

func (s Source) span(r *record.Record) (sp otlpSpan, err error) {
	body, err := s.body(r)
	if err != nil {
		return sp, err
	}
	resp, err := s.response(r.N)
	if err != nil {
		return sp, err
	}
	model, _ := wire.String(body.Bytes(wire.KindModel, 0))
	thread := sha256.Sum256([]byte(s.Session.ID + "\x00" + r.Meta.Thread))
	id := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", s.Session.ID, r.N))
	sp = otlpSpan{Trace: hex.EncodeToString(thread[:16]), Span: hex.EncodeToString(id[:8]), Name: strings.TrimSpace("chat " + model), Kind: spanClient,
		Start: nano(r.SentAt), End: nano(r.SentAt + r.Millis), Status: otlpStatus{Code: statusUnset}}
	if r.Error != "" {
		sp.Status = otlpStatus{statusError, r.Error}
		sp.add("error.type", errorType(r))
	}
	sp.add("gen_ai.operation.name", "chat")
	sp.add("gen_ai.provider.name", providerOf(dialectOf(r), s.Session.Info().Host))
	sp.add("gen_ai.request.model", model)
	sp.add("gen_ai.conversation.id", s.Session.ID+"/"+r.Meta.Thread)
	if u, err := url.Parse(s.address(r)); err == nil && u.String() != unknownAddress {
		sp.add("server.address", u.Hostname())
		if port, err := strconv.Atoi(u.Port()); err == nil {
			sp.add("server.port", port)
		}
		sp.add("url.full", u.String())
	}
	if r.Foreign != nil && r.Foreign.HTTP > 0 {
		sp.add("http.response.status_code", r.Foreign.HTTP)
	}
	sp.content(body, answer.Read(exchange.Dialect(dialectOf(r)), []byte(resp)))
	sp.usage(r)
	sp.add("zimoscope.request.number", r.N)
	sp.add("zimoscope.verdict", string(r.Verdict.Verdict))
	sp.add("zimoscope.link", body.Last().String())
	sp.add("zimoscope.request.body", string(body.Raw))
	sp.add("zimoscope.response.body", resp)
	return sp, nil
}

// errorType is the status of the response, else what the conventions have for the rest.
func errorType(r *record.Record) string {
	if r.Foreign != nil && r.Foreign.HTTP >= http.StatusBadRequest {
		return strconv.Itoa(r.Foreign.HTTP)
	}
	return "_OTHER"
}

func nano(ms int64) string { return fmt.Sprintf("%d", ms*1_000_000) }

func providerOf(dialect, host string) string {
	switch {
	case dialect == "messages":
		return "anthropic"
	case strings.HasSuffix(host, "deepseek.com"):
		return "deepseek"
	case strings.HasSuffix(host, "mistral.ai"):
		return "mistral_ai"
	}
	return "openai"
}

func (sp *otlpSpan) add(key string, v any) {
	switch x := v.(type) {
	case string:
		if x != "" {
			sp.Attributes = append(sp.Attributes, otlpPair{key, map[string]any{"stringValue": x}})
		}
	case int:
		sp.Attributes = append(sp.Attributes, otlpPair{key, map[string]any{"intValue": fmt.Sprint(x)}})
	case []string:
		values := []map[string]any{}
		for _, s := range x {
			values = append(values, map[string]any{"stringValue": s})
		}
		sp.Attributes = append(sp.Attributes, otlpPair{key, map[string]any{"arrayValue": map[string]any{"values": values}}})
	}
}

// part is one part of a message, as the conventions' JSON schema has it.
type part struct {
	Type      string          `json:"type"`
	Content   string          `json:"content,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Response  string          `json:"response,omitempty"`
}

type genMessage struct {
	Role   string `json:"role"`
	Parts  []part `json:"parts"`
	Finish string `json:"finish_reason,omitempty"`
}

// content adds what was asked and answered, as texts, calls and results.
func (sp *otlpSpan) content(b *wire.Body, a answer.Answer) {
	in, from := []genMessage{}, 0
	switch {
	case b.System.Len() > 0:
		sp.json("gen_ai.system_instructions", []part{{Type: "text", Content: systemText(b.Bytes(wire.KindSystem, 0))}})
	case verdict.HasSystem(b):
		from = 1
		sp.json("gen_ai.system_instructions", []part{{Type: "text", Content: verdict.TextOf(b.Bytes(wire.KindMessage, 0))}})
	}
	for i := from; i < b.Messages.Len(); i++ {
		in = append(in, messageOf(b.Bytes(wire.KindMessage, i)))
	}
	sp.json("gen_ai.input.messages", in)
	if n := b.Tools.Len(); n > 0 {
		list := make([]json.RawMessage, n)
		for i := range list {
			list[i] = b.Bytes(wire.KindTool, i)
		}
		sp.json("gen_ai.tool.definitions", list)
	}
	if a.Text == "" && len(a.Calls) == 0 {
		return
	}
	out := genMessage{Role: "assistant", Parts: []part{}, Finish: a.Finish}
	if a.Text != "" {
		out.Parts = append(out.Parts, part{Type: "text", Content: a.Text})
	}
	for _, c := range a.Calls {
		out.Parts = append(out.Parts, part{Type: "tool_call", ID: c.ID, Name: c.Name, Arguments: arguments(c.Arguments)})
	}
	sp.json("gen_ai.output.messages", []genMessage{out})
	sp.add("gen_ai.response.id", a.ID)
	sp.add("gen_ai.response.model", a.Model)
	if a.Finish != "" {
		sp.add("gen_ai.response.finish_reasons", []string{a.Finish})
	}
}

func (sp *otlpSpan) json(key string, v any) {
	if raw, err := json.Marshal(v); err == nil {
		sp.add(key, string(raw))
	}
}

func systemText(raw []byte) string {
	if s, ok := wire.String(raw); ok {
		return s
	}
	return verdict.TextOf(append(append([]byte(`{"content":`), raw...), '}'))
}

func arguments(s string) json.RawMessage {
	if json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	return raw
}

func messageOf(msg []byte) genMessage {
	role, _ := wire.String(wire.Get(msg, "role"))
	m := genMessage{Role: role, Parts: []part{}}
	text := verdict.TextOf(msg)
	if id, ok := wire.String(wire.Get(msg, "tool_call_id")); ok {
		m.Parts = append(m.Parts, part{Type: "tool_call_response", ID: id, Response: text})
		return m
	}
	if text != "" {
		m.Parts = append(m.Parts, part{Type: "text", Content: text})
	}
	calls := wire.Get(msg, "tool_calls")
	_ = wire.Elements(calls, func(start, end int) error {
		c := calls[start:end]
		fn := wire.Get(c, "function")
		id, _ := wire.String(wire.Get(c, "id"))
		name, _ := wire.String(wire.Get(fn, "name"))
		args, _ := wire.String(wire.Get(fn, "arguments"))
		m.Parts = append(m.Parts, part{Type: "tool_call", ID: id, Name: name, Arguments: arguments(args)})
		return nil
	})
	return m
}

// usage adds what was reported; a figure that was not reported is not there.
func (sp *otlpSpan) usage(r *record.Record) {
	if len(r.Usage) == 0 {
		return
	}
	u := cachemodel.ParseUsage(r.Usage)
	if u.HasTotal {
		sp.add("gen_ai.usage.input_tokens", u.PromptTotal)
	}
	if u.Reported {
		sp.add("gen_ai.usage.cache_read.input_tokens", u.Cached)
		if u.Written > 0 {
			sp.add("gen_ai.usage.cache_creation.input_tokens", u.Written)
		}
	}
	var out struct {
		Completion *int `json:"completion_tokens"`
		Output     *int `json:"output_tokens"`
	}
	if json.Unmarshal(r.Usage, &out) == nil {
		if out.Completion == nil {
			out.Completion = out.Output
		}
		if out.Completion != nil {
			sp.add("gen_ai.usage.output_tokens", *out.Completion)
		}
	}
}
