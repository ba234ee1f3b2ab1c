package service

import (
	"bytes"
	"encoding/json"
	"strings"

	"zimoscope/app/api"
	"zimoscope/backend/requestview/wire"
)

// Kinds of a block; the front end draws each in its own way.
const (
	blockText      = "text"
	blockReasoning = "reasoning"
	blockCall      = "call"
	blockResult    = "result"
	blockImage     = "image"
	blockFile      = "file"
	blockOther     = "other"
)

// decoded is one message or input item of any dialect, as a person reads it. Text of blocks is whole.
type decoded struct {
	role   string
	blocks []api.BlockView
}

// decode reads a message of chat completions, an input item of Responses or a message of Anthropic Messages. What it
// doesn't know it keeps as raw JSON: nothing is left out.
func decode(raw []byte) decoded {
	if text, ok := wire.String(raw); ok { // an input that is one text
		return decoded{"user", []api.BlockView{{Kind: blockText, Text: text}}}
	}
	d := decoded{role: text(raw, "role")}
	switch kind := text(raw, "type"); {
	case strings.HasSuffix(kind, "_output"):
		d.role = orElse(d.role, "tool")
		d.result(text(raw, "call_id"), wire.Get(raw, "output"), false)
	case strings.HasSuffix(kind, "_call"):
		d.role = orElse(d.role, "assistant")
		d.item(kind, raw)
	case kind == "reasoning":
		d.role = orElse(d.role, "assistant")
		d.reasoningItem(raw)
	case d.role != "":
		d.message(raw)
	default:
		d.role = orElse(kind, "other")
		d.add(api.BlockView{Kind: blockOther, Text: string(raw)})
	}
	return d
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// text gives a member that is a text, "" otherwise.
func text(raw []byte, name string) string {
	s, _ := wire.String(wire.Get(raw, name))
	return s
}

func (d *decoded) add(b api.BlockView) { d.blocks = append(d.blocks, b) }

// each visits the elements of an array.
func each(list []byte, visit func(element []byte)) {
	_ = wire.Elements(list, func(start, end int) error { visit(list[start:end]); return nil })
}

// message reads content, then the calls beside it.
func (d *decoded) message(raw []byte) {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		if s := text(raw, name); s != "" {
			d.add(api.BlockView{Kind: blockReasoning, Text: s})
		}
	}
	content := wire.Get(raw, "content")
	if d.role == "tool" || d.role == "function" {
		d.result(text(raw, "tool_call_id"), content, false)
		return
	}
	if s, ok := wire.String(content); ok {
		if s != "" {
			d.add(api.BlockView{Kind: blockText, Text: s})
		}
	} else {
		each(content, d.part)
	}
	if s := text(raw, "refusal"); s != "" {
		d.add(api.BlockView{Kind: blockText, Text: s})
	}
	each(wire.Get(raw, "tool_calls"), func(call []byte) { d.call(text(call, "id"), wire.Get(call, "function")) })
	if f := wire.Get(raw, "function_call"); f != nil {
		d.call("", f)
	}
}

func (d *decoded) call(id string, function []byte) {
	d.add(api.BlockView{Kind: blockCall, ID: id, Name: text(function, "name"), Text: plainOrRaw(wire.Get(function, "arguments"))})
}

// item is a call that stands by itself: a function, or one of the provider's own tools.
func (d *decoded) item(kind string, raw []byte) {
	b := api.BlockView{Kind: blockCall, ID: orElse(text(raw, "call_id"), text(raw, "id")), Name: orElse(text(raw, "name"), strings.TrimSuffix(kind, "_call"))}
	for _, name := range []string{"arguments", "input", "action", "queries", "code"} {
		if v := wire.Get(raw, name); v != nil {
			b.Text = plainOrRaw(v)
			break
		}
	}
	d.add(b)
	if out := wire.Get(raw, "output"); out != nil && string(out) != "null" {
		d.result(b.ID, out, false)
	}
}

func (d *decoded) reasoningItem(raw []byte) {
	var list []string
	for _, name := range []string{"summary", "content"} {
		each(wire.Get(raw, name), func(e []byte) { list = append(list, text(e, "text")) })
	}
	hidden := len(text(raw, "encrypted_content"))
	d.add(api.BlockView{Kind: blockReasoning, Text: strings.Join(list, "\n\n"), Hidden: hidden > 0, Bytes: hidden})
}

// part reads one element of a list of content.
func (d *decoded) part(raw []byte) {
	if s, ok := wire.String(raw); ok {
		d.add(api.BlockView{Kind: blockText, Text: s})
		return
	}
	switch kind := text(raw, "type"); {
	case kind == "text" || kind == "input_text" || kind == "output_text" || kind == "summary_text":
		d.add(api.BlockView{Kind: blockText, Text: text(raw, "text")})
	case kind == "refusal":
		d.add(api.BlockView{Kind: blockText, Text: text(raw, "refusal")})
	case kind == "thinking":
		d.add(api.BlockView{Kind: blockReasoning, Text: text(raw, "thinking")})
	case kind == "redacted_thinking":
		d.add(api.BlockView{Kind: blockReasoning, Hidden: true, Bytes: len(text(raw, "data"))})
	case strings.HasSuffix(kind, "tool_use"):
		d.add(api.BlockView{Kind: blockCall, ID: text(raw, "id"), Name: text(raw, "name"), Text: plainOrRaw(wire.Get(raw, "input"))})
	case strings.HasSuffix(kind, "tool_result"):
		d.result(text(raw, "tool_use_id"), wire.Get(raw, "content"), string(wire.Get(raw, "is_error")) == "true")
	case strings.Contains(kind, "image"):
		d.add(image(raw))
	case kind == "document" || kind == "file" || kind == "input_file" || kind == "input_audio":
		d.add(api.BlockView{Kind: blockFile, Name: orElse(text(raw, "title"), orElse(text(raw, "filename"), kind)), Media: text(wire.Get(raw, "source"), "media_type"), Bytes: len(raw), Whole: true})
	default:
		d.add(api.BlockView{Kind: blockOther, Name: kind, Text: string(raw)})
	}
}

// result joins the texts of what a tool gave back; its pictures stand behind it.
func (d *decoded) result(id string, content []byte, failed bool) {
	inner := decoded{}
	if content != nil && content[0] == '[' {
		each(content, inner.part)
	} else {
		inner.add(api.BlockView{Kind: blockText, Text: plainOrRaw(content)})
	}
	var texts []string
	var rest []api.BlockView
	for _, b := range inner.blocks {
		if b.Kind == blockText {
			texts = append(texts, b.Text)
		} else {
			rest = append(rest, b)
		}
	}
	d.add(api.BlockView{Kind: blockResult, ID: id, Text: strings.Join(texts, "\n"), Failed: failed})
	d.blocks = append(d.blocks, rest...)
}

// dataPrefix begins an address that holds what it names.
const dataPrefix = "data:"

// image describes a picture; it is never loaded, so that looking at traffic asks nobody for anything.
func image(raw []byte) api.BlockView {
	b := api.BlockView{Kind: blockImage, Whole: true, Bytes: len(raw)}
	source := wire.Get(raw, "source")
	address := orElse(text(raw, "image_url"), orElse(text(wire.Get(raw, "image_url"), "url"), text(source, "url")))
	b.Media = text(source, "media_type")
	if rest, ok := strings.CutPrefix(address, dataPrefix); ok {
		b.Media, _, _ = strings.Cut(rest, ";")
		return b
	}
	b.Text = address
	return b
}

// plainOrRaw gives a text decoded and any other value as compact JSON.
func plainOrRaw(raw []byte) string {
	if s, ok := wire.String(raw); ok {
		return s
	}
	if string(raw) == "null" {
		return ""
	}
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return string(raw)
	}
	return out.String()
}

// words is the whole message as one text: its words, its calls, its results.
func (d *decoded) words() string {
	var list []string
	for _, b := range d.blocks {
		switch {
		case b.Kind == blockCall:
			list = append(list, strings.TrimSpace(b.Name+" "+b.Text))
		case b.Text != "":
			list = append(list, b.Text)
		}
	}
	return strings.Join(list, "\n")
}

// systemText decodes a system text that stands outside the messages: one text, or a list of texts.
func systemText(raw []byte) string {
	if len(raw) > 0 && raw[0] == '[' {
		d := decoded{role: "system"}
		each(raw, d.part)
		return d.words()
	}
	return plainOrRaw(raw)
}

// roleOf says who speaks in a message, also where its dialect has no word for it.
func roleOf(raw []byte) string { return decode(raw).role }

// messageText is a message as a person reads it: its words, then its calls.
func messageText(raw []byte) string {
	d := decode(raw)
	return d.words()
}
