package bundle_test

import (
	"bytes"
	"context"
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
	if err := bundle.Write(context.Background(), origin, sess, recs, bundle.Options{Program: "test"}); err != nil {
		f.Fatal(err)
	}
	files := map[string][]byte{}
	names := filesOf(f, origin)
	for _, name := range names {
		raw, err := os.ReadFile(filepath.Join(origin, name))
		if err != nil {
			f.Fatal(err)
		}
		files[name] = raw
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
		r, err := bundle.Verify(context.Background(), dir)
		put(t, filepath.Join(dir, name), raw)
		if whole := err == nil && len(r.Problems) == 0; whole != bytes.Equal(altered, raw) {
			t.Fatalf("%s with %q for %d bytes at %d: whole %v (%v)", name, insert, remove, from, whole, err)
		}
	})
}
