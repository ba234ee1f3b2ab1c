package service

import (
	"fmt"
	"sync"

	"zimoscope/app/api"
	"zimoscope/app/stored"
	"zimoscope/backend/agent"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

// keptBodies is how many scanned bodies are kept at hand: the shown one, its base, and the two before.
const keptBodies = 4

// book is what is known of the open session's requests. Records in it are copies, replaced whole.
type book struct {
	sess *store.Session

	mu       sync.Mutex
	recs     []*agent.Record // of request 1, 2, …
	staged   *agent.Record
	prompts  []string
	names    map[string]transcript.ToolDef // by function name
	redlines []verdict.Redline             // of the last main request
	bodies   map[int]*wire.Body
	order    []int // of bodies, oldest first
	live     liveText
}

func openBook(sess *store.Session) (*book, error) {
	recs, err := stored.Records(sess)
	if err != nil {
		return nil, err
	}
	events, err := sess.Events()
	if err != nil {
		return nil, err
	}
	t, err := transcript.Replay(events)
	if err != nil {
		return nil, fmt.Errorf("this session's transcript can't be read: %w", err)
	}
	b := &book{sess: sess, recs: recs, prompts: t.Prompts(), bodies: map[int]*wire.Body{}}
	b.offer(t.Header())
	return b, b.judgeLast()
}

func (b *book) offer(h transcript.Header) {
	b.names = map[string]transcript.ToolDef{}
	for _, t := range h.Tools {
		b.names[t.Function] = t
	}
}

// judgeLast holds the last main request to the redlines once more: what holds is not stored, it follows from the bytes.
func (b *book) judgeLast() error {
	for i := len(b.recs) - 1; i >= 0; i-- {
		if b.recs[i].Meta.Kind == verdict.KindSide {
			continue
		}
		r, err := stored.Request(b.sess, b.recs[i])
		if err != nil {
			return err
		}
		b.redlines = verdict.NewChecker().Add(r).Redlines
		return nil
	}
	return nil
}

// public gives the public name of a function and its server.
func (b *book) public(function string) (name, server string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t, ok := b.names[function]; ok {
		return t.Name, t.Server
	}
	return function, ""
}

// record gives what is known of request n; the staged one has the number that it will get.
func (b *book) record(n int) (*agent.Record, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n >= 1 && n <= len(b.recs) {
		return b.recs[n-1], nil
	}
	if b.staged != nil && n == b.staged.N {
		return b.staged, nil
	}
	return nil, fmt.Errorf("request %d: %w", n, api.ErrNotFound)
}

// put replaces or appends a copy of a record.
func (b *book) put(r *agent.Record) {
	c := *r
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.View != nil {
		b.keep(c.N, c.View.Body)
	}
	c.View = nil
	if c.Meta.Kind != verdict.KindSide && len(c.Redlines) > 0 {
		b.redlines = c.Redlines
	}
	b.staged = nil
	switch {
	case c.N <= len(b.recs):
		b.recs[c.N-1] = &c
	case c.N == len(b.recs)+1:
		b.recs = append(b.recs, &c)
	}
}

func (b *book) stage(r *agent.Record) {
	c := *r
	b.mu.Lock()
	defer b.mu.Unlock()
	b.staged = &c
}

func (b *book) unstage() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.staged = nil
}

func (b *book) keep(n int, body *wire.Body) {
	if _, ok := b.bodies[n]; !ok {
		b.order = append(b.order, n)
	}
	b.bodies[n] = body
	if len(b.order) > keptBodies {
		delete(b.bodies, b.order[0])
		b.order = b.order[1:]
	}
}

// body gives the bytes of request n in their parts.
func (b *book) body(n int) (*wire.Body, error) {
	b.mu.Lock()
	if b.staged != nil && n == b.staged.N && b.staged.View != nil {
		defer b.mu.Unlock()
		return b.staged.View.Body, nil
	}
	body := b.bodies[n]
	b.mu.Unlock()
	if body != nil {
		return body, nil
	}
	raw, err := b.sess.Body(n)
	if err != nil {
		return nil, err
	}
	if body, err = wire.Scan(raw); err != nil {
		return nil, fmt.Errorf("request %d in the store is damaged: %w", n, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keep(n, body)
	return body, nil
}

// request gives a request for comparing.
func (b *book) request(n int) (*verdict.Request, *agent.Record, error) {
	rec, err := b.record(n)
	if err != nil {
		return nil, nil, err
	}
	body, err := b.body(n)
	if err != nil {
		return nil, nil, err
	}
	return &verdict.Request{Body: body, Meta: &rec.Meta, Number: n}, rec, nil
}

// all gives the records, the staged one last.
func (b *book) all() (list []*agent.Record, prompts []string, redlines []verdict.Redline) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list = append(list, b.recs...)
	if b.staged != nil {
		list = append(list, b.staged)
	}
	return list, b.prompts, b.redlines
}

// isOperation says whether a public tool name is a ZimoOS one.
func isOperation(name string) bool {
	return len(name) > len(zimoosPrefix) && name[:len(zimoosPrefix)] == zimoosPrefix
}

const zimoosPrefix = "zimoos."
