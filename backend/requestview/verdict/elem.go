package verdict

import "zimoscope/backend/requestview/wire"

// elem is one message of the history being compared, or the part of the last message that stands before the tail.
type elem struct {
	index   int    // in messages
	raw     []byte // as sent; of a partial one, what precedes the tail
	whole   []byte // raw, completed to a JSON value
	partial bool
	leaf    wire.Hash // of whole, without cache marks
	marked  bool      // the bytes differ from the leaf by cache marks
}

// withoutMarks is the element as it would be without cache marks; itself when it has none.
func (e *elem) withoutMarks() *elem {
	raw, marked := WithoutMarks(e.raw)
	if !marked {
		return e
	}
	plain := *e
	plain.raw, plain.marked = raw, false
	plain.whole, _ = WithoutMarks(e.whole)
	return &plain
}

// length counts the history: whole messages, and the one whose start is history.
func (v *view) length() int {
	if v.partial != nil {
		return v.hist + 1
	}
	return v.hist
}

// elems lists the history from a message on, whole messages first, then the partial one.
func (v *view) elems(from int) []elem {
	out := make([]elem, 0, max(0, v.hist-from)+1)
	for i := from; i < v.hist; i++ {
		raw := v.body.Bytes(wire.KindMessage, i)
		leaf := v.body.Messages.Part(i).Leaf
		plain := plainLeaf(wire.KindMessage, raw, leaf)
		out = append(out, elem{index: i, raw: raw, whole: raw, leaf: plain, marked: plain != leaf})
	}
	if v.partial != nil && v.hist >= from {
		e := *v.partial
		e.leaf = plainLeaf(wire.KindMessage, e.whole, e.leaf)
		out = append(out, e)
	}
	return out
}

// base is the link that a region's first part follows.
func base(b *wire.Body, k wire.Kind) wire.Hash {
	link := b.Model.Link
	for _, before := range []wire.Kind{wire.KindTool, wire.KindSystem, wire.KindMessage} {
		if before == k {
			break
		}
		if r := b.Region(before); r.Len() > 0 {
			link = r.Part(r.Len() - 1).Link
		}
	}
	return link
}

// equalParts counts the equal parts at the start of a region, from a part on. Where everything before the region is
// equal too, links prove it in a logarithm of steps; else leaves are compared one by one.
func equalParts(a, b *wire.Body, k wire.Kind) int {
	ra, rb := a.Region(k), b.Region(k)
	n := min(ra.Len(), rb.Len())
	if base(a, k) != base(b, k) {
		i := 0
		for i < n && ra.Part(i).Leaf == rb.Part(i).Leaf {
			i++
		}
		return i
	}
	low, high := 0, n
	if n > 0 && ra.Part(n-1).Link == rb.Part(n-1).Link {
		return n
	}
	for low < high {
		mid := (low + high) / 2
		if ra.Part(mid).Link == rb.Part(mid).Link {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
