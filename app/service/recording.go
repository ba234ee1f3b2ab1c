package service

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"zimoscope/app/api"
	"zimoscope/app/foreign"
	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/proxy"
	"zimoscope/backend/record"
)

// recording is the proxy that records into the open session.
type recording struct {
	session  *foreign.Session
	proxy    *proxy.Proxy
	upstream string // without a password
	cancel   context.CancelFunc
	ended    chan struct{}
	active   atomic.Int64
	stopping atomic.Bool

	mu    sync.Mutex
	fault string
}

// StartProxy implements api.Service: the session that it records into becomes the open one. What can't run leaves no
// session behind.
func (s *Service) StartProxy(n api.NewProxy) (api.SessionInfo, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	r := &recording{ended: make(chan struct{})}
	server, err := proxy.New(proxy.Options{Upstream: strings.TrimSpace(n.Upstream), Listen: n.Listen, Log: func(text string) { r.said(text); s.publish(topicState, "") },
		Observe: func(e proxy.Event) { r.observe(e); s.publish(topicState, "") }})
	if err != nil {
		return api.SessionInfo{}, err
	}
	if err := server.Listen(); err != nil {
		return api.SessionInfo{}, err
	}
	if err := s.closeCurrent(); err != nil {
		return api.SessionInfo{}, errors.Join(err, closed(server))
	}
	var b *book
	sess, err := foreign.Open(s.o.Store, foreign.Options{Name: strings.TrimSpace(n.Name), From: foreign.Proxy, Source: "proxy",
		OnRecord: func(rec *record.Record, _ *answer.Answer) {
			b.put(rec)
			s.changed(b.sess.ID, rec.N)
		}})
	if err != nil {
		return api.SessionInfo{}, errors.Join(err, closed(server))
	}
	info, err := s.adopt(sess.Store, nil)
	if err != nil {
		return api.SessionInfo{}, errors.Join(err, closed(server))
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.session, r.proxy, r.upstream, r.cancel = sess, server, shownAddress(n.Upstream), cancel
	s.set(func() { s.recording, b = r, s.book })
	go func() {
		defer close(r.ended)
		if err := safely(func() error { return server.Serve(ctx, sess) }); err != nil {
			r.said(err.Error())
		}
		if err := safely(sess.Recorder.Close); err != nil {
			r.said(err.Error())
		}
	}()
	s.publish(topicState, sess.Store.ID)
	return info, nil
}

// closed gives a listener back that never served: serving with a context that is done does so.
func closed(server *proxy.Proxy) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return server.Serve(ctx, nil)
}

func (r *recording) said(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = text
}

func (r *recording) observe(e proxy.Event) {
	switch e.Phase {
	case proxy.Began:
		r.active.Add(1)
	case proxy.Ended:
		r.active.Add(-1)
	}
}

// stop ends the proxy and waits until what it saw is stored.
func (r *recording) stop() {
	r.stopping.Store(true)
	r.cancel()
	<-r.ended
}

// StopProxy implements api.Service: the session stays open.
func (s *Service) StopProxy() error {
	s.mu.Lock()
	r := s.recording
	s.mu.Unlock()
	if r == nil {
		return nil
	}
	r.stopping.Store(true)
	s.publish(topicState, "")
	r.stop()
	s.set(func() {
		if s.recording == r {
			s.recording, s.recorded = nil, r
		}
	})
	s.publish(topicState, "")
	s.publish(topicSessions, "")
	return nil
}

// proxyState is told under s.mu. What a proxy said last stays to be read after its end.
func (s *Service) proxyState() api.ProxyState {
	r := s.recording
	if r == nil {
		r = s.recorded
	}
	if r == nil {
		return api.ProxyState{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	out := api.ProxyState{Running: r == s.recording, Stopping: r.stopping.Load() && r == s.recording, Upstream: r.upstream, Error: r.fault}
	if out.Running {
		out.Address, out.Active = r.proxy.URL(), int(r.active.Load())
	}
	return out
}
