// Package check says whether a run of the agent against a live ZimoOS did what the project promises. The end-to-end
// tests use it, and so can a command.
//
// Contract: a Recorder collects what one run leaves behind; Check is a pure function of that. It judges by the bytes that
// were sent, with a checker of its own, and takes nothing from what the run said of itself but the proof of each attempt.
// It doesn't ask what ZimoOS it was: only who ran it against the real one may claim that.
package check

import (
	"slices"
	"sync"

	"zimoscope/backend/agent"
	"zimoscope/backend/requestview/verdict"
)

// Run is what one run left behind.
type Run struct {
	Requests []Request
	Offered  []string // public names of the tools on offer
	Called   []string // public names that MCP was called with, in order
	Cursors  []string // of the frames that became current, in order
	Answer   string   // the last one
	JSONL    []byte   // the exported conversation
}

// Request is one attempt as it left.
type Request struct {
	N     int // of the session, from 1
	Body  []byte
	Meta  verdict.Meta
	Proof string // as in agent.Record
}

// Recorder collects a Run. Observe is an agent's observer and may be used from any goroutine.
type Recorder struct {
	mu  sync.Mutex
	run Run
}

// Observe takes one event.
func (r *Recorder) Observe(e agent.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Kind {
	case agent.EventAttempt:
		q := Request{N: e.Record.N, Body: slices.Clone(e.Body), Meta: e.Record.Meta, Proof: e.Record.Proof}
		if e.Attempt > 1 {
			q.Meta.Kind = verdict.KindRetry
		}
		r.run.Requests = append(r.run.Requests, q)
	case agent.EventTool:
		r.run.Called = append(r.run.Called, e.Tool)
	case agent.EventFrame:
		r.run.Cursors = append(r.run.Cursors, e.Text)
	case agent.EventDone:
		r.run.Answer = e.Text
	}
}

// Run gives what was collected, with the session's offer and its exported conversation. The session must be idle.
func (r *Recorder) Run(s *agent.Session) Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.run
	for _, t := range s.Transcript().Header().Tools {
		run.Offered = append(run.Offered, t.Name)
	}
	run.JSONL = s.Transcript().JSONL()
	return run
}
