package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	bolt "go.etcd.io/bbolt"
)

// compactStep bounds one transaction while a file is copied, in bytes.
const compactStep = 4 << 20

func compactPath(dir, id string) string { return filepath.Join(dir, id+".compact") }

// Compact writes the session into a new file without unused pages and puts that in the place of the old one: copied,
// flushed, renamed. Reading goes on meanwhile, commits wait. When it fails or the program dies, the old file stands as it
// was. before and after are the sizes of the file in bytes.
func (s *Session) Compact() (before, after int64, err error) {
	defer guard(&err)
	if s.readOnly {
		return 0, 0, ErrReading
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	path, next := sessionPath(s.dir, s.ID), compactPath(s.dir, s.ID)
	if before, err = sizeOf(path); err != nil {
		return 0, 0, err
	}
	if err := ignoreMissing(os.Remove(next)); err != nil { // left over from a program that died
		return before, before, err
	}
	fresh, err := s.copyTo(next)
	if err != nil {
		return before, before, errors.Join(writeError(err), ignoreMissing(os.Remove(next)))
	}
	if err := s.exchange(fresh, next, path); err != nil {
		return before, before, err
	}
	syncDir(s.dir)
	after, err = sizeOf(path)
	return before, after, err
}

func sizeOf(path string) (int64, error) {
	st, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

// copyTo gives the new file, open, locked and on the disk.
func (s *Session) copyTo(path string) (*bolt.DB, error) {
	o := options(forWriting)
	o.NoSync = true // flushed once, at the end
	fresh, err := bolt.Open(path, 0o600, o)
	if err != nil {
		return nil, err
	}
	fresh.AllocSize = 0 // the copy is as large as what is in it
	err = s.db.compactTo(fresh)
	if err == nil {
		err = fresh.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, fresh.Close())
	}
	fresh.NoSync, fresh.AllocSize = false, growBy
	return fresh, nil
}

func (f *file) compactTo(fresh *bolt.DB) error {
	f.swap.RLock()
	defer f.swap.RUnlock()
	return bolt.Compact(fresh, f.DB, compactStep)
}

// exchange renames the new file over the old one and goes on with it. The new file's lock is held from before the
// rename, so no other program comes between; where an open file can't be renamed, there is a moment without a lock.
func (s *Session) exchange(fresh *bolt.DB, from, to string) error {
	s.db.swap.Lock()
	defer s.db.swap.Unlock()
	if runtime.GOOS != "windows" {
		if err := os.Rename(from, to); err != nil {
			return errors.Join(err, fresh.Close(), os.Remove(from))
		}
		old := s.db.DB
		s.db.DB = fresh
		return old.Close()
	}
	if err := errors.Join(fresh.Close(), s.db.DB.Close()); err != nil {
		return err
	}
	renamed := os.Rename(from, to)
	db, err := bolt.Open(to, 0o600, options(forWriting))
	if err != nil {
		return fmt.Errorf("the file was compacted but could not be opened again; open the session anew: %w", errors.Join(renamed, err))
	}
	db.AllocSize = growBy
	s.db.DB = db
	return renamed
}
