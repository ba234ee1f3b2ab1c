package service

import (
	"slices"
	"sync"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

const (
	// keptBodies is how many bodies are kept at hand at least: the shown one, its base, and those beside them.
	keptBodies = 6
	// keptBytes is up to how many bytes of memory bodies are kept beyond that.
	keptBytes = 64 << 20
	// nearBodies is how many of the newest a body is read beside: they are compared with it, message by message.
	nearBodies = 6
)

// bodies are stored requests that were read, so that the next one costs only what it has for itself. The one with the
// most messages is kept longest: whatever is chosen next, it is likely to stand in there. They never change.
type bodies struct {
	mu     sync.Mutex
	list   map[int]held
	order  []int // of list, oldest first
	bytes  int   // of memory
	widest int
	coming map[int]chan struct{} // what is being read; closed when it is there, or can't be
}

// held is a body as it is stored, and as it was sent: parts that held a secret have the hashes of what was sent.
type held struct {
	stored *store.Scanned
	sent   *wire.Body
}

func newBodies() *bodies {
	return &bodies{list: map[int]held{}, coming: map[int]chan struct{}{}}
}

// get gives a body as it was sent, and has it read beside those that are here when it is not; whoever wants it meanwhile
// waits for the one reading.
func (b *bodies) get(n int, read func(near []*store.Scanned) (held, error)) (*wire.Body, error) {
	b.mu.Lock()
	for b.list[n].sent == nil && b.coming[n] != nil {
		other := b.coming[n]
		b.mu.Unlock()
		<-other
		b.mu.Lock()
	}
	if x := b.list[n]; x.sent != nil {
		b.keep(x) // the newest of those that are kept
		b.mu.Unlock()
		return x.sent, nil
	}
	done, near := make(chan struct{}), b.near()
	b.coming[n] = done
	b.mu.Unlock()
	x, err := read(near)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.keep(x)
	}
	delete(b.coming, n)
	close(done)
	return x.sent, err
}

// near gives the newest, and the one with the most messages.
func (b *bodies) near() (list []*store.Scanned) {
	for _, n := range b.order[max(0, len(b.order)-nearBodies):] {
		list = append(list, b.list[n].stored)
	}
	if x := b.list[b.widest].stored; x != nil && !slices.Contains(list, x) {
		list = append(list, x)
	}
	return list
}

func (b *bodies) keep(x held) {
	n := x.stored.N
	b.drop(n)
	b.order = append(b.order, n)
	b.list[n], b.bytes = x, b.bytes+x.stored.Size()
	if w, ok := b.list[b.widest]; !ok || x.sent.Messages.Len() > w.sent.Messages.Len() {
		b.widest = n
	}
	for len(b.order) > keptBodies && b.bytes > keptBytes {
		oldest := b.order[0]
		if oldest == b.widest {
			oldest = b.order[1]
		}
		b.drop(oldest)
	}
}

func (b *bodies) drop(n int) {
	if x, ok := b.list[n]; ok {
		b.bytes -= x.stored.Size()
		b.order = slices.DeleteFunc(b.order, func(k int) bool { return k == n })
		delete(b.list, n)
	}
}
