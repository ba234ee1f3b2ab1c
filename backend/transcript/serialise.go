package transcript

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/zimoos"
)

// DefaultResultLimit bounds an ordinary tool result in history, in bytes: about 4,000 tokens of text.
const DefaultResultLimit = 16 << 10

// Text that ends a message. `content` is the last member of user and tool messages, so that a text can grow at
// its end and all bytes before stay a prefix.
const (
	textEnd  = `"}`
	partsEnd = `"}]}`
)

func (r Rules) systemMessage(text string) []byte {
	return r.contentLast([]byte(`{"role":"system"`), zimoos.Valid(text), nil)
}

func (r Rules) userMessage(text string, images []Image) []byte {
	return r.contentLast([]byte(`{"role":"user"`), zimoos.Neutralise(zimoos.Valid(text)), images)
}

func (r Rules) toolMessage(callID, text string, images []Image) []byte {
	b := wire.AppendQuoted([]byte(`{"role":"tool","tool_call_id":`), callID)
	return r.contentLast(b, text, images)
}

// contentLast closes a message with its content: a plain string when there is only text and no marks are used, else
// parts with the text last.
func (r Rules) contentLast(b []byte, text string, images []Image) []byte {
	b = append(b, `,"content":`...)
	if len(images) == 0 && r.CacheMark == NoMark {
		return append(wire.AppendQuoted(b, text), '}')
	}
	b = append(b, '[')
	for _, im := range images {
		b = wire.AppendQuoted(append(b, `{"type":"image_url","image_url":{"url":`...), im.URL)
		b = append(b, `}},`...)
	}
	b = append(wire.AppendQuoted(append(b, `{"type":"text","text":`...), text), "}]}"...)
	return b
}

func assistantMessage(r Reply, rules Rules) []byte {
	b := []byte(`{"role":"assistant"`)
	text := zimoos.Neutralise(zimoos.Valid(r.Text))
	switch {
	case text != "" || len(r.Calls) == 0 || rules.EmptyContent == ContentEmpty:
		b = wire.AppendQuoted(append(b, `,"content":`...), text)
	case rules.EmptyContent != ContentAbsent:
		b = append(b, `,"content":null`...)
	}
	if rules.KeepReasoning && r.Reasoning != "" {
		field := r.ReasoningField
		if field == "" {
			field = "reasoning_content"
		}
		b = append(wire.AppendQuoted(append(b, ','), field), ':')
		b = wire.AppendQuoted(b, zimoos.Neutralise(zimoos.Valid(r.Reasoning)))
	}
	if len(r.Calls) > 0 {
		b = append(b, `,"tool_calls":[`...)
		for i, c := range r.Calls {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCall(b, c, rules)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func appendCall(b []byte, c Call, rules Rules) []byte {
	b = wire.AppendQuoted(append(b, `{"id":`...), c.ID)
	b = wire.AppendQuoted(append(b, `,"type":"function","function":{"name":`...), c.Function)
	b = wire.AppendQuoted(append(b, `,"arguments":`...), replayedArguments(c.Arguments))
	b = append(b, '}')
	if rules.KeepExtras {
		for _, x := range c.Extra {
			if x.Name != "id" && x.Name != "type" && x.Name != "function" && json.Valid(x.Raw) {
				b = append(wire.AppendQuoted(append(b, ','), x.Name), ':')
				b = append(b, neutralExtra(x.Raw)...)
			}
		}
	}
	return append(b, '}')
}

func neutralExtra(raw []byte) string {
	clean, _ := zimoos.NeutraliseArguments(string(raw))
	return clean
}

// replayedArguments are the model's own bytes unless they are no JSON (a cut stream: the call was not run) or
// imitate frame state.
func replayedArguments(args string) string {
	if strings.TrimSpace(args) == "" || !json.Valid([]byte(args)) {
		return "{}"
	}
	clean, _ := zimoos.NeutraliseArguments(args)
	return clean
}

// ordinaryText is an ordinary tool's text as history keeps it: inert, and shortened with its true size stated.
func ordinaryText(text string, limit int) string {
	if limit <= 0 {
		limit = DefaultResultLimit
	}
	clean := zimoos.Neutralise(zimoos.Valid(text))
	if len(clean) <= limit {
		return clean
	}
	return fmt.Sprintf("%s\n(shortened: the whole text has %d bytes)", zimoos.Cut(clean, limit), len(text))
}

// textCloser gives the bytes that close the text at the end of a user or tool message.
func textCloser(msg []byte) string {
	if strings.HasSuffix(string(msg[max(0, len(msg)-len(partsEnd)):]), partsEnd) {
		return partsEnd
	}
	return textEnd
}

// GrowText clones a user or tool message with more text at its end, and gives how many bytes of the message stand
// unchanged before the new text.
func GrowText(msg []byte, text string) (grown []byte, before int) {
	return growRaw(msg, wire.AppendEscaped(nil, text)), len(msg) - len(textCloser(msg))
}

// growRaw does so with text that is already escaped.
func growRaw(msg, escaped []byte) []byte {
	closer := textCloser(msg)
	return slices.Concat(msg[:len(msg)-len(closer)], escaped, []byte(closer))
}
