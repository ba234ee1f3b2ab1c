package store

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
)

// begunFor is how long a file that a program began may wait for its name. Making one takes milliseconds: what is older
// was left by a program that died.
const begunFor = time.Minute

func begunPath(dir, id string) string { return filepath.Join(dir, id+".begun") }

// create makes the file of a session under another name, and gives it its own once it is whole and on the disk: whenever
// the program ends, there is a session that can be opened, or none.
func create(dir, id string, info Info) error {
	removeBegun(dir)
	path := begunPath(dir, id)
	err := initialise(dir, id, info)
	if err == nil {
		err = os.Rename(path, sessionPath(dir, id))
	}
	if err != nil {
		if _, gone := os.Stat(path); gone == nil {
			err = errors.Join(err, os.Remove(path))
		}
		return writeError(err)
	}
	syncDir(dir)
	return nil
}

func initialise(dir, id string, info Info) error {
	raw, err := json.Marshal(info)
	if err != nil {
		return err
	}
	db, err := bolt.Open(begunPath(dir, id), 0o600, options(forWriting))
	if err != nil {
		return openError(dir, id, err)
	}
	db.AllocSize = growBy
	err = db.Update(func(tx *bolt.Tx) error {
		for _, b := range buckets {
			if _, err := tx.CreateBucket(b); err != nil {
				return err
			}
		}
		meta := tx.Bucket(bMeta)
		return errors.Join(meta.Put(kFormat, key(format)), meta.Put(kInfo, raw))
	})
	return errors.Join(err, db.Close())
}

// removeBegun takes away what programs that died left. Nothing was ever acknowledged of it.
func removeBegun(dir string) {
	old, err := filesEndingIn(dir, ".begun")
	if err != nil {
		return
	}
	for _, name := range old {
		path := filepath.Join(dir, name)
		if st, err := os.Stat(path); err == nil && time.Since(st.ModTime()) > begunFor {
			_ = os.Remove(path) // the next time then
		}
	}
}
