package lab

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// step is one recorded request in its parts.
type step struct {
	at       int64
	side     bool
	thread   string
	model    int32
	tools    []int32
	system   []int32 // a value of its own, or the first message
	history  []int32 // messages behind the system message, whole, without the request-only tail
	carrier  int32   // the tail as a message of its own, none when there is no tail
	sent     []int32 // messages behind the system message as they were sent
	marks    []mark
	skeleton skeleton

	elsewhere bool // the history before it is kept by the provider: nothing can be said of it
	explicit  bool // its sender places every mark: one without marks asks for no cache
	retry     bool
	key       wire.Hash // equal for requests that ask the same
}

const none = int32(-1)

// mark is a mark that was sent: behind which piece of which part.
type mark struct {
	kind        wire.Kind
	part, piece int
}

// recording is a session in its parts.
type recording struct {
	*parts
	steps   []step
	last    *wire.Body
	lastIDs []int32 // of all messages of last
	lastOwn []mark
}

func newRecording(c cachemodel.Counter) *recording { return &recording{parts: newParts(c)} }

// take adds the next request.
func (r *recording) take(q *verdict.Request, about Request) {
	s := r.step(q, about)
	if n := len(s.sent); n > 0 {
		r.cut(&s, q, n)
	}
	r.steps = append(r.steps, s)
}

// step reads a request as it was sent.
func (r *recording) step(q *verdict.Request, about Request) step {
	b := q.Body
	s := step{at: about.SentAt, side: q.IsSide(), thread: q.Thread, model: r.sent(b, wire.KindModel, 0).id, carrier: none, skeleton: skeletonOf(b),
		retry: about.Retry, key: askedBy(b)}
	if q.Meta != nil {
		s.thread = q.Meta.Thread
	}
	s.elsewhere, s.explicit = s.skeleton.elsewhere(), about.Explicit && !s.skeleton.has("cache_control")
	for i := range b.Tools.Len() {
		s.tools = append(s.tools, s.note(r.sent(b, wire.KindTool, i), wire.KindTool, i))
	}
	for i := range b.System.Len() {
		s.system = append(s.system, s.note(r.sent(b, wire.KindSystem, i), wire.KindSystem, i))
	}
	ids, marks := r.messages(b)
	s.marks = append(s.marks, marks...)
	first := 0
	if len(s.system) == 0 && verdict.HasSystem(b) {
		s.system, first = ids[:1:1], 1
	}
	s.sent = ids[first:len(ids):len(ids)]
	s.history = s.sent
	return s
}

// askedBy is equal for requests of equal parts and parameters.
func askedBy(b *wire.Body) wire.Hash {
	link := b.Model.Link
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem, wire.KindMessage} {
		if r := b.Region(k); r.Len() > 0 {
			link = r.Part(r.Len() - 1).Link
		}
	}
	return wire.NextLink(link, b.Rest)
}

func (s *step) note(p sentPart, k wire.Kind, i int) int32 {
	for _, piece := range p.marks {
		s.marks = append(s.marks, mark{k, i, piece})
	}
	return p.id
}

// messages interns the messages of a body; those it shares with the body before are not looked at again.
func (r *recording) messages(b *wire.Body) (ids []int32, marks []mark) {
	same := 0
	if r.last != nil {
		same = wire.SharedMessages(r.last, b)
	}
	ids = append(make([]int32, 0, b.Messages.Len()), r.lastIDs[:same]...)
	for _, m := range r.lastOwn {
		if m.part < same {
			marks = append(marks, m)
		}
	}
	for i := same; i < b.Messages.Len(); i++ {
		p := r.sent(b, wire.KindMessage, i)
		ids = append(ids, p.id)
		for _, piece := range p.marks {
			marks = append(marks, mark{wire.KindMessage, i, piece})
		}
	}
	r.last, r.lastIDs, r.lastOwn = b, ids, marks
	return ids, marks
}

// Closers of a text at the end of a message.
var closers = []string{`"}]}`, `"}`}

// cut takes the request-only tail off the last message, for strategies that put it elsewhere.
func (r *recording) cut(s *step, q *verdict.Request, n int) {
	b := q.Body
	from, to := b.Range(wire.KindMessage, b.Messages.Len()-1)
	at := -1
	switch {
	case q.Meta != nil && q.Meta.TailOffset >= from && q.Meta.TailOffset < to:
		at = q.Meta.TailOffset
	case q.Meta == nil && verdict.TailMessages(b) > 0:
		at = from
	}
	if at < 0 {
		return
	}
	s.history = s.sent[: n-1 : n-1]
	if at == from {
		s.carrier = s.sent[n-1]
		return
	}
	raw := bytes.Clone(b.Raw[from:to])
	before, tail := raw[:at-from], raw[at-from:]
	for _, closer := range closers {
		whole := append(bytes.Clone(before), closer...)
		if !bytes.HasSuffix(tail, []byte(closer)) || !wire.IsValue(whole) {
			continue
		}
		text := r.read(whole, wire.KindMessage, wire.Leaf(wire.KindMessage, whole)).id
		s.history = append(s.history, text)
		inside := `"content":"`
		if closer == closers[0] {
			inside = `"content":[{"type":"text","text":"`
		}
		s.carrier = r.split(roleUser, slices.Concat(opening, []byte(inside)), tail)
		return
	}
	s.history = s.sent // a tail that can't be taken off stays where it is
}

// skeleton is what of a body stands between its regions, for writing a body anew.
type skeleton struct {
	between [][]byte    // literal bytes, one more than regions
	regions []wire.Kind // in the order of the body
}

func skeletonOf(b *wire.Body) skeleton {
	type span struct {
		k        wire.Kind
		from, to int
	}
	var spans []span
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem, wire.KindMessage} {
		if n := b.Region(k).Len(); n > 0 {
			from, _ := b.Range(k, 0)
			_, to := b.Range(k, n-1)
			spans = append(spans, span{k, from, to})
		}
	}
	for i := range spans { // at most three
		for j := i; j > 0 && spans[j].from < spans[j-1].from; j-- {
			spans[j], spans[j-1] = spans[j-1], spans[j]
		}
	}
	var s skeleton
	at := 0
	for _, x := range spans {
		s.between = append(s.between, bytes.Clone(b.Raw[at:x.from]))
		s.regions = append(s.regions, x.k)
		at = x.to
	}
	s.between = append(s.between, bytes.Clone(b.Raw[at:]))
	return s
}

// Members of a request that say that its provider holds the history before it.
var heldByProvider = []string{"previous_response_id", "conversation"}

func (s *skeleton) elsewhere() bool {
	return slices.ContainsFunc(heldByProvider, s.has)
}

// has says that a member stands beside the parts, with a value.
func (s *skeleton) has(name string) bool {
	if !slices.ContainsFunc(s.between, func(b []byte) bool { return bytes.Contains(b, []byte(`"`+name+`"`)) }) {
		return false
	}
	value := wire.Get(bytes.Join(s.between, []byte("null")), name)
	return len(value) > 0 && !bytes.Equal(value, []byte("null"))
}

// minute stands between requests whose time is not known, where a strategy writes a clock into the prompt.
const minute = int64(time.Minute / time.Millisecond)

// clock is the time of a request for strategies that show it to the model.
func (r *recording) clock(i int) string {
	at := r.steps[i].at
	if at == 0 {
		at = int64(i) * minute
	}
	return time.UnixMilli(at).UTC().Format(time.RFC3339)
}

// record reads all requests of an input.
func record(ctx context.Context, in Input, c cachemodel.Counter, tell func(done, of int)) (*recording, error) {
	r := newRecording(c)
	for i := range in.Requests {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q, err := in.Body(i)
		if err != nil {
			return nil, fmt.Errorf("request %d can't be read: %w", in.Requests[i].N, err)
		}
		r.take(q, in.Requests[i])
		tell(i+1, len(in.Requests))
	}
	return r, nil
}
