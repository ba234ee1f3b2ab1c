package wire

import (
	"crypto/sha256"
	"hash"
)

// shortLeaf is the size in bytes up to which a leaf is hashed in one go, from a copy behind its kind: for the messages
// of most sessions that is faster than feeding a digest piece by piece (measured with BenchmarkFullHash).
const shortLeaf = 8 << 10

// hasher reuses one digest, and one piece of memory, for many leaves: a new one for each message costs more than a
// short message itself.
type hasher struct {
	d   hash.Hash
	buf [sha256.Size]byte
	pre []byte
}

func (h *hasher) start(kind Kind) {
	if h.d == nil {
		h.d = sha256.New()
	} else {
		h.d.Reset()
	}
	h.pre = append(append(h.pre[:0], kind...), 0)
	h.d.Write(h.pre)
}

func (h *hasher) write(b []byte) { h.d.Write(b) }

func (h *hasher) sum() Hash { return Hash(h.d.Sum(h.buf[:0])) }

func (h *hasher) leaf(kind Kind, b []byte) Hash {
	if len(b) <= shortLeaf {
		h.pre = append(append(append(h.pre[:0], kind...), 0), b...)
		return sha256.Sum256(h.pre)
	}
	h.start(kind)
	h.d.Write(b)
	return h.sum()
}
