package requestview

import "zimoscope/backend/transcript"

// markWithin is how many of the newest frozen messages are looked at for one that can carry a mark: a message of the
// model can't, and the one before it can. It bounds what stands loose behind the mark.
const markWithin = 8

// place puts the mark on a clone of the last frozen message that can carry one. The carrier and a pending record are
// never frozen. What stands behind the mark is loose in this request; the log stays as it is.
func (v *View) place(m transcript.CacheMark) {
	if m == transcript.NoMark {
		return
	}
	for at := v.n - 1; at >= max(0, v.n-markWithin); at-- {
		clone, ok := transcript.WithMark(v.log.Message(at), m)
		if !ok {
			continue
		}
		loose := make([][]byte, 0, v.n-at+len(v.loose))
		loose = append(loose, clone)
		for i := at + 1; i < v.n; i++ {
			loose = append(loose, v.log.Message(i))
		}
		v.loose, v.n = append(loose, v.loose...), at
		v.marked, v.mark = true, at
		return
	}
}

// Source gives what tells where the bytes of a message are kept, with the marked one left out: its bytes are those of no
// event.
func (v *View) Source(events func(i int) (appended, seal int)) func(i int) (appended, seal int) {
	if !v.marked {
		return events
	}
	return func(i int) (int, int) {
		if i == v.mark {
			return 0, 0
		}
		return events(i)
	}
}
