package wire

import (
	"errors"
	"fmt"
)

// ErrJoin is wrapped by Join and Value: the pieces are not what stands around and between the messages of one body. Scan
// of the joined bytes says what they are.
var ErrJoin = errors.New("these pieces are not messages of one body")

// messageDepth is how deep a message stands in its body.
const messageDepth = 2

// Value is one message whose bytes were looked at: one JSON value, and its leaf.
type Value struct {
	raw  []byte
	leaf Hash
}

// NewValue looks at a message. The bytes are kept, not copied.
func NewValue(raw []byte) (Value, error) {
	if end, err := skipValue(raw, 0, messageDepth); err != nil || end != len(raw) {
		return Value{}, fmt.Errorf("%w: a message is not one JSON value", ErrJoin)
	}
	return Value{raw, Leaf(KindMessage, raw)}, nil
}

// Run is messages that follow each other in a body to join: some of another body, with what stands between them, or one
// value.
type Run struct {
	Gap         []byte // what stands before the run; not used at the start of the list
	Of          *Body  // nil for one value
	From, Count int    // messages of Of
	Value       Value
}

func (r *Run) bytes() []byte {
	if r.Of == nil {
		return r.Value.raw
	}
	start, _ := r.Of.Range(KindMessage, r.From)
	_, end := r.Of.Range(KindMessage, r.From+r.Count-1)
	return r.Of.Raw[start:end]
}

// Around is what stands around the messages of a body: a body with the same bytes before the first and behind the last.
type Around struct {
	like       *Body
	head, tail []byte
}

// AroundOf takes it from a body that has a list of messages.
func AroundOf(b *Body) (Around, error) {
	if at := b.Messages.At; b.Messages.Len() == 0 || b.Raw[at-1] != '[' {
		return Around{}, fmt.Errorf("%w: it has no list of messages", ErrJoin)
	}
	from, _ := b.Range(KindMessage, 0)
	_, to := b.Range(KindMessage, b.Messages.Len()-1)
	return Around{b, b.Raw[:from], b.Raw[to:]}, nil
}

// NewAround reads it from the bytes before the first message and behind the last: together they are a body without
// messages, whose list is open where they meet.
func NewAround(head, tail []byte) (Around, error) {
	whole := append(append(make([]byte, 0, len(head)+len(tail)), head...), tail...)
	b, err := Scan(whole)
	if err != nil {
		return Around{}, fmt.Errorf("%w: %w", ErrJoin, err)
	}
	if r := &b.Messages; r.At == 0 || r.Len() > 0 || len(head) < r.At || len(head) > r.end {
		return Around{}, fmt.Errorf("%w: no list of messages is open", ErrJoin)
	}
	return Around{b, whole[:len(head)], whole[len(head):]}, nil
}

// Join puts a body together without looking again for what is known: the same body that Scan gives of the same bytes. It
// copies the bytes once; links are computed from the first message on that doesn't follow the same link in its run's body.
// There must be a run, and each run has a message.
func Join(a Around, runs []Run) (*Body, error) {
	size, count := len(a.head)+len(a.tail), 0
	for i := range runs {
		size, count = size+len(runs[i].Gap)+len(runs[i].bytes()), count+max(1, runs[i].Count)
	}
	j := joiner{at: a.like.Messages.At, raw: append(uncleared(size), a.head...), parts: make([]Part, 0, count), link: a.like.linkBefore(0)}
	for i := range runs {
		if i > 0 {
			if !isGap(runs[i].Gap) {
				return nil, fmt.Errorf("%w: something else than a comma stands between two of them", ErrJoin)
			}
			j.raw = append(j.raw, runs[i].Gap...)
		}
		j.add(&runs[i])
	}
	j.raw = append(j.raw, a.tail...)
	return a.around(j.raw[:len(j.raw):len(j.raw)], j.parts), nil
}

// joiner is a body that is being put together.
type joiner struct {
	raw   []byte
	at    int // where the messages' region starts
	parts []Part
	link  Hash
}

func (j *joiner) add(r *Run) {
	start := len(j.raw) - j.at
	j.raw = append(j.raw, r.bytes()...)
	if r.Of == nil {
		j.link = NextLink(j.link, r.Value.leaf)
		j.parts = append(j.parts, Part{Start: start, End: len(j.raw) - j.at, Leaf: r.Value.leaf, Link: j.link})
		return
	}
	shift := start - r.Of.Messages.Part(r.From).Start
	linked := r.Of.linkBefore(r.From) == j.link
	for i := r.From; i < r.From+r.Count; i++ {
		p := r.Of.Messages.Part(i)
		p.Start, p.End = p.Start+shift, p.End+shift
		if !linked {
			p.Link = NextLink(j.link, p.Leaf)
		}
		j.link = p.Link
		j.parts = append(j.parts, p)
	}
}

// linkBefore is the link that message i follows.
func (b *Body) linkBefore(i int) Hash {
	switch {
	case i > 0:
		return b.Messages.Part(i - 1).Link
	case b.System.Len() > 0:
		return b.System.Part(b.System.Len() - 1).Link
	case b.Tools.Len() > 0:
		return b.Tools.Part(b.Tools.Len() - 1).Link
	}
	return b.Model.Link
}

// around gives the body with other messages in it. What stands behind them moves.
func (a Around) around(raw []byte, parts []Part) *Body {
	was := a.like
	shift := len(raw) - len(was.Raw)
	moved := func(at int) int {
		if at >= was.Messages.end {
			return at + shift
		}
		return at
	}
	b := &Body{Raw: raw, Model: was.Model, Tools: was.Tools, System: was.System, Rest: was.Rest}
	b.Model.Start, b.Model.End = moved(was.Model.Start), moved(was.Model.End)
	b.Tools.At, b.Tools.end = moved(was.Tools.At), moved(was.Tools.end)
	b.System.At, b.System.end = moved(was.System.At), moved(was.System.end)
	b.Messages = Region{At: was.Messages.At, end: was.Messages.end + shift, own: parts}
	return b
}

// isGap says that one comma stands there, and white space at most.
func isGap(b []byte) bool {
	i := skipSpace(b, 0)
	return i < len(b) && b[i] == ',' && skipSpace(b, i+1) == len(b)
}
