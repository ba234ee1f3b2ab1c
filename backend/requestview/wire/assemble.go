package wire

import (
	"bytes"
	"fmt"
	"strings"
	"unsafe"
)

// Head is the frozen start of every body of a session: model, stream, parameters and tools, up to the bracket
// that opens messages. It is immutable.
type Head struct {
	raw   []byte
	model Part
	tools Region
	last  Hash // link before the first message
	rest  Hash
}

// Param is one member between model and tools, with its raw JSON value.
type Param struct {
	Name string
	Raw  []byte
}

// bodyEnd closes messages and the body.
const bodyEnd = "]}"

// NewHead writes the fixed key order: model, parameters as given, tools (left out when there are none), messages.
// The tools are raw JSON values, used as they are. It fails when a value is not JSON.
func NewHead(model string, params []Param, tools [][]byte) (*Head, error) {
	b := AppendQuoted([]byte(`{"model":`), model)
	for _, p := range params {
		b = append(AppendQuoted(append(b, ','), p.Name), ':')
		b = append(b, p.Raw...)
	}
	if len(tools) > 0 {
		b = append(b, `,"tools":[`...)
		b = append(b, bytes.Join(tools, []byte{','})...)
		b = append(b, ']')
	}
	b = append(b, `,"messages":[`...)
	whole := append(b[:len(b):len(b)], bodyEnd...)
	body, err := Scan(whole)
	if err != nil {
		return nil, fmt.Errorf("the parameters or tools of this session are not valid JSON: %w", err)
	}
	h := &Head{raw: b, model: body.Model, tools: body.Tools, rest: body.Rest, last: body.Last()}
	if h.tools.Len() != len(tools) {
		return nil, fmt.Errorf("%d tools were given, their JSON holds %d values", len(tools), h.tools.Len())
	}
	return h, nil
}

// Raw is the bytes of the head.
func (h *Head) Raw() []byte { return h.raw }

// Link is the link before the first message.
func (h *Head) Link() Hash { return h.last }

// Log is the frozen run of messages: comma-joined bytes that only grow, with leaf and link of each. Slices that
// were handed out stay valid and unchanged when it grows.
type Log struct {
	buf   []byte
	parts []Part
	link  Hash
	hs    hasher
}

// NewLog starts a run whose first message follows the given link.
func NewLog(after Hash) *Log { return &Log{link: after} }

// Append freezes one message: exactly one JSON value, without white space around it, as IsValue says. Whoever appends
// has checked that, so that the places of parts never need to be looked for again.
func (l *Log) Append(msg []byte) Part {
	if len(l.parts) > 0 {
		l.buf = append(l.buf, ',')
	}
	p := Part{Start: len(l.buf), Leaf: l.hs.leaf(KindMessage, msg)}
	l.buf = append(l.buf, msg...)
	p.End = len(l.buf)
	l.link = NextLink(l.link, p.Leaf)
	p.Link = l.link
	l.parts = append(l.parts, p)
	return p
}

// Len counts the messages.
func (l *Log) Len() int { return len(l.parts) }

// Size is the length in bytes, commas included.
func (l *Log) Size() int { return len(l.buf) }

// Message gives message i as frozen.
func (l *Log) Message(i int) []byte {
	p := l.parts[i]
	return l.buf[p.Start:p.End:p.End]
}

// Assemble makes the body of head, the first n messages of the log, then the loose ones: one copy of each byte,
// hashes only for what is loose.
func Assemble(h *Head, l *Log, n int, loose [][]byte) *Body {
	frozen := []byte(nil)
	link := h.last
	if n > 0 {
		end := l.parts[n-1].End
		frozen, link = l.buf[:end:end], l.parts[n-1].Link
	}
	size := len(h.raw) + len(frozen) + len(bodyEnd)
	for _, m := range loose {
		size += len(m) + 1
	}
	b := &Body{Model: h.model, Tools: h.tools, Rest: h.rest}
	var raw strings.Builder // its memory is not cleared first: that would cost as much as the copy
	raw.Grow(size)
	raw.Write(h.raw)
	raw.Write(frozen)
	b.segments = append(make([][]byte, 0, 3+2*len(loose)), h.raw, frozen)
	b.Messages = Region{At: len(h.raw), own: make([]Part, 0, len(loose))}
	if n > 0 {
		b.Messages.frozen = l.parts[:n:n]
	}
	var hs hasher
	for i, m := range loose {
		if n+i > 0 {
			raw.Write(comma)
			b.segments = append(b.segments, comma)
		}
		p := Part{Start: raw.Len() - len(h.raw), Leaf: hs.leaf(KindMessage, m)}
		raw.Write(m)
		p.End = raw.Len() - len(h.raw)
		link = NextLink(link, p.Leaf)
		p.Link = link
		b.Messages.own = append(b.Messages.own, p)
		b.segments = append(b.segments, m)
	}
	b.Messages.end = raw.Len()
	raw.WriteString(bodyEnd)
	text := raw.String()
	b.Raw = unsafe.Slice(unsafe.StringData(text), len(text)) // read-only from here on, as every Body is
	b.segments = append(b.segments, []byte(bodyEnd))
	return b
}

var comma = []byte{','}
