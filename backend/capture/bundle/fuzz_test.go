package bundle_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"zimoscope/backend/capture/bundle"
)

// FuzzAnAlteredBundleIsNeverWhole: bytes put anywhere into any file of a bundle are found, and no content ends the
// verifier.
func FuzzAnAlteredBundleIsNeverWhole(f *testing.F) {
	sess, recs := recorded(f)
	origin := filepath.Join(f.TempDir(), "proof")
	if err := bundle.Write(origin, sess, recs, "test"); err != nil {
		f.Fatal(err)
	}
	files := map[string][]byte{}
	var names []string
	if err := filepath.WalkDir(origin, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(origin, path)
		names = append(names, name)
		if err == nil {
			files[name], err = os.ReadFile(path)
		}
		return err
	}); err != nil {
		f.Fatal(err)
	}
	for i := range names {
		f.Add(byte(i), uint16(10), uint16(3), []byte("x"))
		f.Add(byte(i), uint16(0), uint16(60000), []byte("{}"))
	}
	dir := filepath.Join(f.TempDir(), "altered")
	for name, raw := range files {
		put(f, filepath.Join(dir, name), raw)
	}
	f.Fuzz(func(t *testing.T, which byte, at, remove uint16, insert []byte) {
		name := names[int(which)%len(names)]
		raw := files[name]
		from := int(at) % (len(raw) + 1)
		altered := append(append(bytes.Clone(raw[:from]), insert...), raw[min(len(raw), from+int(remove)):]...)
		put(t, filepath.Join(dir, name), altered)
		r, err := bundle.Verify(dir)
		put(t, filepath.Join(dir, name), raw)
		if whole := err == nil && len(r.Problems) == 0; whole != bytes.Equal(altered, raw) {
			t.Fatalf("%s with %q for %d bytes at %d: whole %v (%v)", name, insert, remove, from, whole, err)
		}
	})
}

func put(t testing.TB, path string, raw []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}
