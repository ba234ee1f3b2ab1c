package bridge

import (
	"sync"

	"zimoscope/app/api"
)

const (
	// ringSize is how many past events a late subscriber can still get, in events. A front end that was away for
	// longer pulls a snapshot, which costs less than replaying more.
	ringSize = 1024
	// queueSize is how many events may wait for one subscriber before it counts as too slow, in events. It is larger
	// than the ring, so that a full replay always fits.
	queueSize = 2 * ringSize
)

// Hub numbers events and hands them to subscribers. The zero value is not usable; NewHub makes one. Safe for use by
// several goroutines.
type Hub struct {
	mu     sync.Mutex
	seq    uint64
	ring   []api.Event // the event with number n lies at (n-1) % ringSize
	subs   map[*subscriber]struct{}
	closed bool
}

type subscriber struct{ events chan api.Event }

// NewHub returns an empty hub. Its first event gets the number 1.
func NewHub() *Hub { return &Hub{ring: make([]api.Event, ringSize), subs: map[*subscriber]struct{}{}} }

// Publish gives the next number to an event, hands it to all subscribers and returns the number. It never blocks: a
// subscriber without room is cut off. After Close it does nothing and returns the last number.
func (h *Hub) Publish(topic, id string, rev uint64) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return h.seq
	}
	h.seq++
	event := api.Event{Seq: h.seq, Topic: topic, ID: id, Rev: rev}
	h.ring[(h.seq-1)%ringSize] = event
	for sub := range h.subs {
		select {
		case sub.events <- event:
		default:
			h.drop(sub)
		}
	}
	return h.seq
}

// Seq is the number of the last event, 0 when there was none. A snapshot reads it before anything else, so that it
// rather repeats an event than misses one.
func (h *Hub) Seq() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seq
}

// Subscribe returns the events after the number given, then each new one, in order and without holes. The channel is
// closed by cancel, by Close, or as a gap: when the events asked for are gone or were never here, or when the reader
// falls behind. cancel may be called more than once.
func (h *Hub) Subscribe(after uint64) (<-chan api.Event, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sub := &subscriber{events: make(chan api.Event, queueSize)}
	if h.closed || after > h.seq || h.seq-after > ringSize {
		close(sub.events)
		return sub.events, func() {}
	}
	for n := after + 1; n <= h.seq; n++ {
		sub.events <- h.ring[(n-1)%ringSize]
	}
	h.subs[sub] = struct{}{}
	return sub.events, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.drop(sub)
	}
}

// Close ends all subscriptions. What is published afterwards is dropped.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for sub := range h.subs {
		h.drop(sub)
	}
}

// drop closes a subscription once; the caller holds mu.
func (h *Hub) drop(sub *subscriber) {
	if _, ok := h.subs[sub]; ok {
		delete(h.subs, sub)
		close(sub.events)
	}
}
