package lab

import (
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/wire"
)

// foresight shows a cache of every class the requests of a recording, in order. A retry is told what its first attempt
// was, and is not shown: what the first attempt left in a cache depends on how far it came, which its bytes don't show.
type foresight struct {
	rec    *recording
	cache  *cachemodel.Cache
	places []int // by place in the cache: which request it was shown
	said   map[wire.Hash]foretold
}

// foretold is what the classes make of a request; reuse is nil where nothing can be said.
type foretold struct {
	reuse []cachemodel.Reuse
	total int
}

func newForesight(r *recording, classes []cachemodel.Class) *foresight {
	return &foresight{rec: r, cache: cachemodel.NewCache(r.pieces, classes), said: map[wire.Hash]foretold{}}
}

// next answers for request i as a draft has it. fresh says that the cache was shown it. Its pieces must be counted.
func (f *foresight) next(i int, d *draft, s *step) (out foretold, fresh bool) {
	if s.elsewhere {
		return foretold{}, false
	}
	if first, ok := f.said[s.key]; s.retry && ok {
		return first, false
	}
	out.reuse, out.total = f.cache.Next(f.rec.prompt(d, s.at))
	f.places = append(f.places, i)
	f.said[s.key] = out
	return out, true
}
