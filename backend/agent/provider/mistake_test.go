package provider

import (
	"context"
	"errors"
	"strings"
	"testing"

	"zimoscope/backend/safely"
)

// brokenTap panics, in a goroutine of the transport.
type brokenTap struct{ inWrite bool }

func (b brokenTap) Write(p []byte) (int, error) {
	if b.inWrite {
		panic("sk-secret")
	}
	return len(p), nil
}

func (b brokenTap) Done(int, error) { panic("sk-secret") }

func TestATapThatPanicsIsTheErrorOfItsRequest(t *testing.T) {
	s := serve(t, sse(chunk(`{"content":"x"}`)+"data: [DONE]\n\n"))
	for _, inWrite := range []bool{true, false} {
		c := connect(t, s.URL, nil)
		attempts := 0
		res, err := c.Stream(context.Background(), fiveMB(), StreamOptions{OnAttempt: func(int) AttemptTap {
			attempts++
			return brokenTap{inWrite}
		}})
		var e *Error
		var own *safely.Mistake
		if !errors.As(err, &e) || e.Kind != KindMistake || !errors.As(err, &own) || strings.Contains(err.Error(), "secret") || res == nil || attempts != 1 {
			t.Errorf("in Write %v: %d attempts, %v", inWrite, attempts, err)
		}
		if _, err := ask(c); err != nil {
			t.Errorf("the request after it: %v", err)
		}
	}
}
