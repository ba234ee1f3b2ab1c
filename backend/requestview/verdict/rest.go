package verdict

import (
	"bytes"
	"slices"

	"zimoscope/backend/requestview/wire"
)

// piece is a run of a body that belongs to rest; a cut-out value stands between two pieces.
type piece struct {
	at  int
	raw []byte
}

// restPieces are the bytes of a body outside the chain, in order.
func restPieces(b *wire.Body) []piece {
	type span struct{ start, end int }
	var cuts []span
	if b.Model.End > 0 {
		cuts = append(cuts, span{b.Model.Start, b.Model.End})
	}
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem, wire.KindMessage} {
		if r := b.Region(k); r.At > 0 {
			cuts = append(cuts, span{r.At, regionEnd(b, k)})
		}
	}
	slices.SortFunc(cuts, func(a, c span) int { return a.start - c.start })
	var out []piece
	from := 0
	for _, c := range cuts {
		out = append(out, piece{from, b.Raw[from:c.start]})
		from = c.end
	}
	return append(out, piece{from, b.Raw[from:]})
}

// regionEnd is the offset of the closing bracket of a region, or behind the value of one that is no list.
func regionEnd(b *wire.Body, k wire.Kind) int {
	r := b.Region(k)
	end := r.At
	if n := r.Len(); n > 0 {
		_, end = b.Range(k, n-1)
	}
	if k == wire.KindSystem || b.Raw[r.At-1] != '[' {
		return end
	}
	return end + bytes.IndexByte(b.Raw[end:], ']')
}

// restDifference locates the first byte outside the chain that differs: the offset in each body.
func restDifference(prev, next *wire.Body) (prevAt, nextAt int) {
	a, b := restPieces(prev), restPieces(next)
	for i := 0; i < min(len(a), len(b)); i++ {
		n := wire.CommonPrefix(a[i].raw, b[i].raw)
		if n < len(a[i].raw) || n < len(b[i].raw) {
			return a[i].at + n, b[i].at + n
		}
	}
	return a[min(len(a), len(b))-1].at, b[min(len(a), len(b))-1].at
}

func restCause(prev, next *wire.Body) (Cause, *Context) {
	p, n := restDifference(prev, next)
	place := Place{Part: &PartRef{wire.KindRest, 0}, Path: "$" + pathTop(next.Raw, n), PartOffset: n, BodyOffset: n}
	return because(RestChanged, nil, place, say("rest")), contextOf(prev.Raw, p, next.Raw, n)
}

// pathTop is pathAt for a whole body, which may start with white space.
func pathTop(raw []byte, offset int) string {
	lead := len(raw) - len(bytes.TrimLeft(raw, " \t\r\n"))
	return pathAt(raw[lead:], offset-lead)
}
