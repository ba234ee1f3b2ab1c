package wire

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
)

// Part is one JSON value of a body. Start and End count in the region of its kind (between the brackets of its
// array), so that a frozen message keeps its Part from one request to the next.
type Part struct {
	Start, End int
	Leaf, Link Hash
}

// Region is a run of parts of one kind: a shared frozen run, then parts that belong to this body alone.
type Region struct {
	At     int // offset in the body of the byte behind the opening bracket; 0 when the body has no such array
	end    int // offset of the closing bracket
	frozen []Part
	own    []Part
}

// Len counts the parts.
func (r *Region) Len() int { return len(r.frozen) + len(r.own) }

// Part gives part i, from 0.
func (r *Region) Part(i int) Part {
	if i < len(r.frozen) {
		return r.frozen[i]
	}
	return r.own[i-len(r.frozen)]
}

// Body is one request body in its parts. It is immutable.
type Body struct {
	Raw      []byte
	Model    Part   // Start and End count in Raw; both 0 when the body names no model
	Tools    Region // in chain order, as all regions
	System   Region // at most one part: system or instructions outside messages
	Messages Region
	Rest     Hash
	segments [][]byte // the frozen pieces Raw was copied from; nil for a scanned body
}

// Bytes gives the raw JSON value of a part.
func (b *Body) Bytes(k Kind, i int) []byte {
	from, to := b.Range(k, i)
	return b.Raw[from:to]
}

// Range gives the offsets of a part in Raw.
func (b *Body) Range(k Kind, i int) (from, to int) {
	if k == KindModel {
		return b.Model.Start, b.Model.End
	}
	r := b.Region(k)
	p := r.Part(i)
	return r.At + p.Start, r.At + p.End
}

// Region gives the parts of a kind; the model is not in a region.
func (b *Body) Region(k Kind) *Region {
	switch k {
	case KindTool:
		return &b.Tools
	case KindSystem:
		return &b.System
	case KindMessage:
		return &b.Messages
	}
	return &Region{}
}

// Last is the link of the whole chain.
func (b *Body) Last() Hash {
	for _, k := range []Kind{KindMessage, KindSystem, KindTool} {
		if r := b.Region(k); r.Len() > 0 {
			return r.Part(r.Len() - 1).Link
		}
	}
	return b.Model.Link
}

// Refusals of Scan. Each is wrapped with the place.
var (
	ErrNotObject   = errors.New("not one JSON object")
	ErrBOM         = errors.New("it starts with a byte order mark, which no provider accepts: save it as UTF-8 without BOM")
	ErrTrailing    = errors.New("there are bytes behind the JSON object")
	ErrDuplicate   = errors.New("a member stands there twice, so nobody can tell which one a provider reads")
	ErrNoMessages  = errors.New("messages is missing: this is not the body of a chat request")
	ErrNotMessages = errors.New("messages is not an array")
)

// Scan reads a raw body into its parts and computes chain and rest. The body is kept, not copied.
func Scan(raw []byte) (*Body, error) {
	lay, err := layout(raw)
	if err != nil {
		return nil, err
	}
	b := &Body{Raw: raw, Model: Part{Start: lay.model.start, End: lay.model.end}}
	b.Tools = Region{At: lay.tools.start, end: lay.tools.end, own: lay.toolParts}
	b.System = Region{At: lay.system.start, end: lay.system.end, own: lay.systemParts}
	b.Messages = Region{At: lay.messages.start, end: lay.messages.end, own: lay.messageParts}
	b.hash(&lay)
	return b, nil
}

type span struct{ start, end int }

type shape struct {
	model, tools, system, messages       span
	toolParts, systemParts, messageParts []Part
}

func layout(raw []byte) (shape, error) {
	var s shape
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		return s, fmt.Errorf("byte 0: %w", ErrBOM)
	}
	i := skipSpace(raw, 0)
	if i >= len(raw) || raw[i] != '{' {
		return s, fmt.Errorf("byte %d: %w", i, ErrNotObject)
	}
	l := layer{raw: raw, seen: map[string]bool{}}
	end, err := walkObject(raw, i, 0, nil, l.member)
	if err != nil {
		return s, err
	}
	if e := skipSpace(raw, end); e != len(raw) {
		return s, fmt.Errorf("byte %d: %w", e, ErrTrailing)
	}
	switch {
	case l.seen["messages"]:
	case l.seen["input"]:
		l.messages, l.messageParts = l.input, l.inputParts
	default:
		return s, fmt.Errorf("byte %d: %w", i, ErrNoMessages)
	}
	return l.shape, nil
}

// layer notes the parts of a body while it is scanned, once.
type layer struct {
	raw []byte
	shape
	seen       map[string]bool
	input      span
	inputParts []Part
}

// member takes over the members that hold parts.
func (l *layer) member(m Member) (end int, took bool, err error) {
	switch m.Name {
	case "model", "tools", "messages", "system", "instructions", "input":
		if l.seen[m.Name] {
			return m.KeyStart, true, fmt.Errorf("byte %d: %q: %w", m.KeyStart, m.Name, ErrDuplicate)
		}
		l.seen[m.Name] = true
	default:
		return 0, false, nil
	}
	isArray := m.Start < len(l.raw) && l.raw[m.Start] == '['
	switch {
	case m.Name == "messages" && !isArray:
		return m.Start, true, fmt.Errorf("byte %d: %w", m.Start, ErrNotMessages)
	case m.Name == "tools" && !isArray: // a tools value that is no array stays in rest
		return 0, false, nil
	case isArray && m.Name != "model" && m.Name != "system" && m.Name != "instructions":
		return l.array(m)
	}
	if end, err = skipValue(l.raw, m.Start, 1); err != nil {
		return end, true, err
	}
	whole, one := span{m.Start, end}, []Part{{Start: 0, End: end - m.Start}}
	switch m.Name {
	case "model":
		l.model = whole
	case "input": // the shape that may name one string where others have a list
		l.input, l.inputParts = whole, one
	default:
		l.system, l.systemParts = whole, one
	}
	return end, true, nil
}

// array notes each element; offsets count from behind the bracket.
func (l *layer) array(m Member) (end int, took bool, err error) {
	in := m.Start + 1
	var parts []Part
	end, err = skipArray(l.raw, m.Start, 1, func(start, end int) error {
		parts = append(parts, Part{Start: start - in, End: end - in})
		return nil
	})
	if err != nil {
		return end, true, err
	}
	where := span{in, end - 1}
	switch m.Name {
	case "tools":
		l.tools, l.toolParts = where, parts
	case "messages":
		l.messages, l.messageParts = where, parts
	default:
		l.input, l.inputParts = where, parts
	}
	return end, true, nil
}

func (b *Body) hash(lay *shape) {
	hashLeaves(b)
	var hs hasher
	b.Model.Leaf = hs.leaf(KindModel, b.modelValue())
	b.Model.Link = FirstLink(b.Model.Leaf)
	link := b.Model.Link
	for _, k := range []Kind{KindTool, KindSystem, KindMessage} {
		own := b.Region(k).own
		for i := range own {
			link = NextLink(link, own[i].Leaf)
			own[i].Link = link
		}
	}
	b.Rest = restLeaf(b.Raw, lay.model, lay.tools, lay.system, lay.messages)
}

// WithLeaves gives a body with the same bytes whose chain takes other leaves where leaf names one: hashes of bytes that
// are no longer there.
func (b *Body) WithLeaves(leaf func(k Kind, i int) (Hash, bool)) *Body {
	out := *b
	if h, ok := leaf(KindModel, 0); ok {
		out.Model.Leaf = h
	}
	out.Model.Link = FirstLink(out.Model.Leaf)
	link := out.Model.Link
	for _, k := range []Kind{KindTool, KindSystem, KindMessage} {
		r := out.Region(k)
		own := make([]Part, r.Len())
		for i := range own {
			own[i] = r.Part(i)
			if h, ok := leaf(k, i); ok {
				own[i].Leaf = h
			}
			link = NextLink(link, own[i].Leaf)
			own[i].Link = link
		}
		r.frozen, r.own = nil, own
	}
	return &out
}

func (b *Body) modelValue() []byte {
	if b.Model.End == 0 {
		return []byte("null")
	}
	return b.Raw[b.Model.Start:b.Model.End]
}

// restLeaf hashes the body with each excised span replaced by one 0x00. Absent spans are empty at 0.
func restLeaf(raw []byte, spans ...span) Hash {
	cut := slices.DeleteFunc(slices.Clone(spans), func(s span) bool { return s.start == 0 })
	slices.SortFunc(cut, func(a, b span) int { return a.start - b.start })
	var hs hasher
	hs.start(KindRest)
	at := 0
	for _, s := range cut {
		hs.write(raw[at:s.start])
		hs.write([]byte{0})
		at = s.end
	}
	hs.write(raw[at:])
	return hs.sum()
}

// SharedMessages counts the messages that two bodies share from the start, by binary search over their links: links
// are equal exactly where everything up to there is.
func SharedMessages(a, b *Body) int {
	n := min(a.Messages.Len(), b.Messages.Len())
	return sort.Search(n, func(i int) bool { return a.Messages.Part(i).Link != b.Messages.Part(i).Link })
}
