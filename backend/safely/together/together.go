// Package together runs parts of one piece of work side by side and waits for all of them.
//
// Contract: Run starts a part at once, Wait returns when every part has ended. A part that panics ends alone; the others
// go on, and Wait then panics with the first one as a *Panic, in the goroutine that waits: only there can whoever asked
// for the work catch it, as if the parts had run one after another. It reads and writes nothing, so that it may stand
// where a request is built.
package together

import (
	"runtime/debug"
	"sync"
)

// Panic is a panic of one goroutine, raised again in another, with the stack of its origin.
type Panic struct {
	Value any
	Stack []byte
}

// Group is the parts of one piece of work. Its zero value is ready; it must not be copied.
type Group struct {
	all   sync.WaitGroup
	once  sync.Once
	first *Panic
}

// Run runs part in a goroutine of its own.
func (g *Group) Run(part func()) {
	g.all.Add(1)
	go func() {
		defer g.all.Done()
		defer func() {
			if p := recover(); p != nil {
				stack := debug.Stack()
				g.once.Do(func() { g.first = &Panic{p, stack} })
			}
		}()
		part()
	}()
}

// Wait returns when all parts have ended, and panics with the first *Panic of one.
func (g *Group) Wait() {
	g.all.Wait()
	if g.first != nil {
		panic(g.first)
	}
}
