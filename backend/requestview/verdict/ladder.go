package verdict

import (
	"strings"

	"zimoscope/backend/requestview/wire"
)

// RungState is what became of one part, for drawing.
type RungState string

// States of a rung.
const (
	RungEqual       RungState = "equal"        // the same link: everything up to here is proved equal
	RungSameBytes   RungState = "same-bytes"   // the same bytes behind something that changed
	RungGrew        RungState = "grew"         // a pending record that was sealed
	RungChanged     RungState = "changed"      // anything else in its place
	RungNew         RungState = "new"          // only in the later request
	RungGone        RungState = "gone"         // only in the earlier request
	RungRequestOnly RungState = "request-only" // the carrier of the tail
)

// Rung is one part, or a folded run of Count parts in one state. Prev and Next are the indexes of its first part in
// each request, -1 where it has none.
type Rung struct {
	Kind  wire.Kind `json:"kind"`
	State RungState `json:"state"`
	Prev  int       `json:"prev"`
	Next  int       `json:"next"`
	Count int       `json:"count"`
	Bytes int       `json:"bytes"` // of the run, in the later request, or in the earlier one when gone
}

// Ladder lists the parts of both requests in chain order, equal neighbours folded.
func Ladder(prev, next *Request) []Rung {
	l := &ladder{a: newView(prev), b: newView(next)}
	model := RungEqual
	if l.a.body.Model.Leaf != l.b.body.Model.Leaf {
		model = RungChanged
	}
	l.add(Rung{wire.KindModel, model, 0, 0, 1, l.b.body.Model.End - l.b.body.Model.Start})
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem, wire.KindMessage} {
		l.region(k)
	}
	rest := RungEqual
	if l.a.body.Rest != l.b.body.Rest {
		rest = RungChanged
	}
	l.add(Rung{wire.KindRest, rest, 0, 0, 1, 0})
	return l.out
}

type ladder struct {
	a, b *view
	out  []Rung
}

// add folds a rung into the one before when both are a run of the same kind and state.
func (l *ladder) add(r Rung) {
	if n := len(l.out); n > 0 {
		p := &l.out[n-1]
		follows := (p.Prev < 0) == (r.Prev < 0) && (p.Next < 0) == (r.Next < 0) &&
			(r.Prev < 0 || r.Prev == p.Prev+p.Count) && (r.Next < 0 || r.Next == p.Next+p.Count)
		if p.Kind == r.Kind && p.State == r.State && follows && r.State != RungChanged && r.State != RungGrew {
			p.Count, p.Bytes = p.Count+r.Count, p.Bytes+r.Bytes
			return
		}
	}
	l.out = append(l.out, r)
}

func (l *ladder) region(k wire.Kind) {
	a, b := l.a.body, l.b.body
	state := RungSameBytes
	if base(a, k) == base(b, k) {
		state = RungEqual
	}
	n := equalParts(a, b, k)
	if n > 0 {
		from, _ := b.Range(k, 0)
		_, to := b.Range(k, n-1)
		l.add(Rung{k, state, 0, 0, n, to - from})
	}
	ids := interner[wire.Hash]{}
	keys := func(r *wire.Region) []int32 {
		out := make([]int32, 0, r.Len()-n)
		for i := n; i < r.Len(); i++ {
			out = append(out, ids.id(r.Part(i).Leaf))
		}
		return out
	}
	i, j := n, n
	for _, r := range align(keys(a.Region(k)), keys(b.Region(k))) {
		l.between(k, i, n+r.A, j, n+r.B)
		for d := range r.N {
			state := RungSameBytes
			if k == wire.KindMessage && l.a.carrier(n+r.A+d) && l.b.carrier(n+r.B+d) {
				state = RungRequestOnly
			}
			l.add(Rung{k, state, n + r.A + d, n + r.B + d, 1, size(b, k, n+r.B+d)})
		}
		i, j = n+r.A+r.N, n+r.B+r.N
	}
	l.between(k, i, a.Region(k).Len(), j, b.Region(k).Len())
}

func size(b *wire.Body, k wire.Kind, i int) int {
	from, to := b.Range(k, i)
	return to - from
}

// between pairs the parts of a stretch that have no equal: in place, then what is left over on one side. A carrier
// that is wholly request-only is nobody's predecessor.
func (l *ladder) between(k wire.Kind, i, endA, j, endB int) {
	for i < endA || j < endB {
		carrierA := k == wire.KindMessage && l.a.carrier(i)
		carrierB := k == wire.KindMessage && l.b.carrier(j)
		switch {
		case i < endA && j < endB && carrierA && carrierB:
			l.add(Rung{k, RungRequestOnly, i, j, 1, size(l.b.body, k, j)})
			i, j = i+1, j+1
		case j < endB && carrierB && i >= endA:
			l.add(Rung{k, RungRequestOnly, -1, j, 1, size(l.b.body, k, j)})
			j++
		case i < endA && carrierA:
			l.add(Rung{k, RungRequestOnly, i, -1, 1, size(l.a.body, k, i)})
			i++
		case i < endA && j < endB && !carrierB:
			l.add(Rung{k, l.pair(k, i, j), i, j, 1, size(l.b.body, k, j)})
			i, j = i+1, j+1
		case i < endA:
			l.add(Rung{k, RungGone, i, -1, 1, size(l.a.body, k, i)})
			i++
		default:
			l.add(Rung{k, RungNew, -1, j, 1, size(l.b.body, k, j)})
			j++
		}
	}
}

// carrier says whether message i is wholly request-only.
func (v *view) carrier(i int) bool { return v.tail >= 0 && v.partial == nil && i == v.hist }

func (l *ladder) pair(k wire.Kind, i, j int) RungState {
	if k != wire.KindMessage {
		return RungChanged
	}
	x, y := l.a.elemAt(i), l.b.elemAt(j)
	switch g, _ := compareElems(x, y); g {
	case same:
		return RungEqual // but for the tail that one of them carries
	case sealed:
		return RungGrew
	}
	return RungChanged
}

// elemAt is the history element at a place.
func (v *view) elemAt(i int) *elem {
	if v.partial != nil && i == v.hist {
		return v.partial
	}
	raw := v.body.Bytes(wire.KindMessage, i)
	return &elem{index: i, raw: raw, whole: raw, leaf: v.body.Messages.Part(i).Leaf}
}

// partText is the text of a part as a person reads it: each string decoded, with the path it stands at.
func partText(raw []byte) string {
	var b strings.Builder
	eachString(raw, func(t stringToken) {
		s, _ := wire.String(raw[t.start:t.end])
		switch {
		case t.isKey:
		case t.key == "":
			b.WriteString(s + "\n")
		case strings.Contains(s, "\n"):
			b.WriteString(t.key + ":\n" + s + "\n")
		default:
			b.WriteString(t.key + ": " + s + "\n")
		}
	})
	return b.String()
}
