package predict

import (
	"context"
	"sync"

	"zimoscope/app/stored"
	"zimoscope/backend/lab"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

// Why nothing is predicted for a request.
const (
	Elsewhere = "elsewhere" // its provider keeps the history: it is not in the bytes
	Unread    = "unread"    // its stored bytes can't be read
)

// Forecast is what a cache of each class could reuse of one request, in tokens.
type Forecast struct {
	Why    string // Elsewhere or Unread; "" when it is predicted, and for what is no request that is understood
	Model  string // that was asked for
	Total  int    // of the prompt
	Reused []int  // by class, in the order of cachemodel.AllClasses; nil when it is not predicted
}

const (
	// nearBodies is how many requests are kept to read the next one beside: as many conversations may take turns.
	nearBodies = 4
	// nearBytes is up to how many bytes of memory they are kept; the latest always is.
	nearBytes = 32 << 20
)

// Reader answers for the requests of a stored session.
type Reader struct {
	sess *store.Session
	lab  *lab.Follower
	near []*store.Scanned // the latest last
}

// NewReader starts before the first request. sess stays the caller's.
func NewReader(sess *store.Session, c cachemodel.Counter) *Reader {
	return &Reader{sess: sess, lab: lab.Follow(c, cachemodel.AllClasses())}
}

// Next answers for a record, which has to be the one behind the last. The error is the context's.
func (r *Reader) Next(ctx context.Context, rec *record.Record) (Forecast, error) {
	if !stored.Asks(rec) {
		return Forecast{}, ctx.Err()
	}
	x, err := r.sess.Scan(rec.N, r.near...)
	if err != nil {
		return Forecast{Why: Unread}, ctx.Err()
	}
	r.keep(x)
	got, err := r.lab.Next(ctx, rec.Request(x.Body), stored.LabRequest(rec))
	if err != nil {
		return Forecast{}, err
	}
	out := Forecast{Total: got.Total, Reused: got.Reused}
	out.Model, _ = wire.String(x.Body.Bytes(wire.KindModel, 0))
	if got.Reused == nil {
		out.Why = Elsewhere
	}
	return out, nil
}

func (r *Reader) keep(x *store.Scanned) {
	r.near = append(r.near, x)
	size := 0
	for i := len(r.near) - 1; i >= 0; i-- {
		size += r.near[i].Size()
		if i < len(r.near)-1 && (size > nearBytes || len(r.near)-i > nearBodies) {
			r.near = append(r.near[:0:0], r.near[i+1:]...)
			return
		}
	}
}

// OneAtATime counts with c on one core, whoever asks: counting for a person who looks at something else takes no second.
func OneAtATime(c cachemodel.Counter) cachemodel.Counter { return &oneAtATime{counter: c} }

type oneAtATime struct {
	mu      sync.Mutex
	counter cachemodel.Counter
}

func (o *oneAtATime) Count(text []byte) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.counter.Count(text)
}
