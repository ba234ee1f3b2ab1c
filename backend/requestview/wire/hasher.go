package wire

import (
	"crypto/sha256"
	"hash"
)

// hasher reuses one digest for many leaves: a new one for each message costs more than a short message itself.
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
	h.start(kind)
	h.d.Write(b)
	return h.sum()
}
