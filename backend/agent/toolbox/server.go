package toolbox

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"zimoscope/backend/safely"
)

// server is one configured server over all its connections.
type server struct {
	cfg    ServerConfig
	redact *redactor
	emit   func(Frame)
	paths  *searchPath

	mu     sync.Mutex
	link   *link // nil when there is no connection
	status ServerStatus
}

func newServer(cfg ServerConfig, paths *searchPath, emit func(Frame)) *server {
	s := &server{cfg: cfg, redact: newRedactor(cfg), emit: emit, paths: paths}
	s.status = ServerStatus{Name: cfg.Name, State: ServerStarting, Kind: "stdio", Target: filepath.Base(cfg.Command)}
	if cfg.URL != "" {
		s.status.Kind, s.status.Target = "http", bareAddress(cfg.URL)
	}
	return s
}

func bareAddress(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "an address that cannot be read"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// show completes a frame, removes secrets and passes it on.
func (s *server) show(f Frame) {
	f.Server, f.Time, f.Raw = s.cfg.Name, time.Now(), s.redact.bytes(f.Raw)
	if err := safely.Do(func() error { s.emit(f); return nil }); err != nil {
		text := fmt.Sprintf("A message could not be shown: %v.", err)
		s.set(func(st *ServerStatus) {
			if !slices.Contains(st.Warnings, text) {
				st.Warnings = bound(append(st.Warnings, text))
			}
		})
	}
}

func (s *server) current() *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.link
}

// set changes the status under its lock.
func (s *server) set(change func(*ServerStatus)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}

func (s *server) markStale() { s.set(func(st *ServerStatus) { st.Stale = true }) }

// connect opens a connection, does the handshake and reads the tools. On an
// error nothing is left running.
func (s *server) connect(life, ctx context.Context) ([]Tool, []string, error) {
	if why := s.cfg.check(); why != "" {
		return nil, nil, errors.New(why)
	}
	s.set(func(st *ServerStatus) {
		st.State, st.Error, st.ExitCode, st.Stale, st.PID = ServerStarting, "", nil, false, 0
	})
	l, err := s.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	var tools []Tool
	var warnings []string
	err = safely.Do(func() (err error) {
		if err = l.handshake(life, ctx); err == nil {
			tools, warnings, err = s.firstList(ctx, l)
		}
		return err
	})
	if err != nil {
		if l.proc != nil {
			if errors.Is(err, errEnded) {
				l.proc.waitFor(drainGrace) // its exit code follows its last output
			}
			l.proc.waitDrained(drainGrace)
			s.set(func(st *ServerStatus) { st.ExitCode, st.StderrTail = l.exitCode(), s.redact.text(l.tail.text()) })
		}
		_ = l.conn.Close()
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.link = l
	st := &s.status
	st.State, st.Tools, st.Warnings = ServerReady, len(tools), bound(warnings)
	st.Title, st.Version, st.Protocol = l.info.ServerInfo.Name, l.info.ServerInfo.Version, l.info.ProtocolVersion
	return tools, warnings, nil
}

// firstList reads the tools; a server that has none may refuse to list them.
func (s *server) firstList(ctx context.Context, l *link) ([]Tool, []string, error) {
	tools, warnings, err := l.listTools(ctx, s.cfg.Name)
	if err == nil || l.info.Capabilities.Tools != nil {
		return tools, warnings, handshakeOrNil(ctx, err)
	}
	return nil, nil, nil
}

func handshakeOrNil(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("it did not list its tools in time")
	}
	return err
}

func bound(warnings []string) []string {
	if len(warnings) <= maxWarnings {
		return warnings
	}
	return append(warnings[:maxWarnings:maxWarnings], fmt.Sprintf("and %d more", len(warnings)-maxWarnings))
}

func (s *server) open(ctx context.Context) (*link, error) {
	if s.cfg.URL != "" {
		c, err := newHTTPConn(s.cfg, s.show)
		if err != nil {
			return nil, err
		}
		return newLink(c, s.markStale), nil
	}
	path := s.cfg.Env["PATH"]
	if path == "" {
		path = s.paths.get(ctx)
	}
	s.set(func(st *ServerStatus) { st.Path = path })
	proc, err := startProcess(s.cfg, path)
	if err != nil {
		return nil, err
	}
	s.set(func(st *ServerStatus) { st.PID = proc.pid() })
	c := newStdioConn(proc, s.show)
	l := newLink(c, s.markStale)
	l.proc, l.tail = proc, c.tail
	return l, nil
}

// failed records why a connect failed and makes the report of it.
func (s *server) failed(err error) StartReport {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &s.status
	st.State = ServerFailed
	st.Error = s.redact.text(s.sentence(err))
	return StartReport{
		Server: s.cfg.Name, Message: st.Error, ExitCode: st.ExitCode,
		StderrTail: st.StderrTail, Path: s.redact.text(st.Path),
	}
}

// sentence is called with the lock held.
func (s *server) sentence(err error) string {
	text := fmt.Sprintf("The server %q was not started: %v.", s.cfg.Name, err)
	if s.status.ExitCode != nil {
		text = fmt.Sprintf("The server %q ended while starting, with exit code %d.", s.cfg.Name, *s.status.ExitCode)
	}
	if s.status.StderrTail != "" {
		text += " Its last error output is shown below."
	}
	return text + " The other servers are not affected; correct its entry and try again."
}

// report is the status now.
func (s *server) report() ServerStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.status
	st.Path, st.Target = s.redact.text(st.Path), s.redact.text(st.Target)
	st.Warnings = append([]string(nil), st.Warnings...)
	if s.link == nil || s.link.proc == nil {
		return st
	}
	st.StderrTail = s.redact.text(s.link.tail.text())
	if code := s.link.exitCode(); code != nil && st.State == ServerReady {
		st.State, st.ExitCode = ServerEnded, code
		st.Error = fmt.Sprintf("The server %q ended with exit code %d. Its tools stay in the list; it is started again before the next turn.", st.Name, *code)
	}
	return st
}

// alive reports whether the connection can still be used.
func (s *server) alive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.link != nil && s.status.State == ServerReady && s.link.exitCode() == nil
}

// close ends the connection, keeping what is known about its end.
func (s *server) close(state string) error {
	s.mu.Lock()
	l := s.link
	s.link = nil
	s.status.State = state
	s.mu.Unlock()
	if l == nil {
		return nil
	}
	err := l.conn.Close()
	if l.proc != nil {
		s.set(func(st *ServerStatus) {
			st.ExitCode, st.StderrTail, st.PID = l.exitCode(), s.redact.text(l.tail.text()), 0
		})
	}
	return err
}
