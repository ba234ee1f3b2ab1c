//go:build !windows

package store

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestFilesAreTheOwnersAlone(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0)) // nothing but the program itself keeps others out
	st, err := New(filepath.Join(t.TempDir(), "data"))
	must(t, err)
	gone, p := begin(t, st, 0), begin(t, st, 0)
	must(t, gone.sess.Close())
	must(t, st.Discard(gone.sess.ID))
	check := func() {
		t.Helper()
		must(t, filepath.WalkDir(st.dir, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			fi, err := d.Info()
			if want := map[bool]os.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; err == nil && fi.Mode().Perm() != want {
				t.Errorf("%s has mode %v", path, fi.Mode())
			}
			return err
		}))
	}
	check() // beside the session: who holds it
	must(t, p.request())
	_, _, err = p.sess.Compact()
	must(t, err)
	check()
	must(t, p.sess.Close())
	check()
}
