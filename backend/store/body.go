package store

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	bolt "go.etcd.io/bbolt"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/safely/together"
	"zimoscope/backend/transcript"
)

const (
	// readShare is how many messages are read by one goroutine at least: fewer don't pay for waking a second core.
	readShare = 512
	// lookFrom is how many messages behind the common start are looked for in a body that was read before; fewer are
	// read sooner than a table of that body is made.
	lookFrom = 256
)

// Body reassembles a stored request: the same bytes that were sent.
func (s *Session) Body(n int) (body []byte, err error) {
	defer guard(&err)
	a, err := s.gather(n, nil)
	if err != nil {
		return nil, err
	}
	return a.joined(), nil
}

// Scanned is a stored request in its parts, with where they lie in its session, so that another one is read from what
// both have in common.
type Scanned struct {
	N    int
	Body *wire.Body
	plan plan // without refs where the messages are not those of the pieces

	once  sync.Once
	index map[ref]int32 // messages by where they lie
}

// Size is about how many bytes of memory it holds.
func (x *Scanned) Size() int {
	const part, where = 80, 16 // of a message: its part, its ref
	return len(x.Body.Raw) + x.Body.Messages.Len()*(part+where)
}

// Scan gives a stored request in its parts: what wire.Scan gives of its bytes. What it has in common with one of near,
// requests of this session that were read before, is taken from there; the rest is read, in the order in which it lies.
func (s *Session) Scan(n int, near ...*Scanned) (x *Scanned, err error) {
	defer guard(&err)
	a, err := s.gather(n, near)
	if err != nil {
		return nil, err
	}
	x = &Scanned{N: n, plan: a.plan}
	if x.Body, err = a.join(); err != nil { // it was stored as it came, or does not fit together: it is looked at whole
		x.plan = plan{}
		x.Body, err = wire.Scan(a.joined())
	}
	return x, err
}

// gathered is a request with all that it is put together from.
type gathered struct {
	plan
	like       *Scanned // what messages are taken from, nil for none
	from       []int32  // for each ref: which message of like, or -1-k where that is message k of those read
	messages   []message
	head, tail []byte
	gaps       map[int32][]byte // by part, where not one comma stands
	size       atomic.Int64     // bytes of the body, as far as they are known
	most       int64            // bytes that it may have
}

// grow counts bytes of the body. A recipe can name the same message many times: what a body may be is bounded as a value is.
func (a *gathered) grow(n int) error {
	if a.size.Add(int64(n)) > a.most {
		return fmt.Errorf("%w (a request larger than %d MiB)", ErrDamaged, a.most>>20)
	}
	return nil
}

// message is one that was read.
type message struct {
	raw   []byte
	value wire.Value
	err   error // raw is not one value
}

func (s *Session) gather(n int, near []*Scanned) (*gathered, error) {
	a := &gathered{gaps: map[int32][]byte{}, most: s.maxBody}
	err := s.db.View(func(tx *bolt.Tx) (err error) {
		if a.plan, err = s.plan(tx, n); err != nil {
			return err
		}
		a.choose(near)
		if a.head, err = s.part(tx, a.plan.head); err != nil {
			return err
		}
		if a.tail, err = s.part(tx, a.plan.end); err != nil {
			return err
		}
		return s.between(tx, a)
	})
	if err != nil {
		return nil, err
	}
	return a, s.readAll(a)
}

// between reads what stands between the messages, and counts that and what is taken over.
func (s *Session) between(tx *bolt.Tx, a *gathered) (err error) {
	size, counted := len(a.head)+len(a.tail), 0
	for counted < len(a.from) && a.from[counted] == int32(counted) { // the start in common, in one piece
		counted++
	}
	if counted > 0 {
		_, to := a.like.Body.Range(wire.KindMessage, counted-1)
		size += to
	}
	for i, r := range a.refs {
		if r.gap != 0 && a.gaps[r.gap] == nil {
			if a.gaps[r.gap], err = s.part(tx, int(r.gap)); err != nil {
				return err
			}
		}
		if i < counted {
			continue
		}
		size += len(a.gap(i))
		if k := a.from[i]; k >= 0 {
			from, to := a.like.Body.Range(wire.KindMessage, int(k))
			size += to - from
		}
	}
	return a.grow(size)
}

// choose takes the one of near that has the longest start in common with the plan, and looks what else is in it.
func (a *gathered) choose(near []*Scanned) {
	shared := 0
	for _, x := range near {
		if x.Body.Messages.Len() != len(x.plan.refs) {
			continue
		}
		k, most := 0, min(len(x.plan.refs), len(a.refs))
		for k < most && x.plan.refs[k] == a.refs[k] {
			k++
		}
		if a.like == nil || k > shared {
			a.like, shared = x, k
		}
	}
	a.from = make([]int32, len(a.refs))
	var table map[ref]int32
	if a.like != nil && len(a.refs)-shared >= lookFrom {
		table = a.like.table()
	}
	read := int32(0)
	for i := range a.from {
		k, ok := int32(i), i < shared
		if !ok && table != nil {
			k, ok = table[a.refs[i]]
		}
		if !ok {
			read++
			k = -read
		}
		a.from[i] = k
	}
	a.messages = make([]message, read)
}

// table gives its messages by where they lie.
func (x *Scanned) table() map[ref]int32 {
	x.once.Do(func() {
		x.index = make(map[ref]int32, len(x.plan.refs))
		for i, r := range x.plan.refs {
			x.index[r] = int32(i)
		}
	})
	return x.index
}

// readAll reads the messages that are not taken over, on all cores where they are many.
func (s *Session) readAll(a *gathered) error {
	todo := make([]ref, 0, len(a.messages))
	for i, k := range a.from {
		if k < 0 {
			todo = append(todo, a.refs[i])
		}
	}
	workers := max(1, min(runtime.GOMAXPROCS(0), len(todo)/readShare))
	if workers == 1 {
		return s.readSome(a, todo, a.messages)
	}
	errs := make([]error, workers)
	var all together.Group
	for w := range workers {
		all.Run(func() {
			defer guard(&errs[w])
			from, to := w*len(todo)/workers, (w+1)*len(todo)/workers
			errs[w] = s.readSome(a, todo[from:to], a.messages[from:to])
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) readSome(a *gathered, todo []ref, out []message) error {
	if len(todo) == 0 {
		return nil
	}
	return s.db.View(func(tx *bolt.Tx) (err error) {
		r := s.reader(tx)
		for i, at := range todo {
			m := &out[i]
			if m.raw, err = r.read(at); err != nil {
				return err
			}
			if err = a.grow(len(m.raw)); err != nil {
				return err
			}
			m.value, m.err = wire.NewValue(m.raw)
		}
		return nil
	})
}

// join puts the body together without looking again for what is known.
func (a *gathered) join() (*wire.Body, error) {
	if len(a.refs) == 0 {
		return nil, wire.ErrJoin
	}
	around, err := a.around()
	if err != nil {
		return nil, err
	}
	var runs []wire.Run
	for i := 0; i < len(a.refs); {
		r := wire.Run{Gap: a.gap(i), Count: 1}
		if k := a.from[i]; k < 0 {
			m := &a.messages[-1-k]
			if m.err != nil {
				return nil, m.err
			}
			r.Value = m.value
		} else {
			r.Of, r.From = a.like.Body, int(a.from[i])
			for i+r.Count < len(a.refs) && int(a.from[i+r.Count]) == r.From+r.Count {
				r.Count++
			}
		}
		runs = append(runs, r)
		i += r.Count
	}
	return wire.Join(around, runs)
}

func (a *gathered) around() (wire.Around, error) {
	if a.like != nil && a.like.plan.head == a.plan.head && a.like.plan.end == a.plan.end {
		return wire.AroundOf(a.like.Body)
	}
	return wire.NewAround(a.head, a.tail)
}

// joined gives the bytes alone.
func (a *gathered) joined() []byte {
	list := [][]byte{a.head}
	for i, k := range a.from {
		if i > 0 {
			list = append(list, a.gap(i))
		}
		if k < 0 {
			list = append(list, a.messages[-1-k].raw)
		} else {
			list = append(list, a.like.Body.Bytes(wire.KindMessage, int(k)))
		}
	}
	return slices.Concat(append(list, a.tail)...)
}

// gap gives what stands before message i.
func (a *gathered) gap(i int) []byte {
	if n := a.refs[i].gap; n != 0 {
		return a.gaps[n]
	}
	return comma
}

// reader reads messages in one transaction. Those that lie one behind the other cost no search each.
type reader struct {
	codec         *codec
	events, parts *sequence
}

func (s *Session) reader(tx *bolt.Tx) *reader {
	return &reader{s.codec, &sequence{c: tx.Bucket(bEvents).Cursor()}, &sequence{c: tx.Bucket(bParts).Cursor()}}
}

// sequence reads values by number.
type sequence struct {
	c  *bolt.Cursor
	at int // the number at which the cursor stands, 0 for nowhere
}

func (q *sequence) get(n int) []byte {
	var k, v []byte
	if q.at > 0 && n == q.at+1 {
		k, v = q.c.Next()
	} else {
		k, v = q.c.Seek(key(n))
	}
	if q.at = n; bytes.Equal(k, key(n)) {
		return v
	}
	q.at = 0
	return nil
}

func (r *reader) read(at ref) ([]byte, error) {
	if at.kind == piecePart {
		return r.codec.unpack(r.parts.get(int(at.a)))
	}
	appended, err := r.payload(int(at.a))
	if err != nil || at.kind == pieceEvent {
		return appended, err
	}
	seal, err := r.payload(int(at.b))
	if err != nil {
		return nil, err
	}
	return transcript.SealedBytes(appended, seal), nil
}

func (r *reader) payload(event int) ([]byte, error) {
	raw, err := r.codec.unpack(r.events.get(event))
	if err != nil {
		return nil, err
	}
	return transcript.PayloadOf(raw)
}

func (s *Session) part(tx *bolt.Tx, id int) ([]byte, error) {
	v := tx.Bucket(bParts).Get(key(id))
	if v == nil {
		return nil, fmt.Errorf("%w (part %d is missing)", ErrDamaged, id)
	}
	return s.codec.unpack(v)
}
