package recorder

import (
	"zimoscope/backend/record"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

// maxKept bounds the bodies held for comparing, in bytes. What has to go is read from the store when it is asked for.
const maxKept = 192 << 20

// threads holds, for each conversation, the request that the next one is likely to go on from.
type threads struct {
	sess  *store.Session
	flush func() error // stores what is waiting, so that it can be read
	list  map[string]*thread
	clock int
	bytes int
}

type thread struct {
	checker *verdict.Checker
	last    *verdict.Request
	stored  *wire.Body // its body without secrets
	used    int
}

func newThreads(s *store.Session) *threads { return &threads{sess: s, list: map[string]*thread{}} }

// judge compares a request with its predecessor. The checker of a thread goes on when the predecessor is the request it
// saw last; else one starts at the predecessor.
func (t *threads) judge(req *verdict.Request, name string, predecessor int) (verdict.Result, *verdict.Request) {
	th := t.at(name, predecessor)
	var prev *verdict.Request
	if th.last != nil && th.last.Number == predecessor {
		prev = th.last
	}
	return th.checker.Add(req), prev
}

// at gives the state of a thread with the predecessor as its last request.
func (t *threads) at(name string, predecessor int) *thread {
	t.clock++
	th := t.list[name]
	if th == nil || th.last == nil || th.last.Number != predecessor {
		if th != nil && th.last != nil {
			t.bytes -= len(th.last.Body.Raw)
		}
		th = &thread{checker: verdict.NewChecker()}
		if prev := t.find(predecessor); prev != nil {
			th.last, th.stored = prev.last, prev.stored
			th.checker.Add(prev.last)
			t.bytes += len(prev.last.Body.Raw)
		}
		t.list[name] = th
	}
	th.used = t.clock
	return th
}

// find gives a request that some thread holds, else the stored one. nil when there is none.
func (t *threads) find(n int) *thread {
	if n == 0 {
		return nil
	}
	for _, th := range t.list {
		if th.last != nil && th.last.Number == n {
			return th
		}
	}
	if t.flush() != nil {
		return nil // the same error meets the exchange itself
	}
	raw, err := t.sess.Body(n)
	if err != nil {
		return nil
	}
	body, err := wire.Scan(raw)
	if err != nil {
		return nil
	}
	f, err := t.sess.Facts(n)
	if err != nil {
		return nil
	}
	rec, err := record.Of(f)
	if err != nil {
		return nil
	}
	return &thread{last: rec.Request(rec.Foreign.Sent(body)), stored: body}
}

// keep notes the request as its thread's last one. A leaf or another attempt changes nothing: the next request goes on
// from what was before.
func (t *threads) keep(name string, req *verdict.Request, stored *wire.Body, attempt bool) {
	th := t.list[name]
	if th == nil || req.IsSide() || attempt {
		return
	}
	if th.last != nil {
		t.bytes -= len(th.last.Body.Raw)
	}
	th.last, th.stored = req, stored
	t.bytes += len(req.Body.Raw)
	for t.bytes > maxKept && len(t.list) > 1 {
		t.forget(name)
	}
}

// forget lets go of the thread that was idle for longest.
func (t *threads) forget(except string) {
	oldest := ""
	for name, th := range t.list {
		if name != except && (oldest == "" || th.used < t.list[oldest].used) {
			oldest = name
		}
	}
	if th := t.list[oldest]; th != nil && th.last != nil {
		t.bytes -= len(th.last.Body.Raw)
	}
	delete(t.list, oldest)
}

// base gives the stored body that a request goes on from, for the store's recipe.
func (t *threads) base(name string) (n int, body *wire.Body) {
	if th := t.list[name]; th != nil && th.last != nil && th.stored != nil {
		return th.last.Number, th.stored
	}
	return 0, nil
}

// sizesOf measures a request against the one it goes on from.
func sizesOf(prev, req *verdict.Request) (z record.Sizes, carrier requestview.Carrier) {
	b := req.Body
	z = record.Sizes{Bytes: len(b.Raw), Prefix: len(b.Raw)}
	n := b.Messages.Len()
	if n == 0 {
		return z, requestview.NoCarrier
	}
	from, _ := b.Range(wire.KindMessage, 0)
	_, end := b.Range(wire.KindMessage, n-1)
	if verdict.HasSystem(b) {
		_, from = b.Range(wire.KindMessage, 0)
	}
	tail := end
	if verdict.TailMessages(b) > 0 {
		tail, _ = b.Range(wire.KindMessage, n-1)
		carrier = requestview.OwnMessage
	}
	equal := from
	if prev != nil {
		if k := wire.SharedMessages(prev.Body, b); k > 0 {
			_, equal = b.Range(wire.KindMessage, k-1)
		}
	}
	equal = max(from, min(equal, tail))
	z.Prefix, z.Equal, z.New, z.Tail = from, equal-from, max(0, tail-equal), len(b.Raw)-max(from, tail)
	return z, carrier
}
