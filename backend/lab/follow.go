package lab

import (
	"cmp"
	"context"
	"slices"

	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
)

// followedText bounds the texts that a Follower keeps to compare new ones with, in bytes. Of what fell out only the tokens
// are kept: where a request parts inside such a text, the text counts as different from its first byte.
const followedText = 64 << 20

// Follower says of one request after the other what Run says of a whole session as it was recorded. What it keeps grows
// with the number of different parts, not with the number of requests that hold them. It is for one goroutine.
type Follower struct {
	rec   *recording
	sight *foresight
	n     int
	used  []int // by piece: in which request it was last
	bytes int   // of the texts that are kept
	most  int
}

// Forecast is what each class could reuse of one request, in tokens.
type Forecast struct {
	Total  int   // of the prompt
	Reused []int // by class; nil where nothing can be said: the history is not in the bytes
}

// Follow starts before the first request of a session.
func Follow(c cachemodel.Counter, classes []cachemodel.Class) *Follower {
	r := newRecording(c)
	return &Follower{rec: r, sight: newForesight(r, classes), most: followedText}
}

// Next answers for the next request. about.N and about.Usage are not looked at. The error is the context's; the request
// may be given again then.
func (f *Follower) Next(ctx context.Context, q *verdict.Request, about Request) (Forecast, error) {
	known := len(f.used)
	s := f.rec.step(q, about)
	if err := f.rec.pieces.Count(ctx, nil); err != nil {
		return Forecast{}, err
	}
	d := asRecorded(f.rec, f.n, &s)
	f.n++
	f.use(known, &d)
	got, _ := f.sight.next(f.n-1, &d, &s)
	if got.reuse == nil {
		return Forecast{}, nil
	}
	out := Forecast{Total: got.total, Reused: make([]int, len(got.reuse))}
	for c, r := range got.reuse {
		out.Reused[c] = min(r.Reused, got.total)
	}
	return out, nil
}

// use notes the pieces of a request, and lets go of the texts that were used longest ago when they are too many.
func (f *Follower) use(known int, d *draft) {
	pieces := f.rec.prompt(d, 0).Pieces
	for _, id := range pieces {
		for int(id) >= len(f.used) {
			f.used = append(f.used, 0)
		}
		f.used[id] = f.n
	}
	for id := known; id < len(f.used); id++ {
		f.bytes += len(f.rec.pieces.Get(int32(id)).Text)
	}
	if f.bytes <= f.most {
		return
	}
	old := make([]int32, 0, len(f.used))
	for id, last := range f.used {
		if last < f.n {
			old = append(old, int32(id))
		}
	}
	slices.SortFunc(old, func(a, b int32) int { return cmp.Compare(f.used[a], f.used[b]) })
	for _, id := range old {
		if f.bytes <= f.most/2 {
			break
		}
		f.bytes -= f.rec.pieces.LetGo(id)
	}
}
