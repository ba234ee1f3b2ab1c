package agent

import (
	"context"
	"sync"
)

// Point is a place where a run can pause.
type Point string

// The points.
const (
	BeforeRequest Point = "request"
	BeforeTool    Point = "tool"
	AfterFrame    Point = "frame"
	OnVerdict     Point = "verdict" // a staged request whose verdict is unplanned
	OnRedline     Point = "redline" // a staged request that breaks a redline
)

// Breakpoints say where a run pauses by itself. Tool limits BeforeTool to one public name.
type Breakpoints struct {
	BeforeRequest, BeforeTool, AfterFrame, OnUnplanned, OnRedline bool
	Tool                                                          string
}

type verb int

const (
	goOn verb = iota
	abandon
)

// Stepper decides where a run pauses. It may be used from any goroutine; a Session asks it at each point.
type Stepper struct {
	mu      sync.Mutex
	breaks  Breakpoints
	pause   bool  // at the next point of any kind
	until   Point // at the next point of this kind: Step and Step tool
	waiting chan verb
	at      Point
	poke    chan struct{} // closed when something a staged request depends on changed
}

// NewStepper runs freely until told otherwise.
func NewStepper() *Stepper { return &Stepper{poke: make(chan struct{})} }

// Set replaces the breakpoints.
func (s *Stepper) Set(b Breakpoints) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breaks = b
}

// Breakpoints gives the breakpoints.
func (s *Stepper) Breakpoints() Breakpoints {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.breaks
}

// Pause stops at the next point of any kind.
func (s *Stepper) Pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pause = true
}

// Continue lets a paused run go on until the next breakpoint.
func (s *Stepper) Continue() bool { return s.release(goOn, "") }

// Step lets a paused run go on to the next request, StepTool to the next tool call. On an idle session they make the
// next run stop there.
func (s *Stepper) Step() bool     { return s.release(goOn, BeforeRequest) }
func (s *Stepper) StepTool() bool { return s.release(goOn, BeforeTool) }

// Abandon ends the turn at the point where it is paused: a staged request is not sent, a call is not run.
func (s *Stepper) Abandon() bool { return s.release(abandon, "") }

func (s *Stepper) release(v verb, until Point) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until, s.pause = until, false
	if s.waiting == nil {
		return false
	}
	s.waiting <- v // buffered, and taken once
	s.waiting = nil
	return true
}

// At gives the point where a run is paused, "" when none is.
func (s *Stepper) At() Point {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

// Poke tells a staged request that what it depends on changed, so that it is built again.
func (s *Stepper) Poke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.poke)
	s.poke = make(chan struct{})
}

// wants says whether a run pauses at a point.
func (s *Stepper) wants(p Point, tool string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pause || s.until == p {
		return true
	}
	switch p {
	case BeforeRequest:
		return s.breaks.BeforeRequest
	case BeforeTool:
		return s.breaks.BeforeTool && (s.breaks.Tool == "" || s.breaks.Tool == tool)
	case AfterFrame:
		return s.breaks.AfterFrame
	case OnVerdict:
		return s.breaks.OnUnplanned
	case OnRedline:
		return s.breaks.OnRedline
	}
	return false
}

// answer is how a pause ended.
type answer int

const (
	passed answer = iota
	abandoned
	changed // build again
	stopped // the context ended
)

// now is what a staged request depends on at this moment: take it before building, give it to arm.
func (s *Stepper) now() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.poke
}

// held is a pause that can be released from the moment it is armed.
type held struct {
	s     *Stepper
	ch    chan verb
	stale <-chan struct{}
}

// arm begins a pause. stale, when not nil, ends it when what was built no longer holds.
func (s *Stepper) arm(p Point, stale <-chan struct{}) *held {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := &held{s: s, ch: make(chan verb, 1), stale: stale}
	s.waiting, s.at, s.pause, s.until = h.ch, p, false, ""
	return h
}

// wait pauses until it is released, stale or cancelled.
func (h *held) wait(ctx context.Context) answer {
	defer func() {
		h.s.mu.Lock()
		defer h.s.mu.Unlock()
		h.s.waiting, h.s.at = nil, ""
	}()
	select {
	case v := <-h.ch:
		if v == abandon {
			return abandoned
		}
		return passed
	case <-h.stale:
		return changed
	case <-ctx.Done():
		return stopped
	}
}
