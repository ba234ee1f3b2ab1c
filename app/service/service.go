// Package service is what both shells offer: it keeps the open session's requests at hand, runs the agent, and answers
// the front end's questions in the shapes of package api.
//
// Contract: methods may be called from any goroutine. Questions never wait for the agent; commands return at once and
// the turn runs on. Events are published after the change they tell of can be read. Close ends everything.
package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"zimoscope/app"
	"zimoscope/app/api"
	"zimoscope/app/live"
	"zimoscope/app/predict"
	"zimoscope/backend/agent"
	"zimoscope/backend/config"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/store"
	"zimoscope/backend/zimoos/mteam"
)

// Topics of events.
const (
	topicSessions = "sessions"
	topicState    = "state"
	topicTimeline = "timeline"
	topicRequest  = "request"
	topicLive     = "live"
	topicTraffic  = "traffic"
	topicJobs     = "jobs"
)

// Publisher spreads events to the front ends.
type Publisher interface {
	Publish(topic, id string, rev uint64) uint64
	Seq() uint64
}

// Options are what a Service runs on.
type Options struct {
	Store     *store.Store
	Events    Publisher
	Shell     string // window or serve
	Program   string // this program, for the simulator's processes
	Languages []string
}

// Service implements api.Service.
type Service struct {
	o       Options
	stepper *agent.Stepper
	traffic *traffic

	mu        sync.Mutex
	book      *book // the open session, nil when none
	run       *live.Live
	cancel    context.CancelFunc // of the running turn
	turn      sync.WaitGroup
	phase     string
	tool      string
	paused    string
	fault     string // the last error of a turn, as a sentence
	rev       uint64
	stale     bool           // run is on settings that were changed since
	config    *config.Config // the open session's changed settings, secrets included; nil while they are those that are stored
	opening   sync.Mutex     // one session is opened or closed at a time
	infos     sync.Mutex     // what a session says of itself is changed by one at a time
	jobs      jobs
	scratch   *scratch
	e2e       *endToEnd
	lab       *labDesk
	sights    *sights            // what was predicted of sessions that were open
	counter   cachemodel.Counter // for predictions
	dialogs   dialogs
	recording *recording // the proxy that records into the open session, nil when none
	recorded  *recording // the last one that was stopped by hand, until another session is opened
	closed    bool
	shelf     sync.Mutex // held while a search has a file, and while another file is opened to be changed
}

// Errors of commands, for a person.
var (
	errNoSession = errors.New("no session is open: start one or open one from the list")
	errBusy      = errors.New("the agent is working: stop it first")
	errForeign   = errors.New("this session holds another agent's traffic, which can be looked at and not run: start a session of your own to write to an agent")
	// errNotCompared: look at the exchange's body and response instead.
	errNotCompared = errors.New("this is no request that is understood: it is listed and can't be compared; its body and response can be read")
	errCompact     = errors.New("a turn runs in this session, so its file was left as it is: compact it when the turn has ended")
)

// New makes a service without an open session. What lay in the trash for long is removed for good; where that fails, it
// lies there until the next start.
func New(o Options) *Service {
	_ = o.Store.EmptyTrash(time.Now())
	s := &Service{o: o, stepper: agent.NewStepper(), traffic: newTraffic(), phase: "idle", scratch: newScratch(o.Store.Dir()), e2e: newEndToEnd(), lab: newLab(o.Store.Dir()),
		sights: newSights(), counter: predict.OneAtATime(cachemodel.O200k())}
	s.jobs.publish = func() { s.publish(topicJobs, "") }
	return s
}

// Close stops the turn, the proxy, the jobs and the end-to-end run, and ends the open session.
func (s *Service) Close() error {
	s.set(func() { s.closed = true })
	s.jobs.stop(func(api.Job) bool { return true })
	s.e2e.close()
	s.lab.stop("")
	defer func() { _ = s.scratch.close() }() // what is left is swept with a later start
	s.opening.Lock()
	defer s.opening.Unlock()
	return s.closeCurrent()
}

func (s *Service) closeCurrent() error {
	s.stopTurn()
	s.mu.Lock()
	run, b, rec := s.run, s.book, s.recording
	s.mu.Unlock()
	if rec != nil {
		rec.stop()
	}
	s.mu.Lock()
	s.recording, s.recorded = nil, nil
	s.run, s.book, s.phase, s.fault, s.paused, s.tool = nil, nil, "idle", "", "", ""
	s.stale, s.config = false, nil
	s.mu.Unlock()
	if b != nil {
		s.jobs.stop(func(j api.Job) bool { return j.Kind == "export" && j.Session == b.sess.ID })
		s.lab.stop(b.sess.ID)
		b.end()
		s.sights.keep(b)
	}
	switch {
	case run != nil:
		return run.Close()
	case b != nil:
		return b.sess.Close()
	}
	return nil
}

// stopTurn cancels the running turn and waits for its end.
func (s *Service) stopTurn() {
	s.mu.Lock()
	if s.cancel != nil {
		s.cancel()
	}
	s.mu.Unlock()
	s.turn.Wait()
}

// Snapshot implements api.Service.
func (s *Service) Snapshot() (api.Snapshot, error) {
	seq := s.o.Events.Seq() // taken first: what happens meanwhile is told again, never missed
	list, err := s.sessions()
	if err != nil {
		return api.Snapshot{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	snap := api.Snapshot{Seq: seq, Version: app.Version, Shell: s.o.Shell, DataDir: s.o.Store.Dir(), Sessions: list, State: s.state(), Languages: s.o.Languages}
	if s.book != nil {
		snap.Current = s.book.sess.ID
	}
	return snap, nil
}

func (s *Service) sessions() ([]api.SessionInfo, error) {
	list, err := s.o.Store.List()
	if err != nil {
		return nil, err
	}
	out := make([]api.SessionInfo, 0, len(list))
	marks := s.baselines()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range list {
		if s.book != nil && s.book.sess.ID == m.ID {
			m = s.book.sess.Summary()
		}
		out = append(out, named(sessionInfo(m), marks))
	}
	return out, nil
}

func sessionInfo(m store.Summary) api.SessionInfo {
	return api.SessionInfo{ID: m.ID, Name: m.Name, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, Requests: m.Requests, Verdicts: m.Verdicts,
		Violations: m.Violations, Bytes: m.Bytes, Model: m.Model, Host: m.Host, Simulated: m.Simulated, Pinned: m.Pinned, Foreign: m.Foreign, HeldBy: m.HeldBy, ReadOnly: m.HeldBy != "" || m.Damaged != ""}
}

// Create implements api.Service: a new session, which becomes the open one. A demo session begins to play: whoever
// starts it has one button and nothing to write.
func (s *Service) Create(n api.NewSession) (api.SessionInfo, error) {
	info, err := s.create(n)
	if err == nil && n.Demo {
		err = s.Play(live.DemoPrompts(n.Lang))
	}
	return info, err
}

func (s *Service) create(n api.NewSession) (api.SessionInfo, error) {
	spec := s.spec()
	spec.Name, spec.Demo, spec.Lang = strings.TrimSpace(n.Name), n.Demo, n.Lang
	if !n.Demo {
		c, err := loaded(n.Config, n.Settings != nil)
		if err != nil {
			return api.SessionInfo{}, err
		}
		if n.Settings != nil {
			if c, err = c.With(settingsOf(*n.Settings)); err != nil {
				return api.SessionInfo{}, err
			}
		}
		spec.Config = c
	}
	if spec.Name == "" {
		spec.Name = defaultName(n)
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	if err := s.closeCurrent(); err != nil {
		return api.SessionInfo{}, err
	}
	l, err := live.Create(context.Background(), s.o.Store, spec)
	if err != nil {
		return api.SessionInfo{}, err
	}
	return s.adopt(l.Store, l)
}

func defaultName(n api.NewSession) string {
	switch {
	case n.Demo && n.Lang == "zh":
		return "演示会话"
	case n.Demo:
		return "Demo session"
	case n.Config != "":
		return strings.TrimSuffix(filepath.Base(n.Config), filepath.Ext(n.Config))
	}
	return "Session"
}

func (s *Service) spec() live.Spec {
	return live.Spec{Program: s.o.Program, Stepper: s.stepper, Observer: s.observe, OnTraffic: s.heard}
}

// Open implements api.Service. The agent's servers start with the first thing that needs them.
func (s *Service) Open(id string) (api.SessionInfo, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	s.mu.Lock()
	if s.book != nil && s.book.sess.ID == id {
		defer s.mu.Unlock()
		return sessionInfo(s.book.sess.Summary()), nil
	}
	s.mu.Unlock()
	if err := s.closeCurrent(); err != nil {
		return api.SessionInfo{}, err
	}
	sess, err := s.take(id)
	if err != nil {
		return api.SessionInfo{}, err
	}
	return s.adopt(sess, nil)
}

func (s *Service) adopt(sess *store.Session, l *live.Live) (api.SessionInfo, error) {
	b, err := openBook(sess, s.sights.recall)
	if err != nil {
		if l != nil {
			return api.SessionInfo{}, errors.Join(err, l.Close())
		}
		return api.SessionInfo{}, errors.Join(err, sess.Close())
	}
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	b.touch()
	s.mu.Lock()
	s.book, s.run, s.phase, s.fault = b, l, "idle", ""
	info := sessionInfo(sess.Summary())
	s.mu.Unlock()
	s.watchBackend(bytes.Contains(sess.Info().Config, []byte(`"`+mteam.ServerName+`"`)))
	s.publish(topicSessions, sess.ID)
	s.publish(topicState, sess.ID)
	s.publish(topicTimeline, sess.ID)
	b.users.Go(func() {
		s.judge(ctx, b)
		s.foresee(ctx, b)
	})
	return info, nil
}

// manyRequests is from how many requests on judging takes so long that it waits until the window has what it shows first.
const manyRequests = 1000

// judge brings the redlines of a session that was just opened, which shows its requests meanwhile.
func (s *Service) judge(ctx context.Context, b *book) {
	for _, part := range []func() error{b.judgeLast, b.replays} {
		if b.length() >= manyRequests {
			b.giveWay(ctx)
		}
		if err := safely(part); err != nil {
			s.set(func() { s.fault = err.Error() })
			s.publish(topicState, b.sess.ID)
		}
		s.publish(topicTimeline, b.sess.ID)
	}
}

func (s *Service) publish(topic, id string) {
	s.mu.Lock()
	s.rev++
	rev := s.rev
	s.mu.Unlock()
	s.o.Events.Publish(topic, id, rev)
}

// current gives the open session's book, or the stored session that a reference names.
func (s *Service) current(id string) (*book, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.book == nil {
		return nil, errNoSession
	}
	if id != "" && id != s.book.sess.ID {
		return nil, fmt.Errorf("session %s is not the open one: %w", id, api.ErrNotFound)
	}
	return s.book, nil
}

// SystemLanguages are the preferred languages of the environment, best first.
func SystemLanguages() (list []string) {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := strings.ReplaceAll(strings.SplitN(os.Getenv(name), ".", 2)[0], "_", "-"); v != "" && v != "C" && v != "POSIX" {
			list = append(list, v)
		}
	}
	return list
}
