package lab

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// ErrNothing means that a session holds no request whose prompt is known.
var ErrNothing = errors.New("this session holds no request that a cache could be asked about")

// Request is what is known of one recorded request beside its bytes.
type Request struct {
	N      int
	SentAt int64            // milliseconds; 0: not known
	Usage  cachemodel.Usage // as the provider reported it
	Retry  bool             // the same request once more: it is predicted as its first attempt was, which it must not find in the cache
	// Explicit says that its sender places every mark itself, so that a request without any asks for no cache.
	Explicit bool
}

// Input is a session to look into.
type Input struct {
	Requests []Request                             // in the order in which they were sent
	Body     func(i int) (*verdict.Request, error) // the bytes of Requests[i]; asked once for each, in order
	Own      string                                // the class that the session's provider is said to follow, "" when not known
	Exact    bool                                  // the counter is the model's own
}

// Engine gives the tokens of a body as an engine cuts it. engine.Client is one.
type Engine interface {
	Tokens(ctx context.Context, body []byte) ([]int, error)
}

// Progress is one line about work that takes its time.
type Progress struct {
	Stage    string // read, count, tokens, compare
	Done, Of int
}

// Options are how a session is looked into. The zero value asks everything of everything.
type Options struct {
	Classes    []cachemodel.Class // nil: all of package cachemodel
	Strategies []string           // nil: all
	Prices     *Prices            // nil: BuiltInPrices
	Idle       time.Duration      // in place of the classes' own idle times; 0: theirs
	Counter    cachemodel.Counter // nil: o200k_base
	Engine     Engine             // nil: tokens are the counter's
	Progress   func(Progress)     // may be nil; called from one goroutine at a time and must not block
}

// Run answers for a whole session. Errors: ErrNothing, an unknown strategy, a request that can't be read, an engine that
// fails, and the context's.
func Run(ctx context.Context, in Input, o Options) (*Result, error) {
	if len(in.Requests) == 0 {
		return nil, ErrNothing
	}
	l, err := prepare(in, o)
	if err != nil {
		return nil, err
	}
	if l.rec, err = record(ctx, in, l.counter, func(done, of int) { l.tell("read", done, of) }); err != nil {
		return nil, err
	}
	if err := l.count(ctx); err != nil {
		return nil, err
	}
	for _, s := range l.strategies { // what the strategies make of parts is made here, so that they can run side by side
		next := s.start(l.rec)
		for i := range l.rec.steps {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			next(i)
		}
	}
	if err := l.count(ctx); err != nil {
		return nil, err
	}
	if err := l.simulate(ctx); err != nil {
		return nil, err
	}
	return l.result(), nil
}

// run is one call of Run.
type run struct {
	in         Input
	o          Options
	counter    cachemodel.Counter
	classes    []cachemodel.Class
	strategies []strategy
	rec        *recording
	outcomes   []outcome // by strategy
	ids        *tokenStore

	mu   sync.Mutex
	done int
}

// outcome is what one strategy came to.
type outcome struct {
	prompt int // tokens of all prompts
	sums   []sum
	single [][]int // of the recorded requests alone: by request, by class
	totals []int
	err    error

	panicked *Panic
}

// Panic is what Run panics with for a panic of one of its goroutines: only in the caller's can a caller catch it.
type Panic struct {
	Value any
	Stack []byte // of where it came from
}

// sum is the tokens of one class under one strategy.
type sum struct{ reused, written int }

func prepare(in Input, o Options) (*run, error) {
	l := &run{in: in, o: o, counter: o.Counter, classes: o.Classes}
	if l.counter == nil {
		l.counter = cachemodel.O200k()
	}
	if l.classes == nil {
		l.classes = cachemodel.AllClasses()
	}
	l.classes = append([]cachemodel.Class(nil), l.classes...)
	for i := range l.classes {
		if o.Idle > 0 {
			l.classes[i].Idle = o.Idle
		}
	}
	names := o.Strategies
	if names == nil {
		names = StrategyNames()
	}
	for _, name := range names {
		s, err := strategyNamed(name)
		if err != nil {
			return nil, err
		}
		l.strategies = append(l.strategies, s)
	}
	l.outcomes = make([]outcome, len(l.strategies))
	if o.Engine != nil {
		l.ids = &tokenStore{engine: o.Engine, held: map[wire.Hash][]int{}}
	}
	return l, nil
}

func (l *run) tell(stage string, done, of int) {
	if l.o.Progress != nil {
		l.o.Progress(Progress{stage, done, of})
	}
}

func (l *run) count(ctx context.Context) error {
	return l.rec.pieces.Count(ctx, func(done, of int) { l.tell("count", done, of) })
}

// simulate runs the strategies, side by side on all cores; with an engine one after the other, since it is the engine
// that takes the time.
func (l *run) simulate(ctx context.Context) error {
	workers := runtime.GOMAXPROCS(0)
	if l.ids != nil {
		workers = 1
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	free := make(chan struct{}, workers)
	var all sync.WaitGroup
	for i := range l.strategies {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			defer func() {
				if p := recover(); p != nil {
					l.outcomes[i].panicked = &Panic{p, debug.Stack()}
					stop()
				}
			}()
			if l.outcomes[i].err = l.one(ctx, i); l.outcomes[i].err != nil {
				stop()
			}
		})
	}
	all.Wait()
	for _, out := range l.outcomes {
		if out.panicked != nil {
			panic(out.panicked)
		}
	}
	var cancelled error
	for _, out := range l.outcomes {
		if out.err != nil && !errors.Is(out.err, context.Canceled) {
			return out.err
		}
		if out.err != nil {
			cancelled = out.err
		}
	}
	return cancelled
}

// one runs one strategy.
func (l *run) one(ctx context.Context, which int) error {
	s, out := l.strategies[which], &l.outcomes[which]
	out.sums = make([]sum, len(l.classes))
	cache := newForesight(l.rec, l.classes)
	next := s.start(l.rec)
	l.ids.begin()
	for i := range l.rec.steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := next(i)
		l.ids.draft(d)
		f, fresh := cache.next(i, &d, &l.rec.steps[i])
		if l.ids != nil && fresh {
			var err error
			if f.total, err = l.exact(ctx, i, cache.places, f.reuse, f.total); err != nil {
				return err
			}
			cache.said[l.rec.steps[i].key] = f
		}
		if f.reuse != nil {
			out.add(f.reuse, f.total)
		}
		if s.name == AsRecorded {
			out.keep(f.reuse, f.total)
		}
		l.step()
	}
	return nil
}

func (o *outcome) add(reuse []cachemodel.Reuse, total int) {
	o.prompt += total
	for c, r := range reuse {
		reused := min(r.Reused, total)
		o.sums[c].reused += reused
		o.sums[c].written += min(r.Written, total-reused)
	}
}

// keep notes a single request; nil is one that nothing can be said of.
func (o *outcome) keep(reuse []cachemodel.Reuse, total int) {
	var row []int
	if reuse != nil {
		row = make([]int, len(reuse))
	}
	for c, r := range reuse {
		row[c] = min(r.Reused, total)
	}
	o.single, o.totals = append(o.single, row), append(o.totals, total)
}

func (l *run) step() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done++
	l.tell("compare", l.done, len(l.strategies)*len(l.rec.steps))
}
