package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"zimoscope/backend/safely"
	"zimoscope/backend/safely/together"
)

// Box holds the servers of one configuration. It is safe for concurrent use.
type Box struct {
	servers []*server // in configuration order; fixed
	life    context.Context
	end     context.CancelFunc

	refreshing sync.Mutex

	mu        sync.Mutex
	tools     map[string][]Tool // by server, as frozen by Start or Refresh
	closed    bool
	listenMu  sync.RWMutex
	listeners []func(Frame)
}

// Start starts all servers at the same time and returns when each is ready or
// has failed, in the order of the configuration. A server that fails is
// reported and the others live. Close must be called, whatever the reports say.
func Start(ctx context.Context, configs []ServerConfig, opts Options) (*Box, []StartReport) {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	b := &Box{life: life, end: end, tools: map[string][]Tool{}}
	if opts.OnTraffic != nil {
		b.listeners = append(b.listeners, opts.OnTraffic)
	}
	limit := opts.StartTimeout
	if limit <= 0 {
		limit = defaultStartTimeout
	}
	paths := newSearchPath(opts.LoginShell)
	reports := make([]StartReport, len(configs))
	seen := map[string]bool{}
	var all together.Group
	for i, cfg := range configs {
		if seen[cfg.Name] {
			reports[i] = StartReport{Server: cfg.Name, Message: fmt.Sprintf("The name %q occurs twice; the second server was not started. Give it another name.", cfg.Name)}
			continue
		}
		seen[cfg.Name] = true
		s := newServer(cfg, paths, b.emit)
		b.servers = append(b.servers, s)
		all.Run(func() {
			inner, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			reports[i] = b.start(inner, s)
		})
	}
	all.Wait()
	return b, reports
}

func (b *Box) start(ctx context.Context, s *server) StartReport {
	var tools []Tool
	var warnings []string
	err := safely.Do(func() (err error) { tools, warnings, err = s.connect(b.life, ctx); return err })
	if err != nil {
		return s.failed(err)
	}
	b.freeze(s.cfg.Name, tools)
	st := s.report()
	return StartReport{Server: st.Name, OK: true, Path: st.Path, StderrTail: st.StderrTail, Warnings: bound(warnings)}
}

func (b *Box) freeze(server string, tools []Tool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tools[server] = tools
}

func (b *Box) frozen(server string) []Tool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tools[server]
}

// Tools returns the tools as they were at Start or the last Refresh: the
// servers in configuration order, each in its own order.
func (b *Box) Tools() []Tool {
	var all []Tool
	for _, s := range b.servers {
		all = append(all, b.frozen(s.cfg.Name)...)
	}
	return all
}

// Call runs one tool and returns its result. A tool that is not in the list, a
// server that is gone and a failed connection are results too.
func (b *Box) Call(ctx context.Context, serverName, tool string, args json.RawMessage) (res Result) {
	at := slices.IndexFunc(b.servers, func(s *server) bool { return s.cfg.Name == serverName })
	if at < 0 {
		return failure(StateNotSent, fmt.Sprintf("The tool %q was not called: there is no server %q.", tool, serverName))
	}
	known := slices.ContainsFunc(b.frozen(serverName), func(t Tool) bool { return t.Name == tool })
	if !known {
		return failure(StateNotSent, fmt.Sprintf("The tool %q was not called: the server %q offers no such tool.", tool, serverName))
	}
	if ctx.Err() != nil {
		return failure(StateNotSent, fmt.Sprintf("The tool %q was not called: the turn was cancelled.", tool))
	}
	err := safely.Do(func() error { res = b.servers[at].call(ctx, tool, args); return nil })
	if err != nil {
		return failure(StateTransport, brokeOff(serverName, tool, err.Error()))
	}
	return res
}

// Refresh brings the tools up to date; it belongs between two user turns. It
// reads the list of servers that announced a new one and starts servers that
// ended. A server that cannot be read keeps its tools. changed says whether
// Tools differs from before; changes holds an entry for each server that was
// touched.
func (b *Box) Refresh(ctx context.Context) (changed bool, changes []Change) {
	b.refreshing.Lock()
	defer b.refreshing.Unlock()
	found := make([]*Change, len(b.servers))
	differ := make([]bool, len(b.servers))
	var all together.Group
	for i, s := range b.servers {
		all.Run(func() {
			inner, cancel := context.WithTimeout(ctx, refreshTimeout)
			defer cancel()
			defer context.AfterFunc(b.life, cancel)() // Close does not wait for it
			err := safely.Do(func() error { found[i], differ[i] = b.refresh(inner, s); return nil })
			if err != nil {
				found[i] = &Change{Server: s.cfg.Name, Message: s.unread(err)}
			}
		})
	}
	all.Wait()
	for i, c := range found {
		if c != nil {
			changes = append(changes, *c)
		}
		changed = changed || differ[i]
	}
	return changed, changes
}

func (b *Box) refresh(ctx context.Context, s *server) (*Change, bool) {
	if b.isClosed() {
		return nil, false
	}
	st := s.report()
	if l := s.current(); st.State == ServerReady && !st.Stale && (l == nil || l.modern == nil) {
		return nil, false // a server without a handshake tells of changes only on a stream: its list is read again
	}
	c := &Change{Server: s.cfg.Name}
	var tools []Tool
	var err error
	if l := s.current(); s.alive() && l != nil {
		s.set(func(st *ServerStatus) { st.Stale, st.Error = false, "" })
		var warnings []string
		if tools, warnings, err = l.listTools(ctx, s.cfg.Name); err != nil {
			c.Message = s.unread(err)
			return c, false
		}
		s.set(func(st *ServerStatus) { st.Tools, st.Warnings = len(tools), bound(warnings) })
	} else {
		_ = s.close(ServerEnded)
		if tools, _, err = s.connect(b.life, ctx); err != nil {
			c.Message = s.failed(err).Message
			return c, false
		}
		c.Restarted = true
	}
	var differ bool
	c.Added, c.Removed, c.Altered, differ = compareTools(b.frozen(s.cfg.Name), tools)
	b.freeze(s.cfg.Name, tools)
	return c, differ
}

// unread notes that the tools could not be read again.
func (s *server) unread(err error) string {
	text := s.redact.text(fmt.Sprintf("The tools of %q could not be read again: %v. The list stays as it was.", s.cfg.Name, err))
	s.set(func(st *ServerStatus) { st.Stale, st.Error = true, text })
	return text
}

func (b *Box) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// Status returns every server as it is now, in configuration order.
func (b *Box) Status() []ServerStatus {
	list := make([]ServerStatus, 0, len(b.servers))
	for _, s := range b.servers {
		list = append(list, s.report())
	}
	return list
}

// OnTraffic adds a listener to all messages, error output and noise from now
// on. Frames of one direction of one server come in order. The listener must be
// quick and must not call the Box.
func (b *Box) OnTraffic(listener func(Frame)) {
	b.listenMu.Lock()
	defer b.listenMu.Unlock()
	b.listeners = append(b.listeners, listener)
}

func (b *Box) emit(f Frame) {
	b.listenMu.RLock()
	defer b.listenMu.RUnlock()
	for _, l := range b.listeners {
		l(f)
	}
}

// Close ends all servers at the same time, with all they started, within about
// three seconds. Calls that run return an error result. A second Close does
// nothing.
func (b *Box) Close() error {
	b.mu.Lock()
	done := b.closed
	b.closed = true
	b.mu.Unlock()
	if done {
		return nil
	}
	b.end()
	b.refreshing.Lock()
	defer b.refreshing.Unlock()
	errs := make([]error, len(b.servers))
	var all together.Group
	for i, s := range b.servers {
		all.Run(func() { errs[i] = safely.Do(func() error { return s.close(ServerClosed) }) })
	}
	all.Wait()
	return errors.Join(errs...)
}
