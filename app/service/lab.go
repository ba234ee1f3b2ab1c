package service

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"zimoscope/app/api"
	"zimoscope/app/stored"
	"zimoscope/backend/lab"
	"zimoscope/backend/store"
)

const topicLab = "lab"

var (
	errLabBusy = errors.New("the cache lab is at work: stop it first")
	errPrice   = errors.New("a price or a time below zero can't be used")
)

// labDesk is the cache lab: one question at a time.
type labDesk struct {
	mu      sync.Mutex
	state   api.LabState
	cancel  context.CancelFunc
	told    time.Time
	work    sync.WaitGroup
	compute func(context.Context, lab.Input, lab.Options) (*lab.Result, error)
}

func newLab(dir string) *labDesk {
	prices, idle := readPrices(labPath(dir))
	return &labDesk{compute: lab.Run, state: api.LabState{Prices: prices, Idle: idle, BuiltIn: shownPrices(lab.BuiltInPrices())}}
}

func shownPrices(p *lab.Prices) api.LabPrices {
	out := api.LabPrices{Currency: p.Currency, Classes: []api.LabPrice{}}
	for _, class := range slices.Sorted(maps.Keys(p.Classes)) {
		x := p.Classes[class]
		out.Classes = append(out.Classes, api.LabPrice{Class: class, Uncached: x.Uncached, Read: x.Read, Written: x.Written})
	}
	return out
}

// Lab implements api.Service.
func (s *Service) Lab() (api.LabState, error) {
	s.lab.mu.Lock()
	defer s.lab.mu.Unlock()
	return s.lab.state, nil
}

// StartLab implements api.Service: it begins and returns. The prices are kept for the next time.
func (s *Service) StartLab(o api.LabOrder) error {
	prices := &lab.Prices{Currency: o.Prices.Currency, Classes: map[string]lab.Price{}}
	for _, p := range o.Prices.Classes {
		if p.Uncached < 0 || p.Read < 0 || p.Written < 0 {
			return errPrice
		}
		prices.Classes[p.Class] = lab.Price{Uncached: p.Uncached, Read: p.Read, Written: p.Written}
	}
	if o.Idle < 0 {
		return errPrice
	}
	l := s.lab
	l.mu.Lock()
	if l.cancel != nil {
		l.mu.Unlock()
		return errLabBusy
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	l.state = api.LabState{Session: o.Session, Running: true, Idle: o.Idle, Prices: o.Prices, BuiltIn: l.state.BuiltIn}
	if err := keepPrices(labPath(s.o.Store.Dir()), prices, o.Idle); err != nil {
		l.state.Unkept = err.Error()
	}
	l.work.Add(1)
	l.mu.Unlock()
	s.publish(topicLab, o.Session)
	go func() {
		defer l.work.Done()
		defer cancel()
		var found *lab.Result
		err := s.onStored(o.Session, func(sess *store.Session) error {
			recs, err := stored.Records(sess)
			if err == nil {
				found, err = l.compute(ctx, stored.Lab(sess, recs), lab.Options{Prices: prices, Idle: time.Duration(o.Idle) * time.Second, Progress: func(p lab.Progress) { s.labProgress(o.Session, p) }})
			}
			return err
		})
		s.labEnded(o.Session, found, err)
	}()
	return nil
}

func (s *Service) labProgress(session string, p lab.Progress) {
	l := s.lab
	l.mu.Lock()
	l.state.Stage, l.state.Done, l.state.Of = p.Stage, p.Done, p.Of
	tell := time.Since(l.told) >= jobsEvery
	if tell {
		l.told = time.Now()
	}
	l.mu.Unlock()
	if tell {
		s.publish(topicLab, session)
	}
}

func (s *Service) labEnded(session string, found *lab.Result, err error) {
	l := s.lab
	l.mu.Lock()
	l.cancel = nil
	l.state.Running = false
	switch {
	case err == nil:
		l.state.Result = labResult(found)
	case !errors.Is(err, context.Canceled):
		l.state.Error = err.Error()
	}
	l.mu.Unlock()
	s.publish(topicLab, session)
}

// StopLab implements api.Service.
func (s *Service) StopLab() error {
	s.lab.stop("")
	return nil
}

// stop ends the work, or that on one session, and waits for its end.
func (l *labDesk) stop(session string) {
	l.mu.Lock()
	if l.cancel != nil && (session == "" || session == l.state.Session) {
		l.cancel()
	} else if session != "" {
		l.mu.Unlock()
		return
	}
	l.mu.Unlock()
	l.work.Wait()
}

func labResult(r *lab.Result) *api.LabResult {
	out := &api.LabResult{Classes: r.Classes, Strategies: r.Strategies, Own: r.Own, Untimed: r.Untimed, Elsewhere: r.Elsewhere, Estimated: r.Estimated, Cells: []api.LabCell{}, Rows: []api.LabRow{}}
	for _, c := range r.Cells {
		out.Cells = append(out.Cells, api.LabCell{Class: c.Class, Strategy: c.Strategy, Prompt: c.PromptTokens, Reused: c.ReusedTokens, Written: c.Written, Cost: c.Cost, Priced: c.Priced, Estimated: c.Estimated})
	}
	for _, x := range r.Requests {
		row := api.LabRow{N: x.N, Prompt: x.Prompt, Marked: x.Marked, Elsewhere: x.Elsewhere, Reuse: make([]int, 0, len(r.Classes))}
		for _, class := range r.Classes {
			if reused, predicted := x.Predicted[class]; predicted {
				row.Reuse = append(row.Reuse, reused)
			}
		}
		if x.Reported != nil {
			row.Said, row.Reported = true, *x.Reported
		}
		if x.Total != nil {
			row.Total = *x.Total
		}
		out.Rows = append(out.Rows, row)
	}
	if p := r.Reported; p != nil {
		out.Reported = api.LabReported{Requests: p.Requests, Prompt: p.PromptTokens, Reused: p.ReusedTokens, Predicted: p.Predicted, Marked: p.Marked}
	}
	return out
}
