package service

import (
	"context"
	"errors"

	"zimoscope/app/api"
	"zimoscope/app/live"
	"zimoscope/backend/agent"
	"zimoscope/backend/agent/toolbox"
)

// agentOf gives the running agent of the open session. It starts it when it is not running yet, and anew when its
// settings were changed and no turn runs.
func (s *Service) agentOf() (*live.Live, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	s.mu.Lock()
	b, run, spec := s.book, s.run, s.spec()
	spec.Config = s.config
	old := (*live.Live)(nil)
	if run != nil && s.stale && s.cancel == nil {
		old, run, s.run, s.stale = run, nil, nil, false
	}
	s.mu.Unlock()
	if b == nil {
		return nil, errNoSession
	}
	if b.sess.Info().Foreign != "" {
		return nil, errForeign
	}
	if run != nil {
		return run, nil
	}
	if old != nil {
		if err := old.Detach(); err != nil {
			return nil, err
		}
	}
	run, err := live.Attach(context.Background(), b.sess, spec)
	if err != nil {
		return nil, err
	}
	s.set(func() { s.run, s.stale = run, false })
	b.offers(run)
	s.publish(topicState, b.sess.ID)
	return run, nil
}

// offers takes over the public names of what the agent offers now.
func (b *book) offers(run *live.Live) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.offer(run.Agent.Transcript().Header())
}

// Prompt implements api.Service: it starts a turn and returns. The same words as those of a turn that was interrupted
// try that one again, as Retry does: nobody means to ask twice.
func (s *Service) Prompt(text string, pictures []api.Picture) error {
	images, err := taken(text, pictures)
	if err != nil {
		return err
	}
	return s.start(func(ctx context.Context, a *agent.Session) (string, error) {
		if len(images) == 0 && a.Asks(text) { // it stands there already, without an answer
			return a.Retry(ctx)
		}
		return a.Prompt(ctx, text, images)
	})
}

// Retry implements api.Service.
func (s *Service) Retry() error {
	return s.start(func(ctx context.Context, a *agent.Session) (string, error) { return a.Retry(ctx) })
}

// Play runs several prompts, one turn after another: the demo session.
func (s *Service) Play(prompts []string) error {
	return s.start(func(ctx context.Context, a *agent.Session) (answer string, err error) {
		for _, text := range prompts {
			if answer, err = a.Prompt(ctx, text, nil); err != nil {
				return answer, err
			}
		}
		return answer, nil
	})
}

func (s *Service) start(turn func(context.Context, *agent.Session) (string, error)) error {
	s.mu.Lock()
	busy := s.cancel != nil
	s.mu.Unlock()
	if busy {
		return errBusy
	}
	ctx, cancel := context.WithCancel(context.Background())
	run, err := s.begin(cancel)
	if err != nil {
		cancel()
		return err
	}
	go func() {
		defer s.turn.Done()
		defer cancel()
		s.ended(run, safely(func() error {
			err := s.applied(run)
			if err == nil {
				_, err = turn(ctx, run.Agent)
			}
			return err
		}))
	}()
	return nil
}

// begin takes the agent for a turn. Between the two, its settings may be changed or another turn may begin.
func (s *Service) begin(cancel context.CancelFunc) (*live.Live, error) {
	for {
		run, err := s.agentOf()
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		taken, same := s.cancel != nil, s.run == run && !s.stale
		if !taken && same {
			s.cancel, s.phase, s.fault = cancel, "building", ""
			s.turn.Add(1)
		}
		s.mu.Unlock()
		switch {
		case taken:
			return nil, errBusy
		case same:
			return run, nil
		}
	}
}

// applied announces settings that were changed since the last turn.
func (s *Service) applied(run *live.Live) error {
	applied, err := run.Apply()
	if b, e := s.current(""); e == nil && applied {
		b.offers(run)
	}
	return err
}

// announced notes that changed settings are in effect. If that can't be stored, they are compared once more with the
// next start, and found to be in effect.
func (s *Service) announced(run *live.Live) {
	s.mu.Lock()
	stale := s.stale
	s.mu.Unlock()
	if !stale && !run.Waiting() && live.Changed(run.Store.Info()) {
		_ = s.editInfo(run.Store, live.Announced)
	}
}

// ended takes the end of a turn. The summary for the list is renewed here; losing it costs nothing.
func (s *Service) ended(run *live.Live, err error) {
	s.announced(run)
	_ = run.Store.WriteSummary()
	unanswered := run.Agent.Interrupted()
	s.set(func() {
		if s.book != nil && s.book.sess.ID == run.Store.ID {
			s.book.unanswered = unanswered
		}
		s.cancel, s.phase, s.paused, s.tool = nil, "idle", "", ""
		if err != nil && !errors.Is(err, agent.ErrStopped) && !errors.Is(err, agent.ErrAbandoned) {
			s.fault = run.Secrets.Text(err.Error())
		}
	})
	s.publish(topicState, run.Store.ID)
	s.publish(topicTimeline, run.Store.ID)
	s.publish(topicSessions, run.Store.ID)
}

// Pause, Continue, Step, StepTool, Abandon and Stop implement api.Service.
func (s *Service) Pause() error    { s.stepper.Pause(); return s.stepped() }
func (s *Service) Continue() error { s.stepper.Continue(); return s.stepped() }
func (s *Service) Step() error     { s.stepper.Step(); return s.stepped() }
func (s *Service) StepTool() error { s.stepper.StepTool(); return s.stepped() }
func (s *Service) Abandon() error  { s.stepper.Abandon(); return s.stepped() }

// Stop cancels the running turn; it does not wait for its end.
func (s *Service) Stop() error {
	s.set(func() {
		if s.cancel != nil {
			s.cancel()
			s.phase = "stopping"
		}
	})
	return s.stepped()
}

func (s *Service) stepped() error {
	s.publish(topicState, "")
	return nil
}

// SetBreakpoints implements api.Service.
func (s *Service) SetBreakpoints(b api.Breakpoints) error {
	s.stepper.Set(agent.Breakpoints{BeforeRequest: b.BeforeRequest, BeforeTool: b.BeforeTool, AfterFrame: b.AfterFrame, OnUnplanned: b.OnUnplanned, OnRedline: b.OnRedline, Tool: b.Tool})
	return s.stepped()
}

// state is told under s.mu.
func (s *Service) state() api.RunState {
	bp := s.stepper.Breakpoints()
	st := api.RunState{Proxy: s.proxyState(), Phase: s.phase, Tool: s.tool, PausedAt: s.paused, Error: s.fault, ZimoOS: "none",
		Breakpoints: api.Breakpoints{BeforeRequest: bp.BeforeRequest, BeforeTool: bp.BeforeTool, Tool: bp.Tool, AfterFrame: bp.AfterFrame, OnUnplanned: bp.OnUnplanned, OnRedline: bp.OnRedline},
		Servers:     []api.ServerState{}}
	if s.book == nil {
		return st
	}
	info := s.book.sess.Info()
	st.Session, st.StoreBytes = s.book.sess.ID, s.book.sess.Summary().Bytes
	st.Provider = api.ProviderState{Model: info.Model, Host: info.Host, Profile: info.Profile, Scripted: info.Simulated, Status: "unknown"}
	if last := s.book.newest(); last != nil && info.Foreign == "" {
		st.Request, st.Staged = last.N, last.Status == agent.StatusStaged
		switch last.Status {
		case agent.StatusError:
			st.Provider.Status, st.Provider.Error = "error", last.Error
		case agent.StatusDone:
			st.Provider.Status = "ok"
		}
	}
	st.Retryable = s.cancel == nil && s.book.unanswered
	if s.run != nil {
		st.Servers, st.Tools = serverStates(s.run), len(s.run.Box.Tools())
		st.ZimoOS = zimoosKind(s.run, info.Simulated)
	} else if info.Simulated {
		st.ZimoOS = "simulator"
	}
	return st
}

func zimoosKind(run *live.Live, simulated bool) string {
	if simulated {
		return "simulator"
	}
	for _, t := range run.Box.Tools() {
		if isOperation(t.Name) {
			if t.Server == "mteam-primary" {
				return "mteam"
			}
			return "other"
		}
	}
	return "none"
}

func serverStates(run *live.Live) []api.ServerState {
	tools := map[string][]string{}
	for _, t := range run.Box.Tools() {
		tools[t.Server] = append(tools[t.Server], t.Name)
	}
	list := []api.ServerState{}
	for _, st := range run.Box.Status() {
		state := st.State
		if state == toolbox.ServerEnded || state == toolbox.ServerClosed {
			state = "exited"
		}
		list = append(list, api.ServerState{Name: st.Name, Status: state, Tools: tools[st.Name], Error: st.Error, ExitCode: st.ExitCode, Stderr: st.StderrTail, Path: st.Path, PID: st.PID})
	}
	return list
}
