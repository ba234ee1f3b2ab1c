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
	return new(Buffer).Assemble(h, l, n, loose)
}

// Buffer is memory for bodies that are made one after the other. What the next body has in common with the last one
// in it, the head and frozen messages, is not copied again. A body lives in its buffer until the next is made there:
// whoever needs it for longer clones it.
type Buffer struct {
	raw  []byte
	head *Head
	log  *Log
	n    int // messages of the log at the start of raw
}

// slack is the share of a body's size that a buffer is made larger, so that a growing session seldom asks for more.
const slack = 8

// Assemble makes a body in the buffer.
func (buf *Buffer) Assemble(h *Head, l *Log, n int, loose [][]byte) *Body {
	var frozen []byte
	link := h.last
	if n > 0 {
		end := l.parts[n-1].End
		frozen, link = l.buf[:end:end], l.parts[n-1].Link
	}
	raw := buf.start(h, l, n, frozen, loose)
	b := &Body{Model: h.model, Tools: h.tools, Rest: h.rest}
	b.segments = append(make([][]byte, 0, 3+2*len(loose)), h.raw, frozen)
	b.Messages = Region{At: len(h.raw), own: make([]Part, 0, len(loose))}
	if n > 0 {
		b.Messages.frozen = l.parts[:n:n]
	}
	var hs hasher
	for i, m := range loose {
		if n+i > 0 {
			raw = append(raw, comma...)
			b.segments = append(b.segments, comma)
		}
		p := Part{Start: len(raw) - len(h.raw), Leaf: hs.leaf(KindMessage, m)}
		raw = append(raw, m...)
		p.End = len(raw) - len(h.raw)
		link = NextLink(link, p.Leaf)
		p.Link = link
		b.Messages.own = append(b.Messages.own, p)
		b.segments = append(b.segments, m)
	}
	b.Messages.end = len(raw)
	raw = append(raw, bodyEnd...)
	b.segments = append(b.segments, []byte(bodyEnd))
	b.Raw, buf.raw = raw[:len(raw):len(raw)], raw
	return b
}

// start gives the bytes of head and frozen messages, with room for the rest behind them.
func (buf *Buffer) start(h *Head, l *Log, n int, frozen []byte, loose [][]byte) []byte {
	size := len(h.raw) + len(frozen) + len(bodyEnd)
	for _, m := range loose {
		size += len(m) + 1
	}
	keep := 0
	switch {
	case size > cap(buf.raw):
		room := size
		if buf.raw != nil {
			room += size / slack
		}
		buf.raw = uncleared(room)
	case buf.head == h && buf.log == l && min(n, buf.n) > 0:
		keep = l.parts[min(n, buf.n)-1].End
	}
	buf.head, buf.log, buf.n = h, l, n
	if keep == 0 {
		return append(append(buf.raw[:0], h.raw...), frozen...)
	}
	return append(buf.raw[:len(h.raw)+keep], frozen[keep:]...)
}

// uncleared is memory that is not set to zero first: that would cost as much as the copy into it.
func uncleared(size int) []byte {
	var b strings.Builder
	b.Grow(size)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), b.Cap())[:0]
}

// Clone gives the body memory of its own.
func (b *Body) Clone() *Body {
	out := *b
	out.Raw, out.segments = bytes.Clone(b.Raw), nil
	return &out
}

var comma = []byte{','}
