package bundle_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/capture/bundle"
	"zimoscope/backend/requestview/wire"
)

// forge changes a bundle and makes every sum of files anew, as somebody would who wants it to pass.
func forge(t *testing.T, change func(dir string, m *bundle.Manifest)) string {
	t.Helper()
	dir := written(t)
	path := filepath.Join(dir, bundle.ManifestFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m bundle.Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	change(dir, &m)
	sum := func(name string) wire.Hash {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return sha256.Sum256(raw)
	}
	var lines []string
	for i := range m.Files {
		m.Files[i].SHA256 = sum(m.Files[i].File)
		lines = append(lines, fmt.Sprintf("%s  %s\n", m.Files[i].SHA256, m.Files[i].File))
	}
	for i := range m.Requests {
		q := &m.Requests[i]
		q.SHA256 = sum(q.File)
		lines = append(lines, fmt.Sprintf("%s  %s\n", q.SHA256, q.File))
	}
	if raw, err = json.MarshalIndent(m, "", " "); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(raw, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	lines = append(lines, fmt.Sprintf("%s  %s\n", sum(bundle.ManifestFile), bundle.ManifestFile))
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	if err := os.WriteFile(filepath.Join(dir, bundle.SumsFile), []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func flip(h wire.Hash) wire.Hash { h[7] ^= 1; return h }

// What is claimed of the chain is computed from the bytes: sums that agree with each other don't help.
func TestAClaimThatTheBytesDoNotBearIsFound(t *testing.T) {
	judge := python(t)
	for name, c := range map[string]struct {
		change func(dir string, m *bundle.Manifest)
		script bool // verify.py finds it too; it doesn't judge pairs, nor compare what is copied for reading
	}{
		"nothing": {func(string, *bundle.Manifest) {}, true},
		"a body": {func(dir string, m *bundle.Manifest) {
			path := filepath.Join(dir, m.Requests[0].File)
			raw, _ := os.ReadFile(path)
			_ = os.WriteFile(path, bytes.Replace(raw, []byte(`"hi"`), []byte(`"ho"`), 1), 0o600)
		}, true},
		"a bracket that opens nothing": {func(dir string, m *bundle.Manifest) {
			path := filepath.Join(dir, m.Requests[0].File)
			raw, _ := os.ReadFile(path)
			_ = os.WriteFile(path, bytes.Replace(raw, []byte(`"hi"} ]`), []byte(`"hi"}}]`), 1), 0o600)
		}, true},
		"a parameter": {func(dir string, m *bundle.Manifest) {
			path := filepath.Join(dir, m.Requests[0].File)
			raw, _ := os.ReadFile(path)
			_ = os.WriteFile(path, bytes.Replace(raw, []byte("1.0"), []byte("2.0"), 1), 0o600)
			m.Requests[0].Params = json.RawMessage(`{"temperature":2.0}`)
		}, true},
		"a leaf": {func(_ string, m *bundle.Manifest) {
			m.Requests[0].Parts[2].SHA256 = flip(m.Requests[0].Parts[2].SHA256)
		}, true},
		"a link":              {func(_ string, m *bundle.Manifest) { m.Requests[0].Parts[2].Link = flip(m.Requests[0].Parts[2].Link) }, true},
		"the last link":       {func(_ string, m *bundle.Manifest) { m.Requests[0].Link = flip(m.Requests[0].Link) }, true},
		"what is beside it":   {func(_ string, m *bundle.Manifest) { m.Requests[0].Rest = flip(m.Requests[0].Rest) }, true},
		"a part left out":     {func(_ string, m *bundle.Manifest) { m.Requests[0].Parts = m.Requests[0].Parts[:2] }, true},
		"the model, as shown": {func(_ string, m *bundle.Manifest) { m.Requests[0].Model = json.RawMessage(`"other"`) }, false},
		"a verdict": {func(dir string, m *bundle.Manifest) {
			m.Requests[3].Follows, m.Requests[3].Verdict = 3, "extended"
			path := filepath.Join(dir, bundle.VerdictsFile)
			raw, _ := os.ReadFile(path)
			var list []bundle.Verdict
			_ = json.Unmarshal(raw, &list)
			list[3].Follows, list[3].Verdict.Verdict = 3, "extended"
			raw, _ = json.Marshal(list)
			_ = os.WriteFile(path, raw, 0o600)
		}, false},
	} {
		dir := forge(t, c.change)
		r, err := bundle.Verify(context.Background(), dir)
		if err != nil || (len(r.Problems) == 0) != (name == "nothing") {
			t.Errorf("%s: %v, %+v", name, err, r.Problems)
		}
		if status, out := judge(dir); c.script && (status == 0) != (name == "nothing") {
			t.Errorf("%s: verify.py exits %d: %s", name, status, out)
		}
	}
}
