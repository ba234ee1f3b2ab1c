// Package foreign opens the sessions that other agents' traffic is recorded into. The command line and the window both
// record through it.
//
// Contract: a Session holds its session file until Close, which stores what is waiting. Take may be called from one
// goroutine at a time.
package foreign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/capture/infer"
	"zimoscope/backend/capture/recorder"
	"zimoscope/backend/record"
	"zimoscope/backend/store"
)

// Where traffic comes from, as a session's list shows it.
const (
	Proxy  = "proxy"
	Import = "import"
)

// Options say how to record.
type Options struct {
	Name     string // of the session; "" makes one from the time
	New      bool   // a session of its own, also where there is one of that name
	From     string // Proxy or Import
	Source   string // what each record names: proxy, raw, har, …
	Secrets  []string
	Batch    int // exchanges to a commit
	OnRecord func(*record.Record, *answer.Answer)
}

// Session is an open recording.
type Session struct {
	*recorder.Recorder
	Store *store.Session
}

// Open goes on with the newest recording of that name, or starts one. A session of the same name that our own agent
// plays is left alone.
func Open(st *store.Store, o Options) (*Session, error) {
	sess, err := find(st, o)
	if err != nil {
		return nil, err
	}
	ro := recorder.Options{Session: sess, Source: o.Source, Secrets: o.Secrets, Batch: o.Batch, Infer: infer.Infer, OnRecord: o.OnRecord}
	r, err := recorder.New(ro)
	if err != nil {
		return nil, errors.Join(err, sess.Close())
	}
	return &Session{r, sess}, nil
}

func find(st *store.Store, o Options) (*store.Session, error) {
	if o.Name == "" {
		o.Name = fmt.Sprintf("%s %s", o.From, time.Now().Format("2006-01-02 15:04"))
		return st.Create(store.Info{Name: o.Name, Foreign: o.From})
	}
	list, err := st.List()
	if err != nil {
		return nil, err
	}
	if o.New {
		return st.Create(store.Info{Name: free(o.Name, list), Foreign: o.From})
	}
	for _, m := range list {
		if m.Name != o.Name && m.ID != o.Name {
			continue
		}
		sess, err := st.Open(m.ID)
		if err != nil {
			return nil, err
		}
		if sess.Info().Foreign != "" {
			return sess, nil
		}
		if err := sess.Close(); err != nil {
			return nil, err
		}
	}
	return st.Create(store.Info{Name: o.Name, Foreign: o.From})
}

// free gives a name that no session has: the name itself, or with a number behind it.
func free(name string, list []store.Summary) string {
	for i, next := 2, name; ; i++ {
		if !slices.ContainsFunc(list, func(m store.Summary) bool { return m.Name == next }) {
			return next
		}
		next = fmt.Sprintf("%s (%d)", name, i)
	}
}

// Take implements exchange.Sink.
func (s *Session) Take(ctx context.Context, e exchange.Exchange) error {
	return s.Recorder.Take(ctx, e)
}

// Close stores what is waiting and gives the file back.
func (s *Session) Close() error { return errors.Join(s.Recorder.Close(), s.Store.Close()) }
