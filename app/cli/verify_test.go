package cli

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The status says what a bundle is: whole, altered, or not to be read; as a folder and as a zip of it.
func TestVerifyTakesAFolderAndAZip(t *testing.T) {
	dir := t.TempDir()
	from, proof, packed := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "proof"), filepath.Join(dir, "proof.zip")
	if err := os.WriteFile(from, []byte(twoBodies), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"import", from}, {"export", "latest", "--format", "proof", "--out", proof}} {
		if status, _, errOut := zimoscope(t, dir, args...); status != exitGood {
			t.Fatal(args, errOut)
		}
	}
	pack := func() {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		if err := z.AddFS(os.DirFS(proof)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(packed, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pack()
	for _, path := range []string{proof, packed} {
		if status, out, errOut := zimoscope(t, dir, "verify", path); status != exitGood || !strings.Contains(out, "2 requests") {
			t.Errorf("%s: %d %s %s", path, status, out, errOut)
		}
	}
	body := filepath.Join(proof, "bodies", "req-00002.body.json")
	raw, err := os.ReadFile(body)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(body, bytes.Replace(raw, []byte("three"), []byte("threo"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	pack()
	for _, path := range []string{proof, packed} {
		if status, out, _ := zimoscope(t, dir, "verify", path); status != exitFailed || !strings.Contains(out, "altered: bodies/req-00002.body.json") {
			t.Errorf("%s: %d %s", path, status, out)
		}
	}
	if err := os.Truncate(packed, 1000); err != nil {
		t.Fatal(err)
	}
	if status, _, errOut := zimoscope(t, dir, "verify", packed); status != exitUse || !strings.Contains(errOut, "no proof bundle") {
		t.Errorf("%d %s", status, errOut)
	}
}
