package provider

import (
	"encoding/json"
	"strings"
)

// assembler joins the pieces of one answer.
type assembler struct {
	res       *Response
	text      strings.Builder
	reasoning strings.Builder
	refusal   strings.Builder
	calls     callSet
	onDelta   func(Delta)
	live      bool // the response is looked at between chunks
}

func newAssembler(res *Response, onDelta func(Delta)) *assembler {
	if onDelta == nil {
		onDelta = func(Delta) {}
	}
	return &assembler{res: res, onDelta: onDelta}
}

// finished reports whether the provider said that the answer is whole.
func (a *assembler) finished() bool { return a.res.FinishReason != "" }

// chunkFault is what a chunk reports instead of, or beside, an answer.
type chunkFault struct {
	words    words
	protocol bool // not JSON at all
}

// feed adds one chunk: an event's data, or a whole completion. It returns a
// fault when the chunk reports a failure.
func (a *assembler) feed(eventName string, data []byte) *chunkFault {
	top := membersOf(data)
	if top == nil {
		if eventName == "error" {
			return &chunkFault{words: readWords(data)}
		}
		return &chunkFault{protocol: true, words: words{text: plainText(data)}}
	}
	a.header(top)
	choices, _ := find(top, "choices")
	list := elementsOf(choices)
	for _, choice := range list {
		a.choice(split(choice))
	}
	a.publish(false)
	if over := a.calls.over; over != "" {
		return &chunkFault{protocol: true, words: words{text: over}}
	}
	if fault := faultOf(eventName, top, len(list)); fault != nil {
		fault.words = readWords(data)
		return fault
	}
	if a.res.FinishReason == "error" {
		return &chunkFault{words: finishWords(list, data)}
	}
	return nil
}

func (a *assembler) header(top []member) {
	if raw, ok := find(top, "id"); ok && a.res.ID == "" {
		a.res.ID = looseString(raw)
	}
	if raw, ok := find(top, "model"); ok && a.res.Model == "" {
		a.res.Model = looseString(raw)
	}
	if raw, ok := find(top, "usage"); ok {
		a.res.Usage = append(json.RawMessage(nil), raw...)
	}
}

// faultOf recognises a failure that came with status 200.
func faultOf(eventName string, top []member, choices int) *chunkFault {
	if _, ok := find(top, "error"); ok {
		return &chunkFault{}
	}
	if eventName == "error" {
		return &chunkFault{}
	}
	if _, ok := find(top, "error_message"); ok && choices == 0 {
		return &chunkFault{}
	}
	if object, ok := find(top, "object"); ok && looseString(object) == "error" {
		return &chunkFault{}
	}
	if has(top, "choices") || has(top, "usage") {
		return nil
	}
	for _, key := range []string{"message", "detail", "msg"} {
		if _, ok := find(top, key); ok {
			return &chunkFault{}
		}
	}
	return nil
}

// finishWords finds the reason for finish_reason "error": in the choice, else
// the whole chunk.
func finishWords(choices []json.RawMessage, data []byte) words {
	for _, c := range choices {
		if _, ok := find(split(c), "error"); ok {
			return readWords(c)
		}
	}
	w := readWords(data)
	if w.text == string(data) {
		w.text = "finish_reason: error"
	}
	return w
}

func (a *assembler) choice(choice []member) {
	if raw, ok := find(choice, "index"); ok && string(raw) != "0" && looseString(raw) != "0" {
		return // alternatives were not asked for
	}
	if raw, ok := find(choice, "finish_reason"); ok {
		a.res.FinishReason = looseString(raw)
	}
	body, ok := find(choice, "delta")
	if !ok || len(split(body)) == 0 {
		if whole, isWhole := find(choice, "message"); isWhole && a.empty() {
			body = whole
		}
	}
	a.message(split(body))
}

// empty reports whether nothing was said yet: a whole message that some servers
// repeat at the end of a stream must not be added to its own pieces.
func (a *assembler) empty() bool {
	return a.text.Len() == 0 && a.reasoning.Len() == 0 && len(a.calls.list) == 0
}

func (a *assembler) message(body []member) {
	a.calls.newChunk()
	for _, m := range body {
		if isNull(m.raw) {
			continue
		}
		switch m.key {
		case "content":
			a.content(m.raw)
		case fieldReasoningContent, fieldReasoning, fieldThinking:
			if s, ok := asString(m.raw); ok {
				a.addReasoning(m.key, s)
			}
		case "refusal":
			if s, ok := asString(m.raw); ok {
				a.refusal.WriteString(s)
			}
		case "tool_calls":
			for _, raw := range elementsOf(m.raw) {
				a.addCall(a.calls.add(split(raw)))
			}
		case "function_call":
			a.addCall(a.calls.addLegacy(split(m.raw)))
		}
	}
}

// content takes a string, or an array of parts.
func (a *assembler) content(raw json.RawMessage) {
	if s, ok := asString(raw); ok {
		a.addText(s)
		return
	}
	for _, part := range elementsOf(raw) {
		if s, ok := asString(part); ok {
			a.addText(s)
			continue
		}
		object := split(part)
		if thought, ok := find(object, fieldThinking); ok {
			a.addReasoning("content", partText(thought))
		} else if text, ok := find(object, "text"); ok {
			a.addText(partText(text))
		}
	}
}

// partText reads the text of a part: a string, {"value": …}, or parts again.
func partText(raw json.RawMessage) string {
	if s, ok := asString(raw); ok {
		return s
	}
	var b strings.Builder
	for _, part := range elementsOf(raw) {
		object := split(part)
		for _, key := range []string{"text", "value"} {
			if inner, ok := find(object, key); ok {
				b.WriteString(looseString(inner))
			}
		}
	}
	return b.String()
}

func (a *assembler) addText(s string) {
	if s == "" {
		return
	}
	a.text.WriteString(s)
	a.onDelta(Delta{Text: s, CallIndex: -1})
}

// addReasoning keeps to the field that came first: some servers send the same
// words under two names.
func (a *assembler) addReasoning(field, s string) {
	if s == "" || (a.res.ReasoningField != "" && a.res.ReasoningField != field) {
		return
	}
	a.res.ReasoningField = field
	a.reasoning.WriteString(s)
	a.onDelta(Delta{Reasoning: s, CallIndex: -1})
}

func (a *assembler) addCall(index int, piece string) {
	if index < 0 {
		return
	}
	a.onDelta(Delta{CallIndex: index, CallName: a.calls.list[index].name, CallArgs: piece})
}

// publish brings the response up to date. Whether arguments are whole is only
// worked out at the end: it costs a scan of them.
func (a *assembler) publish(final bool) {
	a.res.Text = a.text.String()
	a.res.Reasoning = a.reasoning.String()
	a.res.Refusal = a.refusal.String()
	if final || a.live {
		a.res.Calls = a.calls.result(final)
	}
}

// looseString reads a value that should be a string but is a number at times.
func looseString(raw json.RawMessage) string {
	if s, ok := asString(raw); ok {
		return s
	}
	if isNull(raw) {
		return ""
	}
	return strings.TrimSpace(string(raw))
}
