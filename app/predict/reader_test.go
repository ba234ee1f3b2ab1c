package predict

import (
	"runtime"
	"sync"
	"testing"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

// Of the requests that were read the latest few are kept to read the next one beside, and no more of them than fit; the
// latest always is, however large.
func TestAReaderKeepsAFewRequestsAndNoMoreBytesThanItMay(t *testing.T) {
	read := func(sizes ...int) (kept []int) {
		r := &Reader{}
		for n, size := range sizes {
			r.keep(&store.Scanned{N: n + 1, Body: &wire.Body{Raw: make([]byte, size)}})
		}
		for _, x := range r.near {
			kept = append(kept, x.N)
		}
		return kept
	}
	for name, c := range map[string]struct {
		sizes []int
		first int
		kept  int
	}{
		"few":        {[]int{1, 1}, 1, 2},
		"many":       {make([]int, nearBodies+3), 4, nearBodies},
		"large":      {[]int{1, nearBytes / 2, nearBytes / 2, nearBytes / 2}, 3, 2},
		"very large": {[]int{1, 1, nearBytes + 1}, 3, 1},
	} {
		if kept := read(c.sizes...); len(kept) != c.kept || kept[0] != c.first {
			t.Errorf("%s: %d", name, kept)
		}
	}
}

// alone is a counter that notes who is in it together.
type alone struct{ inside, counted, together int }

func (a *alone) Count([]byte) int {
	a.inside++
	for range 20 {
		runtime.Gosched()
	}
	if a.inside > 1 {
		a.together++
	}
	a.inside--
	a.counted++
	return 1
}

func TestOneAtATimeCountsForOneAtATime(t *testing.T) {
	a := &alone{}
	c := OneAtATime(a)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				c.Count(nil)
			}
		})
	}
	all.Wait()
	if a.counted != 800 || a.together > 0 {
		t.Errorf("%d texts were counted, %d of them beside another", a.counted, a.together)
	}
}
