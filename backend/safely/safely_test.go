package safely_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"zimoscope/backend/safely"
	"zimoscope/backend/safely/together"
)

func outOfRange(list []int) error {
	list[len(list)] = 1
	return nil
}

// What the runtime says is shown; what a panic carries is not, it may be a secret.
func TestAPanicIsTheErrorOfWhatWasUnderWay(t *testing.T) {
	for name, c := range map[string]struct {
		do   func() error
		want string
	}{
		"the runtime's":  {func() error { return outOfRange(nil) }, "index out of range"},
		"a text":         {func() error { panic("sk-secret") }, "(string)"},
		"an error":       {func() error { panic(errors.New("sk-secret")) }, "(*errors.errorString)"},
		"of a part":      {func() error { var g together.Group; g.Run(func() { panic("sk-secret") }); g.Wait(); return nil }, "(string)"},
		"a part's range": {func() error { var g together.Group; g.Run(func() { _ = outOfRange(nil) }); g.Wait(); return nil }, "index out of range"},
	} {
		err := safely.Do(c.do)
		var m *safely.Mistake
		if !errors.As(err, &m) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWithoutAPanicTheErrorIsItsOwn(t *testing.T) {
	own := errors.New("its own")
	if err := safely.Do(func() error { return own }); err != own {
		t.Error(err)
	}
	if err := safely.Do(func() error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestAGoroutineTellsItsEnd(t *testing.T) {
	ended := make(chan error, 1)
	safely.Go(func() error { return outOfRange(nil) }, func(err error) { ended <- err })
	var m *safely.Mistake
	if err := <-ended; !errors.As(err, &m) {
		t.Error(err)
	}
	done := make(chan struct{})
	safely.Go(func() error { defer close(done); return outOfRange(nil) }, nil)
	<-done
}

// One part that panics leaves the others their work, and reaches the one who waits, with the stack of its origin.
func TestAPanicOfAPartReachesWhoWaits(t *testing.T) {
	var did atomic.Int32
	var got *together.Panic
	func() {
		defer func() { got, _ = recover().(*together.Panic) }()
		var g together.Group
		for i := range 8 {
			g.Run(func() {
				if i == 3 {
					_ = outOfRange(nil)
				}
				did.Add(1)
			})
		}
		g.Wait()
	}()
	if got == nil || !strings.Contains(string(got.Stack), "outOfRange") || did.Load() != 7 {
		t.Errorf("%d parts, %v", did.Load(), got)
	}
}
