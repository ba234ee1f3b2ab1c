package store

import (
	"bytes"

	bolt "go.etcd.io/bbolt"
)

// What comes with a reply waits beside it, in the bucket of the reply, and moves to its own bucket with the next commit,
// which writes those pages anyway. A tool runs only after the reply is on the disk, so that commit is kept short.
// Readers look here first: whether a value waits is not seen from outside.

// lateLimit is up to which size, in bytes, a value waits: it is written twice.
const lateLimit = 32 << 10

// lateMark begins the keys of waiting values; then comes the bucket's name, a slash, and the key there.
var lateMark = []byte("late/")

func lateKey(bucket, key []byte) []byte {
	return bytes.Join([][]byte{lateMark, bucket, {'/'}, key}, nil)
}

// put stores a value in its bucket, or lets it wait.
func (s *Session) put(tx *bolt.Tx, bucket, key, value []byte, late bool) error {
	if late && len(value) <= lateLimit {
		s.late = true
		return tx.Bucket(bMeta).Put(lateKey(bucket, key), value)
	}
	b := tx.Bucket(bucket)
	b.FillPercent = fill
	return b.Put(key, value)
}

// settle moves what waits to where it belongs.
func (s *Session) settle(tx *bolt.Tx) error {
	if !s.late {
		return nil
	}
	s.late = false
	var keys [][]byte
	err := eachLate(tx, func(bucket, key, value []byte) error {
		keys = append(keys, lateKey(bucket, key))
		return s.put(tx, bytes.Clone(bucket), bytes.Clone(key), bytes.Clone(value), false)
	})
	for _, k := range keys {
		if err == nil {
			err = tx.Bucket(bMeta).Delete(k)
		}
	}
	return err
}

// eachLate visits what waits. Its bytes are the file's.
func eachLate(tx *bolt.Tx, visit func(bucket, key, value []byte) error) error {
	c := tx.Bucket(bMeta).Cursor()
	for k, v := c.Seek(lateMark); bytes.HasPrefix(k, lateMark); k, v = c.Next() {
		bucket, key, ok := bytes.Cut(k[len(lateMark):], []byte{'/'})
		if !ok || tx.Bucket(bucket) == nil {
			return ErrDamaged
		}
		if err := visit(bucket, key, v); err != nil {
			return err
		}
	}
	return nil
}

// lookup finds a value wherever it is; nil when there is none.
func lookup(tx *bolt.Tx, bucket, key []byte) []byte {
	if v := tx.Bucket(bMeta).Get(lateKey(bucket, key)); v != nil {
		return v
	}
	return tx.Bucket(bucket).Get(key)
}
