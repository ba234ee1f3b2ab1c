package service

import (
	"zimoscope/backend/lab"
	mistakes "zimoscope/backend/safely"
	"zimoscope/backend/safely/together"
)

// safely is the one place where a panic of a goroutine of this package ends. Whatever runs in one runs through here. The
// lab raises a panic of its goroutines again in the one that waits: the stack that is told is that of its origin.
func safely(do func() error) error {
	return mistakes.Do(func() error {
		defer func() {
			p := recover()
			if inner, ok := p.(*lab.Panic); ok {
				p = (*together.Panic)(inner)
			}
			if p != nil {
				panic(p)
			}
		}()
		return do()
	})
}
