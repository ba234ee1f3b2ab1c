package service

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"zimoscope/app/api"
	"zimoscope/backend/zimoos/mteam"
	"zimoscope/e2e/run"
)

// probeEvery is how often the backend is probed while a session is open that runs on it: often enough for a light at
// the foot of the window, seldom enough not to be noticed by the backend.
const probeEvery = 3 * time.Minute

// topicEndToEnd tells of the run and of probes.
const topicEndToEnd = "e2e"

var errRunning = errors.New("the end-to-end run is under way: stop it first")

// endToEnd is the run, and what is known of the backend.
type endToEnd struct {
	mu     sync.Mutex
	state  api.EndToEnd
	cancel context.CancelFunc // of the run
	watch  context.CancelFunc // of the probes
	work   sync.WaitGroup
}

func newEndToEnd() *endToEnd {
	set := mteam.FromEnv()
	return &endToEnd{state: api.EndToEnd{Steps: []api.CheckStep{}, Notes: []string{},
		Backend: api.BackendState{Hub: shownAddress(set.HubURL), Folder: set.BackendDir, Missing: []string{}, Attempts: []api.Attempt{}}}}
}

// shownAddress is an address without its password.
func shownAddress(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	return u.Redacted()
}

// EndToEnd implements api.Service.
func (s *Service) EndToEnd() (api.EndToEnd, error) {
	s.e2e.mu.Lock()
	defer s.e2e.mu.Unlock()
	out := s.e2e.state
	out.Steps = slices.Clone(out.Steps)
	return out, nil
}

func (s *Service) setEndToEnd(change func(*api.EndToEnd)) {
	s.e2e.mu.Lock()
	change(&s.e2e.state)
	s.e2e.mu.Unlock()
	s.publish(topicEndToEnd, "")
}

// RunEndToEnd implements api.Service: it starts the run and returns. The session that it plays is one of its own.
func (s *Service) RunEndToEnd() error {
	s.e2e.mu.Lock()
	if s.e2e.cancel != nil {
		s.e2e.mu.Unlock()
		return errRunning
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.e2e.cancel = cancel
	s.e2e.work.Add(1)
	old := s.e2e.state.Backend
	now := time.Now()
	s.e2e.state = api.EndToEnd{Running: true, Started: now.UnixMilli(), Steps: []api.CheckStep{}, Notes: []string{}, Backend: old}
	s.e2e.mu.Unlock()
	s.publish(topicEndToEnd, "")
	o := run.Options{Store: s.o.Store, Dir: filepath.Join(s.o.Store.Dir(), "e2e", now.Format("20060102-150405"))}
	go func() {
		defer s.e2e.work.Done()
		defer cancel()
		var report run.Report
		err := safely(func() (err error) {
			report, err = run.Run(ctx, o, s.checked)
			return err
		})
		s.concluded(report, err)
	}()
	return nil
}

// checked takes a step of the run.
func (s *Service) checked(step run.Step) {
	one := api.CheckStep{ID: step.ID, Title: step.Title, State: string(step.State), Evidence: append([]string{}, step.Evidence...), Todo: step.Todo}
	s.setEndToEnd(func(e *api.EndToEnd) {
		if i := slices.IndexFunc(e.Steps, func(x api.CheckStep) bool { return x.ID == one.ID }); i >= 0 {
			e.Steps[i] = one
		} else {
			e.Steps = append(e.Steps, one)
		}
	})
}

func (s *Service) concluded(r run.Report, err error) {
	s.setEndToEnd(func(e *api.EndToEnd) {
		s.e2e.cancel = nil
		e.Running, e.Outcome, e.Sentence = false, string(r.Outcome), r.Sentence
		e.Millis = int64(r.Seconds * 1000)
		e.Notes = append(e.Notes, r.Notes...)
		e.Session, e.Model, e.Provider = r.Session, r.Model, r.Provider
		if err != nil {
			e.Error = err.Error()
		} else if r.Dir != "" {
			e.Report = filepath.Join(r.Dir, run.FileHTML)
		}
	})
	s.publish(topicSessions, r.Session)
}

// StopEndToEnd implements api.Service: what was seen until then is reported.
func (s *Service) StopEndToEnd() error {
	s.e2e.mu.Lock()
	defer s.e2e.mu.Unlock()
	if s.e2e.cancel != nil {
		s.e2e.cancel()
	}
	return nil
}

// ProbeBackend implements api.Service: it asks the backend and returns; what came of it is told by an event.
func (s *Service) ProbeBackend() error {
	s.e2e.mu.Lock()
	if s.e2e.state.Backend.Probing {
		s.e2e.mu.Unlock()
		return nil
	}
	s.e2e.state.Backend.Probing = true
	s.e2e.work.Add(1)
	s.e2e.mu.Unlock()
	s.publish(topicEndToEnd, "")
	go func() {
		defer s.e2e.work.Done()
		s.probe(context.Background())
	}()
	return nil
}

func (s *Service) probe(ctx context.Context) {
	set := mteam.FromEnv()
	var r mteam.Report
	if err := safely(func() error { r = mteam.Probe(ctx, set, mteam.Instance(time.Now())); return nil }); err != nil {
		r.Missing = append(r.Missing, err.Error())
	}
	s.setEndToEnd(func(e *api.EndToEnd) {
		b := &e.Backend
		b.Probing, b.At, b.Ready, b.Complete = false, time.Now().UnixMilli(), r.Ready, r.Complete()
		b.Hub, b.Folder = shownAddress(set.HubURL), set.BackendDir
		b.Missing, b.Attempts = append([]string{}, r.Missing...), []api.Attempt{}
		for _, a := range r.Attempts {
			b.Attempts = append(b.Attempts, api.Attempt{URL: a.URL, Status: a.Status, Sentence: a.Sentence})
		}
	})
}

// watchBackend probes now and then while the open session runs on mteam, and not otherwise.
func (s *Service) watchBackend(configured bool) {
	s.e2e.mu.Lock()
	defer s.e2e.mu.Unlock()
	s.e2e.state.Backend.Configured = configured
	if configured == (s.e2e.watch != nil) {
		return
	}
	if !configured {
		s.e2e.watch()
		s.e2e.watch = nil
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.e2e.watch = cancel
	s.e2e.work.Add(1)
	go func() {
		defer s.e2e.work.Done()
		tick := time.NewTicker(probeEvery)
		defer tick.Stop()
		for {
			s.probe(ctx)
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
}

// close ends run and probes.
func (e *endToEnd) close() {
	e.mu.Lock()
	for _, cancel := range []context.CancelFunc{e.cancel, e.watch} {
		if cancel != nil {
			cancel()
		}
	}
	e.watch = nil
	e.mu.Unlock()
	e.work.Wait()
}
