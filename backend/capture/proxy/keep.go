package proxy

import (
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"zimoscope/backend/safely"
)

const (
	// maxRequestBytes is how much of one request body is kept, in bytes.
	maxRequestBytes = 128 << 20
	// maxResponseBytes is how much of one response body is kept, in bytes.
	maxResponseBytes = 128 << 20
	// maxKeptBytes is how much all exchanges together keep that the sink has not taken yet, in bytes.
	maxKeptBytes = 1 << 30
	// previewBytes is how much is kept of each body that is listed but not compared, in bytes.
	previewBytes = 4 << 10

	// firstBlock and lastBlock are the sizes between which the blocks of a kept body grow, in bytes.
	firstBlock = 4 << 10
	lastBlock  = 256 << 10
)

// budget is what all kept bodies share.
type budget struct{ left int64 }

func (b *budget) take(n int) bool {
	if atomic.AddInt64(&b.left, -int64(n)) >= 0 {
		return true
	}
	b.give(n)
	return false
}

func (b *budget) give(n int) { atomic.AddInt64(&b.left, int64(n)) }

// keeper holds the beginning of a body in blocks, so that what was kept is never moved while traffic waits.
type keeper struct {
	limit  int
	budget *budget
	expect int64 // bytes that were announced; not trusted beyond one block
	blocks [][]byte
	taken  int // from the budget
	n      int // kept
	cut    bool
}

// add keeps a copy of p as far as it fits; after the first byte that didn't, nothing more is kept.
func (k *keeper) add(p []byte) {
	if k.cut {
		return
	}
	if room := k.limit - k.n; len(p) > room {
		p, k.cut = p[:room], true
	}
	for len(p) > 0 {
		last := len(k.blocks) - 1
		if last < 0 || len(k.blocks[last]) == cap(k.blocks[last]) {
			size := min(max(firstBlock, int64(k.n), k.expect-int64(k.n)), lastBlock)
			if !k.budget.take(int(size)) {
				k.cut = true
				return
			}
			k.taken += int(size)
			k.blocks = append(k.blocks, make([]byte, 0, size))
			last++
		}
		b := k.blocks[last]
		m := min(cap(b)-len(b), len(p))
		k.blocks[last] = append(b, p[:m]...)
		k.n += m
		p = p[m:]
	}
}

// readAt copies kept bytes from at on; at must lie before the end.
func (k *keeper) readAt(p []byte, at int) int {
	for _, b := range k.blocks {
		if at < len(b) {
			return copy(p, b[at:])
		}
		at -= len(b)
	}
	return 0
}

// join gives what was kept as one slice and lets the blocks go.
func (k *keeper) join() []byte {
	if len(k.blocks) == 1 {
		return k.blocks[0]
	}
	all := slices.Concat(k.blocks...)
	k.blocks = nil
	return all
}

// release gives back the budget, once nobody holds the bytes any more.
func (k *keeper) release() {
	k.budget.give(k.taken)
	k.taken, k.blocks = 0, nil
}

// What reading a request body can end in, beside what the client's connection says.
var (
	errBodyClosed = errors.New("the response has ended")
	errNotKept    = errors.New("the request is too large to be sent a second time")
)

// source is the client's request body. What is read of it is kept, and may be read again from there when the transport
// finds that the connection it chose was dead.
type source struct {
	body io.Reader

	reading sync.Mutex // held while the client is waited for

	mu     sync.Mutex // guards what follows; never held while waiting
	kept   keeper
	total  int   // read from the client
	err    error // that reading ended with; io.EOF when the body is whole
	closed bool
}

// reader starts at the beginning.
func (s *source) reader() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept.n < s.total {
		return nil, errNotKept
	}
	return &sourceReader{s: s}, nil
}

// known is what reading at a place gives without the client; ok is false when the client must be asked.
func (s *source) known(p []byte, at int) (n int, err error, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return 0, errBodyClosed, true
	case at < s.kept.n:
		return s.kept.readAt(p, at), nil, true
	case at < s.total:
		return 0, errNotKept, true
	case s.err != nil:
		return 0, s.err, true
	}
	return 0, nil, false
}

// took notes what the client sent.
func (s *source) took(p []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.total += len(p)
	s.kept.add(p)
	s.err = err
}

// close ends reading without waiting for a read that is under way: nothing is kept from then on. It gives what reading
// ended with, nil when the body was not read to its end.
func (s *source) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.err
}

// failure is what the client's side of the body broke with, nil when it didn't.
func (s *source) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

type sourceReader struct {
	s  *source
	at int
}

// Read runs in a goroutine of the transport.
func (r *sourceReader) Read(p []byte) (n int, err error) {
	err = safely.Do(func() (err error) { n, err = r.read(p); return err })
	return n, err
}

func (r *sourceReader) read(p []byte) (int, error) {
	if n, err, ok := r.s.known(p, r.at); ok {
		r.at += n
		return n, err
	}
	r.s.reading.Lock()
	defer r.s.reading.Unlock()
	// Another reader may have gone on while this one waited.
	if n, err, ok := r.s.known(p, r.at); ok {
		r.at += n
		return n, err
	}
	n, err := r.s.body.Read(p)
	r.s.took(p[:n], err)
	r.at += n
	return n, err
}

// Close leaves the client's body alone: the server ends it after the handler.
func (r *sourceReader) Close() error { return nil }
