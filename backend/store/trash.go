package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// KeptInTrash is how long a deleted session can be brought back.
const KeptInTrash = 7 * 24 * time.Hour

// Deleted is one session in the trash.
type Deleted struct {
	Summary
	DeletedAt int64 // ms
}

func (s *Store) trashDir() string { return filepath.Join(s.dir, "trash") }

// Delete removes a session's files for good: one that never came to be, such as an import that failed. What a person
// deletes is discarded. It fails while another program has the session open.
func (s *Store) Delete(id string) error {
	if err := s.free(id); err != nil {
		return err
	}
	return errors.Join(os.Remove(sessionPath(s.dir, id)), ignoreMissing(os.Remove(summaryPath(s.dir, id))))
}

// free says whether nobody has a session open. A file that can't be read is nobody's.
func (s *Store) free(id string) error {
	sess, err := s.Open(id)
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNewer) {
		return nil
	}
	if err != nil {
		return err
	}
	return sess.Close()
}

// Discard moves a session's files to the trash. It fails while another program has the session open.
func (s *Store) Discard(id string) error {
	if err := s.free(id); err != nil {
		return err
	}
	if err := os.MkdirAll(s.trashDir(), 0o700); err != nil {
		return writeError(err)
	}
	// The time of deletion is the file's own from here on; without it the trash would be emptied too early.
	now := time.Now()
	if err := os.Chtimes(sessionPath(s.dir, id), now, now); err != nil {
		return err
	}
	if err := os.Rename(sessionPath(s.dir, id), sessionPath(s.trashDir(), id)); err != nil {
		return err
	}
	err := ignoreMissing(os.Rename(summaryPath(s.dir, id), summaryPath(s.trashDir(), id)))
	syncDir(s.trashDir())
	syncDir(s.dir)
	return err
}

// Restore brings a session back from the trash.
func (s *Store) Restore(id string) error {
	if !isID(id) {
		return fmt.Errorf("%q: %w", id, ErrNotFound)
	}
	if _, err := os.Stat(sessionPath(s.dir, id)); err == nil {
		return fmt.Errorf("%s: %w", id, os.ErrExist)
	}
	if err := os.Rename(sessionPath(s.trashDir(), id), sessionPath(s.dir, id)); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s is not in the trash: %w", id, ErrNotFound)
		}
		return err
	}
	err := ignoreMissing(os.Rename(summaryPath(s.trashDir(), id), summaryPath(s.dir, id)))
	syncDir(s.dir)
	syncDir(s.trashDir())
	return err
}

// Trash lists the deleted sessions that can be brought back, the last one first.
func (s *Store) Trash() ([]Deleted, error) {
	files, err := filesEndingIn(s.trashDir(), ".zimo")
	if err != nil {
		return nil, err
	}
	var list []Deleted
	for _, f := range files {
		st, err := os.Stat(filepath.Join(s.trashDir(), f))
		if err != nil {
			continue // it was brought back a moment ago
		}
		id := strings.TrimSuffix(f, ".zimo")
		d := Deleted{Summary: Summary{ID: id}, DeletedAt: st.ModTime().UnixMilli()}
		if raw, err := os.ReadFile(summaryPath(s.trashDir(), id)); err == nil {
			_ = json.Unmarshal(raw, &d.Summary) // without a summary there is only the name of the file
		}
		d.ID, d.Bytes = id, st.Size()
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b Deleted) int {
		return cmp.Or(cmp.Compare(b.DeletedAt, a.DeletedAt), cmp.Compare(b.ID, a.ID))
	})
	return list, nil
}

// Purge removes a session from the trash for good.
func (s *Store) Purge(id string) error {
	if !isID(id) {
		return fmt.Errorf("%q: %w", id, ErrNotFound)
	}
	if err := os.Remove(sessionPath(s.trashDir(), id)); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s is not in the trash: %w", id, ErrNotFound)
		}
		return err
	}
	return ignoreMissing(os.Remove(summaryPath(s.trashDir(), id)))
}

// EmptyTrash removes for good what was deleted longer than KeptInTrash before now.
func (s *Store) EmptyTrash(now time.Time) error {
	list, err := s.Trash()
	if err != nil {
		return err
	}
	var errs []error
	for _, d := range list {
		if now.Sub(time.UnixMilli(d.DeletedAt)) > KeptInTrash {
			errs = append(errs, s.Purge(d.ID))
		}
	}
	return errors.Join(errs...)
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
