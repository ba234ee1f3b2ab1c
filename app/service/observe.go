package service

import (
	"fmt"
	"strings"
	"time"

	"zimoscope/app/api"
	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/exchange"
)

// liveText is the response while it streams.
type liveText struct {
	request   int
	text      strings.Builder
	reasoning strings.Builder
	calls     []api.CallView
	deltas    int
	start     time.Time
	done      bool
}

// observe takes what the agent tells, from its own goroutine.
func (s *Service) observe(e agent.Event) {
	s.mu.Lock()
	b := s.book
	s.mu.Unlock()
	if b == nil {
		return // a session that is just being created tells nothing a front end could ask for
	}
	id := b.sess.ID
	switch e.Kind {
	case agent.EventDelta:
		b.delta(e.Record.N, e.Delta)
		s.publish(topicLive, id)
		return
	case agent.EventStaged:
		b.stage(e.Record)
		s.changed(id, e.Record.N)
	case agent.EventSending:
		b.put(e.Record)
		b.startLive(e.Record.N)
		s.set(func() { s.phase, s.tool = "sending", "" })
		s.changed(id, e.Record.N)
	case agent.EventAttempt, agent.EventResponse:
		b.put(e.Record)
		if e.Kind == agent.EventResponse {
			b.endLive(e.Record.N)
			s.set(func() { s.phase = "building" })
		} else {
			s.set(func() { s.phase = "receiving" })
		}
		s.changed(id, e.Record.N)
	case agent.EventTurn:
		b.mu.Lock()
		b.prompt(e.Text)
		b.mu.Unlock()
		s.set(func() { s.phase = "building" })
		s.publish(topicTimeline, id)
	case agent.EventTool:
		s.set(func() { s.phase, s.tool = "tool", e.Tool })
	case agent.EventResult:
		s.set(func() { s.phase, s.tool = "building", "" })
	case agent.EventPaused:
		s.set(func() { s.phase, s.paused, s.tool = "paused", e.Text, e.Tool })
	case agent.EventResumed:
		b.unstage()
		s.set(func() { s.phase, s.paused = "building", "" })
		s.publish(topicTimeline, id)
	case agent.EventNote:
		s.set(func() { s.fault = e.Text })
	}
	s.publish(topicState, id)
}

func (s *Service) changed(id string, n int) {
	s.publish(topicRequest, fmt.Sprintf("%s/%d", id, n))
	s.publish(topicTimeline, id)
}

func (s *Service) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (b *book) startLive(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.live = liveText{request: n, start: time.Now()}
}

func (b *book) endLive(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.live.request == n {
		b.live.done = true
	}
}

func (b *book) delta(n int, d provider.Delta) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &b.live
	if l.request != n {
		return
	}
	l.deltas++
	l.text.WriteString(d.Text)
	l.reasoning.WriteString(d.Reasoning)
	if d.CallIndex < 0 {
		return
	}
	for len(l.calls) <= d.CallIndex {
		l.calls = append(l.calls, api.CallView{})
	}
	if d.CallName != "" {
		l.calls[d.CallIndex].Name = d.CallName
	}
	l.calls[d.CallIndex].Arguments += d.CallArgs
}

// Live implements api.Service.
func (s *Service) Live(session string) (api.Live, error) {
	b, err := s.current(session)
	if err != nil {
		return api.Live{}, err
	}
	if l, ok := b.lastAnswer(); ok {
		return l, nil
	}
	b.mu.Lock()
	l := &b.live
	out := api.Live{Session: b.sess.ID, Request: l.request, Text: l.text.String(), Reasoning: l.reasoning.String(), Deltas: l.deltas, Done: l.done || l.request == 0}
	if l.request > 0 {
		out.Millis = time.Since(l.start).Milliseconds()
	}
	out.Calls = append(out.Calls, l.calls...)
	b.mu.Unlock()
	for i := range out.Calls {
		out.Calls[i].Name, _ = b.public(out.Calls[i].Name)
	}
	return out, nil
}

// lastAnswer reads the answer to the newest request from the store, where nothing was sent since the session was opened:
// no later request has it in its history.
func (b *book) lastAnswer() (api.Live, bool) {
	b.mu.Lock()
	asked := b.live.request > 0
	b.mu.Unlock()
	rec := b.newest()
	if asked || rec == nil || rec.Status != agent.StatusDone {
		return api.Live{}, false
	}
	raw, err := b.sess.Response(rec.N)
	if err != nil {
		return api.Live{}, false // none was stored
	}
	dialect := exchange.Chat
	if rec.Foreign != nil {
		dialect = exchange.Dialect(rec.Foreign.Dialect)
	}
	a := answer.Read(dialect, raw)
	out := api.Live{Session: b.sess.ID, Request: rec.N, Text: a.Text, Reasoning: a.Reasoning, Calls: []api.CallView{}, Millis: rec.Millis, Done: true}
	for _, c := range a.Calls {
		name, _ := b.public(c.Name)
		out.Calls = append(out.Calls, api.CallView{ID: c.ID, Name: name, Arguments: c.Arguments})
	}
	return out, true
}
