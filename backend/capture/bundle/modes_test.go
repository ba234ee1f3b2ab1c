//go:build !windows

package bundle_test

import (
	"io/fs"
	"path/filepath"
	"testing"
)

func TestABundleIsItsOwnersAlone(t *testing.T) {
	err := filepath.WalkDir(written(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", d.Name(), info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
