package service

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"zimoscope/backend/lab"
)

// mistake is a panic of what ran beside the window, as an error. A value may hold what must not be shown: only the
// runtime's own text or the value's type is.
type mistake struct{ what string }

func (m *mistake) Error() string {
	return fmt.Sprintf("the program made a mistake (%s); what is stored was kept, try again", m.what)
}

// safely is the one place where a panic of a goroutine of this package ends: Go ends the whole program for one that is
// not caught in its own goroutine. Whatever runs in one runs through here. The stack goes to standard error, for a report.
func safely(do func() error) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		stack := debug.Stack()
		if inner, ok := p.(*lab.Panic); ok {
			p, stack = inner.Value, inner.Stack
		}
		m := &mistake{what: fmt.Sprintf("%T", p)}
		if e, ok := p.(runtime.Error); ok {
			m.what = e.Error()
		}
		fmt.Fprintf(os.Stderr, "panic: %s\n%s", m.what, stack)
		err = m
	}()
	return do()
}
