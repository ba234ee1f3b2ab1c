package verdict

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"zimoscope/backend/requestview/wire"
)

// What a request is in its thread.
const (
	KindMain  = "main"
	KindSide  = "side"  // a leaf: compared with its predecessor, never a predecessor itself
	KindRetry = "retry" // another attempt to send the same bytes
)

// What an announcement is about.
const (
	AnnounceWindow = "window"
	AnnounceTools  = "tools"
	AnnounceModel  = "model"
	AnnounceSystem = "system"
)

// Meta is what the sender knew about a request when it was sent; in a capture it lies beside the body.
type Meta struct {
	BodySHA256    wire.Hash      `json:"body_sha256"`
	Thread        string         `json:"thread"`
	Kind          string         `json:"kind"`
	Predecessor   int            `json:"predecessor"`           // number of the request it follows, from 1; 0 for none
	TailOffset    int            `json:"tail_offset"`           // byte of the body where the request-only tail starts; -1 for none
	FrameApart    bool           `json:"frame_apart,omitempty"` // the frame came from no call of the model: read by hand, or anew after a resume
	Announcements []Announcement `json:"announcements,omitempty"`
}

// Announcement is a planned change, stored before the request is sent. It covers exactly what it names.
type Announcement struct {
	Kind string    `json:"kind"`
	From int       `json:"from,omitempty"` // window: messages[From:To) of the predecessor left
	To   int       `json:"to,omitempty"`
	Leaf wire.Hash `json:"leaf,omitzero"` // model, system: the new leaf; tools: the link after the last tool
}

// Request is one body with what is known about it. Without a Meta it is foreign: nobody told where its tail starts.
type Request struct {
	Body   *wire.Body
	Meta   *Meta
	Name   string // for people: a file name, or a request of a session
	Number int    // place in its capture or session, from 1; what Meta.Predecessor names. 0 when unknown

	// Of a foreign request: what its content told. Nobody announced it.
	Thread  string // the conversation it was found to belong to; "" when it was not looked for
	Side    bool   // nothing goes on from it
	Follows int    // number of the request it goes on from; 0 when not known
}

// IsSide says that nothing goes on from the request.
func (r *Request) IsSide() bool {
	if r.Meta != nil {
		return r.Meta.Kind == KindSide
	}
	return r.Side
}

// ErrTail is wrapped by CheckTail: the sidecar and the body don't belong together.
var ErrTail = errors.New("the tail offset is impossible for this body")

// CheckTail says whether the place that Meta names can be the start of a tail: between two characters of the last
// message, where what stands before it is a whole message once its brackets are closed.
func CheckTail(r *Request) error {
	if r.Meta == nil {
		return nil
	}
	_, err := splitTail(r)
	return err
}

// view is a request cut into its regions. The message range [sys, hist) is history; partial, if any, is the part of
// message hist that stands before the tail and belongs to history too.
type view struct {
	req     *Request
	body    *wire.Body
	sys     int // 1 when messages[0] is the system message, which belongs to the prefix
	hist    int
	partial *elem
	tail    int // offset of the tail in the body, -1 for none
	foreign bool
	problem error // a tail offset that can't be
	numbers []int // of the request and of further attempts to send it
}

func newView(r *Request) *view {
	v := &view{req: r, body: r.Body, foreign: r.Meta == nil, hist: r.Body.Messages.Len(), tail: -1, numbers: []int{r.Number}}
	if v.hist > 0 && isSystem(roleOf(r.Body.Bytes(wire.KindMessage, 0))) {
		v.sys = 1
	}
	if v.foreign {
		v.foreignTail()
		return v
	}
	cut, err := splitTail(r)
	if err != nil {
		v.problem = err
		return v
	}
	if cut.at >= 0 {
		v.tail, v.hist, v.partial = cut.at, v.hist-1, cut.partial
	}
	v.sys = min(v.sys, v.hist)
	return v
}

// foreignTail takes the whole last message for the tail when it is a user message that holds a block.
func (v *view) foreignTail() {
	if v.hist == 0 {
		return
	}
	last := v.body.Bytes(wire.KindMessage, v.hist-1)
	if roleOf(last) == "user" && strings.Contains(strings.ToLower(textOf(last)), "<zimoos") {
		v.hist--
		v.tail, _ = v.body.Range(wire.KindMessage, v.hist)
		v.sys = min(v.sys, v.hist)
	}
}

// TailMessages counts the messages at the end of a foreign body that hold a live block and are no history: 0 or 1.
func TailMessages(b *wire.Body) int {
	v := newView(&Request{Body: b})
	return b.Messages.Len() - v.hist
}

// HasSystem says that messages[0] is the system message, which belongs to the prefix.
func HasSystem(b *wire.Body) bool {
	return b.Messages.Len() > 0 && isSystem(roleOf(b.Bytes(wire.KindMessage, 0)))
}

// TextOf is the decoded text that a model reads in a message: content, be it a string or a list of text parts.
func TextOf(msg []byte) string { return textOf(msg) }

type tailCut struct {
	at      int
	partial *elem
}

func splitTail(r *Request) (tailCut, error) {
	n, at := r.Body.Messages.Len(), r.Meta.TailOffset
	if at == -1 || at == len(r.Body.Raw) {
		return tailCut{at: -1}, nil
	}
	if n == 0 {
		return tailCut{}, fmt.Errorf("%w: offset %d, but there is no message", ErrTail, at)
	}
	from, to := r.Body.Range(wire.KindMessage, n-1)
	if at < from || at >= to {
		return tailCut{}, fmt.Errorf("%w: offset %d lies outside the last message (%d to %d)", ErrTail, at, from, to)
	}
	if at == from {
		return tailCut{at: at}, nil
	}
	pre := r.Body.Raw[from:at:at]
	closed, ok := closeJSON(pre)
	if !ok {
		return tailCut{}, fmt.Errorf("%w: byte %d is not between two characters of a text", ErrTail, at)
	}
	e := &elem{index: n - 1, raw: pre, whole: closed, partial: true, leaf: wire.Leaf(wire.KindMessage, closed)}
	return tailCut{at: at, partial: e}, nil
}

// closeJSON completes the start of a JSON object: it ends the string that is open and closes the brackets.
func closeJSON(pre []byte) ([]byte, bool) {
	var open []byte
	inString := false
	for i := 0; i < len(pre); i++ {
		switch c := pre[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case c == '}' || c == ']':
			if len(open) == 0 {
				return nil, false
			}
			open = open[:len(open)-1]
		}
	}
	out := bytes.Clone(pre)
	if inString {
		out = append(out, '"')
	}
	for i := len(open) - 1; i >= 0; i-- {
		out = append(out, open[i])
	}
	start, end, err := wire.Skip(out, 0)
	return out, err == nil && start == 0 && end == len(out) && len(open) > 0
}

// tailText is the decoded text of the tail, from its first byte to the end of the message.
func (v *view) tailText() string {
	if v.tail < 0 {
		return ""
	}
	last := v.body.Messages.Len() - 1
	from, to := v.body.Range(wire.KindMessage, last)
	if v.partial == nil {
		return textOf(v.body.Raw[from:to])
	}
	whole := textOf(v.body.Raw[from:to])
	before := textOf(v.partial.whole)
	return strings.TrimPrefix(whole, before)
}
