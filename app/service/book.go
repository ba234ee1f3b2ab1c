package service

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"zimoscope/app/api"
	"zimoscope/app/stored"
	"zimoscope/backend/agent"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

const (
	// keptBodies is how many scanned bodies are kept at hand at least: the shown one, its base, and those beside them.
	keptBodies = 6
	// keptBytes is up to how many bytes of bodies are kept beyond that.
	keptBytes = 64 << 20
	// readAhead is the size of a body, in bytes, from which those beside it are read before anybody asks.
	readAhead = 256 << 10
)

// book is what is known of the open session's requests. Records in it are copies, replaced whole.
type book struct {
	sess *store.Session

	users  sync.WaitGroup // who reads sess for longer; it is closed after they are done
	mu     sync.Mutex
	ledger                               // the records, and what the timeline shows of them
	names  map[string]transcript.ToolDef // by function name
	bodies map[int]*wire.Body
	order  []int                 // of bodies, oldest first
	held   int                   // bytes of bodies
	coming map[int]chan struct{} // bodies that are being read; closed when they are there, or can't be
	ahead  bool                  // bodies are read that nobody asked for yet
	ending bool                  // nothing is begun any more
	live   liveText
}

func openBook(sess *store.Session) (*book, error) {
	b := &book{sess: sess, bodies: map[int]*wire.Body{}, coming: map[int]chan struct{}{}}
	var t *transcript.Transcript
	var told error
	var reading sync.WaitGroup
	if sess.Info().Foreign == "" { // another agent's transcript is not known
		reading.Go(func() { t, told = replayed(sess) })
	}
	recs, err := stored.Records(sess)
	reading.Wait()
	if err := errors.Join(err, told); err != nil {
		return nil, err
	}
	var prompts []string
	if t != nil {
		prompts = t.Prompts()
		b.offer(t.Header())
	}
	b.ledger = newLedger(recs, prompts)
	return b, nil
}

func replayed(sess *store.Session) (*transcript.Transcript, error) {
	events, err := sess.Events()
	if err != nil {
		return nil, err
	}
	t, err := transcript.Replay(events)
	if err != nil {
		return nil, fmt.Errorf("this session's transcript can't be read: %w", err)
	}
	return t, nil
}

func (b *book) offer(h transcript.Header) {
	b.names = map[string]transcript.ToolDef{}
	for _, t := range h.Tools {
		b.names[t.Function] = t
	}
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

func (b *book) keep(n int, body *wire.Body) {
	if old, ok := b.bodies[n]; ok {
		b.held -= len(old.Raw)
		b.order = slices.DeleteFunc(b.order, func(k int) bool { return k == n })
	}
	b.order = append(b.order, n)
	b.bodies[n], b.held = body, b.held+len(body.Raw)
	for len(b.order) > keptBodies && b.held > keptBytes {
		b.held -= len(b.bodies[b.order[0]].Raw)
		delete(b.bodies, b.order[0])
		b.order = b.order[1:]
	}
}

// end waits for those who read, and lets nobody begin.
func (b *book) end() {
	b.mu.Lock()
	b.ending = true
	b.mu.Unlock()
	b.users.Wait()
}

// expect reads what a person comes to from request n by one step, when that takes long enough to be felt: the next
// request, and the one that the predecessor is compared with.
func (b *book) expect(n, size int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if size < readAhead || b.ahead || b.ending {
		return
	}
	b.ahead = true
	b.users.Go(func() {
		for _, k := range []int{n + 1, n - 2} {
			_, _ = b.body(k) // whoever asks for it is told what is wrong
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.ahead = false
	})
}

// body gives the bytes of request n in their parts.
func (b *book) body(n int) (*wire.Body, error) {
	b.mu.Lock()
	if b.staged != nil && n == b.staged.rec.N && b.staged.rec.View != nil {
		defer b.mu.Unlock()
		return b.staged.rec.View.Body, nil
	}
	body := b.bodies[n]
	if body != nil {
		b.keep(n, body) // the newest of those that are kept
	}
	b.mu.Unlock()
	if body != nil {
		return body, nil
	}
	rec, err := b.record(n)
	if err != nil {
		return nil, err
	}
	if rec.Meta.Kind == record.KindOther {
		return nil, fmt.Errorf("request %d: %w", n, errNotCompared)
	}
	return b.read(n, rec)
}

// read takes a body from the store; whoever wants it meanwhile waits for the one reading.
func (b *book) read(n int, rec *agent.Record) (*wire.Body, error) {
	b.mu.Lock()
	if other := b.coming[n]; other != nil {
		b.mu.Unlock()
		<-other
		b.mu.Lock()
		if body := b.bodies[n]; body != nil {
			b.mu.Unlock()
			return body, nil
		}
	}
	done := make(chan struct{})
	b.coming[n] = done
	b.mu.Unlock()
	raw, err := b.sess.Body(n)
	var body *wire.Body
	if err == nil {
		if body, err = scan(raw, rec); err != nil {
			err = fmt.Errorf("request %d in the store is damaged: %w", n, err)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.keep(n, body)
	}
	if b.coming[n] == done {
		delete(b.coming, n)
	}
	close(done)
	return body, err
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
