package main

import (
	"container/heap"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"
)

// pacer wakes many streams, each at its own moments. The runtime's timers wake a sleeping program on whole milliseconds,
// which would send the events of all streams in bursts; models at the other end of a network don't wait for each other.
type pacer struct {
	mu  sync.Mutex
	due waiters
	new chan struct{} // somebody is due earlier than all before
}

// pacerNap is how long the pacer sleeps at a time while something is due soon.
const pacerNap = 20 * time.Microsecond

type waiter struct {
	at   time.Time
	wake chan struct{}
}

type waiters []waiter

func (w waiters) Len() int           { return len(w) }
func (w waiters) Less(i, j int) bool { return w[i].at.Before(w[j].at) }
func (w waiters) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *waiters) Push(x any)        { *w = append(*w, x.(waiter)) }
func (w *waiters) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}

func newPacer() *pacer {
	p := &pacer{new: make(chan struct{}, 1)}
	go p.run()
	return p
}

// wait returns at that time, give or take what the system's own timer is late by.
func (p *pacer) wait(at time.Time) {
	wake := make(chan struct{})
	p.mu.Lock()
	heap.Push(&p.due, waiter{at, wake})
	p.mu.Unlock()
	select {
	case p.new <- struct{}{}:
	default:
	}
	<-wake
}

func (p *pacer) run() {
	runtime.LockOSThread()
	for range p.new {
		for p.step() {
			nap(pacerNap)
		}
	}
}

// step wakes whoever is due, and says whether somebody still waits.
func (p *pacer) step() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for len(p.due) > 0 && !p.due[0].at.After(now) {
		close(heap.Pop(&p.due).(waiter).wake)
	}
	return len(p.due) > 0
}

// gaps are random around their mean, from half of it to half more, so that streams meet by chance alone.
func around(mean time.Duration) time.Duration {
	return mean/2 + time.Duration(rand.Int64N(int64(mean)+1))
}
