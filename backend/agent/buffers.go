package agent

import (
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/wire"
)

// buffers are memory for two bodies, the last one that was sent and the next: a long session's body is megabytes, and
// most of it stands in the same place two requests later.
type buffers struct {
	two  [2]*wire.Buffer
	free int    // which of them holds no sent body that is still asked for
	sent []byte // what a tap saw of the last attempt
}

// next is where the next request is built, and built again while it waits.
func (b *buffers) next() *wire.Buffer {
	if b.two[b.free] == nil {
		b.two[b.free] = new(wire.Buffer)
	}
	return b.two[b.free]
}

// taken says that the body in next was admitted: it stays until the one behind it was.
func (b *buffers) taken() { b.free = 1 - b.free }

// settled lets go of a body whose transport may still hold it: an attempt that was not taken whole.
func (b *buffers) settled(rec *Record) {
	if rec.Proof != record.ProofHolds {
		b.two[1-b.free] = nil
	}
}
