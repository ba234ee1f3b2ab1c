package service

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"zimoscope/app/api"
	"zimoscope/app/predict"
	"zimoscope/backend/agent"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
)

const (
	// quietFor is how long after a question nothing is counted: until what was asked for is drawn.
	quietFor = 400 * time.Millisecond
	// givesWay is how long counting waits at most, and countsFor how long it then goes on before it gives way again:
	// whoever asks all the time delays it and can't stop it.
	givesWay  = 2 * time.Second
	countsFor = 50 * time.Millisecond
	// foreseenEvery is how often the timeline is told of predictions while many are made.
	foreseenEvery = 500 * time.Millisecond
	// counting is why nothing is predicted yet.
	counting = "counting"
	// stopped is why nothing will be: the program made a mistake while it counted.
	stopped = "stopped"
)

// sight is what is predicted of another agent's session. Its owner holds a lock around every method.
type sight struct {
	kinds   *predict.Kinds
	classes []string           // names, in the order of forecasts
	list    []predict.Forecast // of request 1, 2, …; those behind are not counted yet
	stopped bool               // they never will be while the session is open
}

func newSight(known []predict.Forecast) *sight {
	s := &sight{kinds: predict.NewKinds(), list: known}
	for _, c := range cachemodel.AllClasses() {
		s.classes = append(s.classes, c.Name)
	}
	return s
}

// hear takes a report in; it says whether rows of the same sender are of another class now.
func (s *sight) hear(r *agent.Record) bool { return s != nil && s.kinds.Hear(r) }

// forecast gives what is predicted of a request; else why nothing is.
func (s *sight) forecast(r *agent.Record) (f predict.Forecast, why string) {
	if r.N > len(s.list) {
		if s.stopped {
			return f, stopped
		}
		return f, counting
	}
	f = s.list[r.N-1]
	return f, f.Why
}

// rowOf is a record's row; of another agent's with what is predicted of it.
func (l *ledger) rowOf(r *agent.Record) api.RequestRow {
	row := rowOf(r)
	if l.sight == nil || row.Kind == record.KindOther {
		return row
	}
	f, why := l.sight.forecast(r)
	row.Predicted, row.Unpredicted = nil, why
	if f.Reused != nil {
		class, exact := l.sight.kinds.Of(r, f.Model)
		row.Predicted = &api.Predict{Class: class, Reused: f.Reused[slices.Index(l.sight.classes, class)], Total: f.Total, Exact: exact}
	}
	return row
}

// foretell takes the next prediction in. It is of the request behind those that are predicted.
func (l *ledger) foretell(f predict.Forecast) {
	l.sight.list = append(l.sight.list, f)
	l.rev++
	l.show(len(l.sight.list))
}

// show brings a request's row up to date.
func (l *ledger) show(n int) {
	if n > len(l.lines) {
		return
	}
	old := l.lines[n-1]
	next := line{old.rec, l.rowOf(old.rec), l.rev}
	l.sums.add(old, -1)
	l.sums.add(next, 1)
	l.lines[n-1] = next
}

// showAgain does so with all requests of a sender.
func (l *ledger) showAgain(s predict.Sender) {
	for n := range min(len(l.lines), len(l.sight.list)) {
		if predict.SenderOf(l.lines[n].rec) == s {
			l.show(n + 1)
		}
	}
}

// shown gives a request's row for its view, with the predictions of every class. A request that is still to be predicted
// is told of when it is.
func (b *book) shown(r *agent.Record) (api.RequestRow, []api.Predict) {
	b.mu.Lock()
	defer b.mu.Unlock()
	row := b.rowOf(r)
	if row.Unpredicted == counting {
		b.asked[r.N] = true
	}
	if b.sight == nil || row.Predicted == nil {
		return row, []api.Predict{}
	}
	f, _ := b.sight.forecast(r)
	list := make([]api.Predict, len(f.Reused))
	for c, reused := range f.Reused {
		list[c] = api.Predict{Class: b.sight.classes[c], Reused: reused, Total: f.Total, Exact: row.Predicted.Exact}
	}
	return row, list
}

// foresee predicts for the requests of another agent's session, one after the other, and for those that come while it
// is open.
func (s *Service) foresee(ctx context.Context, b *book) {
	if b.sight == nil {
		return
	}
	err := safely(func() error { return s.foreseeAll(ctx, b) })
	if err != nil && ctx.Err() == nil {
		s.set(func() { s.fault = err.Error() })
		s.publish(topicState, b.sess.ID)
		for _, n := range b.stopForeseeing() {
			s.publish(topicRequest, fmt.Sprintf("%s/%d", b.sess.ID, n))
		}
		s.publish(topicTimeline, b.sess.ID)
	}
}

// foreseeAll ends with its context. What was predicted when the session was open before is gone through once more only
// when a request comes behind it.
func (s *Service) foreseeAll(ctx context.Context, b *book) error {
	known := b.foreseen()
	if b.await(ctx, known+1, func() {}) == nil {
		return nil
	}
	reader := predict.NewReader(b.sess, s.counter)
	var told, worked time.Time
	for n := 1; ; n++ {
		rec := b.await(ctx, n, func() { s.publish(topicTimeline, b.sess.ID) })
		if rec == nil {
			return nil
		}
		if time.Since(worked) >= countsFor {
			b.giveWay(ctx)
			worked = time.Now()
		}
		f, err := reader.Next(ctx, rec)
		if err != nil {
			return err
		}
		if n <= known {
			continue
		}
		if b.foretell(n, f) {
			s.publish(topicRequest, fmt.Sprintf("%s/%d", b.sess.ID, n))
		}
		if time.Since(told) >= foreseenEvery {
			told = time.Now()
			s.publish(topicTimeline, b.sess.ID)
		}
	}
}

// touch notes that a person waits for an answer.
func (b *book) touch() { b.touched.Store(time.Now().UnixMilli()) }

// giveWay waits while somebody asks.
func (b *book) giveWay(ctx context.Context) {
	from := time.Now()
	for ctx.Err() == nil {
		left := min(quietFor-time.Since(time.UnixMilli(b.touched.Load())), givesWay-time.Since(from))
		if left <= 0 {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(left, quietFor)): // a clock that was set back would say more
		}
	}
}

func (b *book) foreseen() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.sight.list)
}

// await gives record n when it is there; nil when the context ended before. idle is told once when it has to wait.
func (b *book) await(ctx context.Context, n int, idle func()) *agent.Record {
	for waited := false; ctx.Err() == nil; waited = true {
		if rec, err := b.record(n); err == nil {
			return rec
		}
		if !waited {
			idle()
		}
		select {
		case <-ctx.Done():
		case <-b.more:
		}
	}
	return nil
}

// stopForeseeing says of all requests that are not predicted that they will not be; it gives those that were looked at.
func (b *book) stopForeseeing() (asked []int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sight.stopped = true
	b.rev++
	for n := len(b.sight.list) + 1; n <= len(b.lines); n++ {
		b.show(n)
	}
	asked = slices.Sorted(maps.Keys(b.asked))
	clear(b.asked)
	return asked
}

// foretell takes the prediction for request n in, and says whether somebody looked at it before.
func (b *book) foretell(n int, f predict.Forecast) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ledger.foretell(f)
	asked := b.asked[n]
	delete(b.asked, n)
	return asked
}

const (
	// keptSights is of how many sessions predictions are kept when they are closed.
	keptSights = 8
	// keptForecasts bounds them together: about 40 MB.
	keptForecasts = 200_000
)

// sights are the predictions of sessions that were open, so that opening them once more costs no counting.
type sights struct {
	mu   sync.Mutex
	list []kept // the latest last
}

type kept struct {
	id    string
	proof [sha256.Size]byte // over the requests that they are of
	list  []predict.Forecast
}

func newSights() *sights { return &sights{} }

// keep takes over what a book that is closed holds.
func (s *sights) keep(b *book) {
	if b.sight == nil || len(b.sight.list) == 0 {
		return
	}
	var recs []*agent.Record
	for _, at := range b.lines[:min(len(b.lines), len(b.sight.list))] {
		recs = append(recs, at.rec)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(b.sess.ID)
	s.list = append(s.list, kept{b.sess.ID, requestsProof(recs), b.sight.list})
	total := 0
	for i := len(s.list) - 1; i >= 0; i-- {
		if total += len(s.list[i].list); total > keptForecasts || len(s.list)-i > keptSights {
			s.list = append(s.list[:0:0], s.list[i+1:]...)
			return
		}
	}
}

func (s *sights) drop(id string) {
	s.list = slices.DeleteFunc(s.list, func(k kept) bool { return k.id == id })
}

// recall gives the predictions of a session whose requests begin with those that they were made of.
func (s *sights) recall(id string, recs []*agent.Record) []predict.Forecast {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.list {
		if k.id == id && len(k.list) <= len(recs) && k.proof == requestsProof(recs[:len(k.list)]) {
			return k.list[:len(k.list):len(k.list)]
		}
	}
	return nil
}

// requestsProof is equal for the same requests at the same times.
func requestsProof(recs []*agent.Record) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, r := range recs {
		h.Write(r.Meta.BodySHA256[:])
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(r.SentAt)))
	}
	h.Sum(sum[:0])
	return sum
}
