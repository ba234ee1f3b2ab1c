package lab

import (
	"bytes"

	"zimoscope/backend/requestview/wire"
)

// asSystem gives a carrier under the role system.
func (p *parts) asSystem(id int32) int32 {
	key := formKey{id, "system"}
	if made, ok := p.forms[key]; ok {
		return made
	}
	x := p.list[id]
	made := id
	if first := p.pieces.Get(x.pieces[0]).Text; bytes.HasPrefix(first, opening) {
		texts := [][]byte{bytes.Replace(first, userRole, systemRole, 1)}
		for _, piece := range x.pieces[1:] {
			texts = append(texts, p.pieces.Get(piece).Text)
		}
		made = p.split(roleSystem, texts...)
	} else if text := p.text(id); bytes.Contains(text, userRole) {
		text = bytes.Replace(text, userRole, systemRole, 1)
		made = p.add(text, x.kind, wire.Leaf(x.kind, text), blockEnds(text, x.kind))
	}
	p.forms[key] = made
	return made
}

// dated gives the system value with a time at the front of its text; what follows is one piece whatever the time.
func (p *parts) dated(system []int32, clock string) int32 {
	id := none
	if len(system) > 0 {
		id = system[0]
	}
	key := formKey{id, "dated " + clock}
	if made, ok := p.forms[key]; ok {
		return made
	}
	line := "The time is " + clock + `.\n`
	text, k, at := []byte(`{"role":"system","content":""}`), wire.KindMessage, len(`{"role":"system","content":"`)
	if id != none {
		text, k = p.text(id), p.list[id].kind
		at = textStart(text, k)
	}
	made := id
	if at >= 0 {
		first := append(bytes.Clone(text[:at]), line...)
		made = p.split(roleSystem, first, text[at:])
		p.list[made].kind = k
	}
	p.forms[key] = made
	return made
}

// textStart is the offset behind the opening quote of the first text of a message or system value; -1 without one.
func textStart(raw []byte, k wire.Kind) int {
	value, at := raw, 0
	if k == wire.KindMessage {
		value, at = memberOf(raw, "content")
	}
	if len(value) > 0 && value[0] == '"' {
		return at + 1
	}
	list, at := contentOf(raw, k)
	start := -1
	if list == nil {
		return start
	}
	_ = wire.Elements(list, func(from, to int) error {
		if text, off := memberOf(list[from:to], "text"); start < 0 && len(text) > 0 && text[0] == '"' {
			start = at + from + off + 1
		}
		return nil
	})
	return start
}

// unsealed gives an operation record without its Summary; any other part is itself.
func (p *parts) unsealed(id int32) int32 {
	if x := p.list[id]; !x.record || x.pending {
		return id
	}
	return p.form(id, "unsealed", func(text []byte) []byte {
		audit := bytes.Index(text, recordAudit)
		at := audit + bytes.Index(text[audit:], recordSealed)
		closer := closers[1]
		if bytes.HasSuffix(text, []byte(closers[0])) {
			closer = closers[0]
		}
		out := append(bytes.Clone(text[:at]), closer...)
		if !wire.IsValue(out) {
			return nil
		}
		return out
	})
}

// maskedText stands in place of an old result.
const maskedText = `"(an old result, left out)"`

// masked gives a tool's result without its content; what can't be masked is itself.
func (p *parts) masked(id int32) int32 {
	return p.form(id, "masked", func(text []byte) []byte {
		name := "content"
		value, at := memberOf(text, name)
		if value == nil {
			value, at = memberOf(text, "output")
		}
		if list, _ := contentOf(text, wire.KindMessage); list != nil && isResult(text) {
			return maskedResults(text, list, at)
		}
		if len(value) <= len(maskedText) {
			return nil
		}
		return replaced(text, at, at+len(value))
	})
}

func replaced(text []byte, from, to int) []byte {
	out := append(bytes.Clone(text[:from]), maskedText...)
	return append(out, text[to:]...)
}

// maskedResults masks the results inside a user message, from the last one on so that offsets hold.
func maskedResults(text, list []byte, at int) []byte {
	var spans [][2]int
	_ = wire.Elements(list, func(start, end int) error {
		if kind, _ := wire.String(wire.Get(list[start:end], "type")); kind == "tool_result" {
			if value, off := memberOf(list[start:end], "content"); len(value) > len(maskedText) {
				spans = append(spans, [2]int{at + start + off, at + start + off + len(value)})
			}
		}
		return nil
	})
	for i := len(spans) - 1; i >= 0; i-- {
		text = replaced(text, spans[i][0], spans[i][1])
	}
	if len(spans) == 0 {
		return nil
	}
	return text
}
