// Package safely is where a panic ends: as the error of what was under way, never as the end of the program.
//
// Contract: Go ends the whole program for a panic that is not caught in its own goroutine, so every goroutine of this
// program begins in here or in package together; a test of the architecture holds that. A panic becomes a *Mistake, which
// must be handed on like any other error. Its stack goes to standard error, for a report; its value is not shown, since
// it may hold a secret: only the runtime's own words or the value's type are.
package safely

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"zimoscope/backend/safely/together"
)

// Mistake is a panic as an error.
type Mistake struct{ What string }

func (m *Mistake) Error() string {
	return fmt.Sprintf("the program made a mistake (%s); what is stored was kept, try again", m.What)
}

// Do runs do. Its panic, or one that a part of it ended in, is its error.
func Do(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = caught(p)
		}
	}()
	return do()
}

// Go runs do in a goroutine of its own and tells ended its error there; a nil ended is told nothing.
func Go(do func() error, ended func(error)) {
	go func() {
		err := Do(do)
		if ended != nil {
			ended(err)
		}
	}()
}

// caught is called by the deferred function that recovered, so that the stack is still that of the panic.
func caught(p any) error {
	stack := debug.Stack()
	if inner, ok := p.(*together.Panic); ok {
		p, stack = inner.Value, inner.Stack
	}
	m := &Mistake{What: fmt.Sprintf("%T", p)}
	if e, ok := p.(runtime.Error); ok {
		m.What = e.Error()
	}
	fmt.Fprintf(os.Stderr, "panic: %s\n%s", m.What, stack)
	return m
}
