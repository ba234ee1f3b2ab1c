package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// Version names the hash chain; it is the first input of every chain.
const Version = "zimoscope-chain/1"

// Hash is a SHA-256 sum.
type Hash [sha256.Size]byte

// String gives the 64 hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText gives the 64 hexadecimal digits, so that JSON shows what a person can compare with sha256sum.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads 64 hexadecimal digits.
func (h *Hash) UnmarshalText(b []byte) error {
	if len(b) != 2*len(h) {
		return errors.New("a hash has 64 hexadecimal digits")
	}
	_, err := hex.Decode(h[:], b)
	return err
}

// Kind says which region of a request a part belongs to.
type Kind string

// The kinds of parts, in the order in which the chain takes them. Rest stands beside the chain.
const (
	KindModel   Kind = "model"
	KindTool    Kind = "tool"
	KindSystem  Kind = "system" // only in shapes that keep it outside messages
	KindMessage Kind = "message"
	KindRest    Kind = "rest"
)

// Leaf is SHA-256(kind ‖ 0x00 ‖ b), b being the raw bytes of one JSON value as sent.
func Leaf(kind Kind, b []byte) Hash {
	var hs hasher
	return hs.leaf(kind, b)
}

// FirstLink is link[0] = SHA-256(version ‖ 0x00 ‖ leaf of the model value).
func FirstLink(modelLeaf Hash) Hash {
	return sha256.Sum256(append([]byte(Version+"\x00"), modelLeaf[:]...))
}

// NextLink is link[i+1] = SHA-256(link[i] ‖ leaf_i).
func NextLink(prev, leaf Hash) Hash {
	var b [2 * sha256.Size]byte
	copy(b[:], prev[:])
	copy(b[sha256.Size:], leaf[:])
	return sha256.Sum256(b[:])
}
