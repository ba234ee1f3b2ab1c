package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"zimoscope/app/api"
	"zimoscope/app/predict"
	"zimoscope/app/stored"
	"zimoscope/backend/agent"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

// book is what is known of the open session's requests. Records in it are copies, replaced whole.
type book struct {
	sess *store.Session

	users  sync.WaitGroup // who reads sess for longer; it is closed after they are done
	mu     sync.Mutex
	ledger                               // the records, and what the timeline shows of them
	names  map[string]transcript.ToolDef // by function name
	bodies *bodies
	live   liveText
	asked  map[int]bool       // requests that were shown before they were predicted
	more   chan struct{}      // a record was put since it was looked at
	stop   context.CancelFunc // ends what works on the open session beside; nil before it does

	unanswered bool // the last turn has no answer and can be tried again; under the service's lock, of when no turn runs

	touched atomic.Int64 // when somebody asked for something last, in milliseconds
}

// openBook reads what is known of a session. recall gives what was predicted of it before; nil when there is nothing.
func openBook(sess *store.Session, recall func(id string, recs []*agent.Record) []predict.Forecast) (*book, error) {
	b := &book{sess: sess, bodies: newBodies(), asked: map[int]bool{}, more: make(chan struct{}, 1)}
	var known transcript.Opened
	var unread error
	var reading sync.WaitGroup
	if sess.Info().Foreign == "" { // another agent's transcript is not known
		reading.Go(func() {
			unread = safely(func() (err error) { known, err = opening(sess); return err })
		})
	}
	recs, err := stored.Records(sess)
	reading.Wait()
	if err := errors.Join(err, unread); err != nil {
		return nil, err
	}
	b.unanswered = known.TurnOpen && len(known.Prompts) > 0
	b.offer(known.Header)
	var ahead *sight
	if sess.Info().Foreign != "" {
		ahead = newSight(recall(sess.ID, recs))
	}
	b.ledger = newLedger(recs, known.Prompts, ahead)
	return b, nil
}

func opening(sess *store.Session) (transcript.Opened, error) {
	events, err := sess.Events()
	if err != nil {
		return transcript.Opened{}, err
	}
	o, err := transcript.Opening(events)
	if err != nil {
		return o, fmt.Errorf("this session's transcript can't be read: %w", err)
	}
	return o, nil
}

// replays says whether the stored transcript of our own agent fits together, which opening does not look at.
func (b *book) replays() error {
	if b.sess.Info().Foreign != "" {
		return nil
	}
	events, err := b.sess.Events()
	if err != nil {
		return err
	}
	if _, err := transcript.Replay(events); err != nil {
		return fmt.Errorf("this session's transcript can't be read: %w", err)
	}
	return nil
}

func (b *book) offer(h transcript.Header) {
	b.names = map[string]transcript.ToolDef{}
	for _, t := range h.Tools {
		b.names[t.Function] = t
	}
}

// length is how many requests there are, the staged one not counted.
func (b *book) length() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.lines)
}

// judgeLast holds the last main request to the redlines once more: what holds is not stored, it follows from the bytes.
// Of a session that went on meanwhile, the newer request's own are kept.
func (b *book) judgeLast() error {
	b.mu.Lock()
	var rec *agent.Record
	for i := len(b.lines) - 1; i >= 0 && rec == nil; i-- {
		if r := b.lines[i].rec; r.Meta.Kind != verdict.KindSide && r.Meta.Kind != record.KindOther {
			rec = r
		}
	}
	known := len(b.lines)
	b.mu.Unlock()
	if rec == nil {
		return nil
	}
	body, err := b.body(rec.N)
	if err != nil {
		return err
	}
	if err := stored.Unaltered(body, rec); err != nil {
		return err
	}
	redlines := verdict.NewChecker().Add(rec.Request(body)).Redlines
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines) == known {
		b.last = redlines
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
	if n >= 1 && n <= len(b.lines) {
		return b.lines[n-1].rec, nil
	}
	if b.staged != nil && n == b.staged.rec.N {
		return b.staged.rec, nil
	}
	return nil, fmt.Errorf("request %d: %w", n, api.ErrNotFound)
}

// put replaces or appends a copy of a record.
func (b *book) put(r *agent.Record) {
	c := *r
	b.mu.Lock()
	defer b.mu.Unlock()
	c.View = nil // its body is the agent's; who asks for it reads the stored one
	b.enter(&c)
	select {
	case b.more <- struct{}{}:
	default: // it is told already
	}
}

// stage notes a request that waits. Its body is stored nowhere yet, and the agent's memory is used again.
func (b *book) stage(r *agent.Record) {
	c := *r
	if c.View != nil {
		view := *c.View
		view.Body = view.Body.Clone()
		c.View = &view
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hold(&c)
}

func (b *book) unstage() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop()
}

// end stops what works beside, and waits for those who read.
func (b *book) end() {
	if b.stop != nil {
		b.stop()
	}
	b.users.Wait()
}

// body gives the bytes of request n in their parts.
func (b *book) body(n int) (*wire.Body, error) {
	rec, err := b.record(n)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	staged := b.staged
	b.mu.Unlock()
	switch {
	case staged != nil && n == staged.rec.N && staged.rec.View != nil:
		return staged.rec.View.Body, nil
	case rec.Meta.Kind == record.KindOther:
		return nil, fmt.Errorf("request %d: %w", n, errNotCompared)
	}
	return b.bodies.get(n, func(near []*store.Scanned) (held, error) {
		x, err := b.sess.Scan(n, near...)
		if err != nil {
			return held{}, fmt.Errorf("request %d in the store can't be read: %w", n, err)
		}
		return held{x, rec.Foreign.Sent(x.Body)}, nil
	})
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
	return rec.Request(body), rec, nil
}

// newest gives the last record, the staged one when there is one; nil when there is none.
func (b *book) newest() *agent.Record {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.staged != nil:
		return b.staged.rec
	case len(b.lines) > 0:
		return b.lines[len(b.lines)-1].rec
	}
	return nil
}

// isOperation says whether a public tool name is a ZimoOS one.
func isOperation(name string) bool {
	return len(name) > len(zimoosPrefix) && name[:len(zimoosPrefix)] == zimoosPrefix
}

const zimoosPrefix = "zimoos."
