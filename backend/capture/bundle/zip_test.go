package bundle_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/capture/bundle"
)

// packed zips a written bundle, each file under the name that rename gives it.
func packed(t testing.TB, dir string, rename func(string) string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range filesOf(t, dir) {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		add(t, z, rename(filepath.ToSlash(name)), raw)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func same(name string) string { return name }

func add(t testing.TB, z *zip.Writer, name string, raw []byte) {
	t.Helper()
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(raw)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func verifyZip(t testing.TB, raw []byte) (bundle.Report, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "b.proof.zip")
	put(t, path, raw)
	return bundle.Verify(context.Background(), path)
}

func TestABundleVerifiesAsAZip(t *testing.T) {
	dir := written(t)
	for _, rename := range []func(string) string{same, func(name string) string { return "my session/" + name }} {
		if r, err := verifyZip(t, packed(t, dir, rename)); err != nil || len(r.Problems) > 0 || r.Requests != 5 {
			t.Errorf("%v, %+v", err, r)
		}
	}
}

// One byte of what is packed, changed in the zip itself: of a body it is named, and no other passes for whole.
func TestOneByteChangedInAZipIsFound(t *testing.T) {
	raw := packed(t, written(t), same)
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		start, err := f.DataOffset()
		if err != nil {
			t.Fatal(err)
		}
		for at := start; at < start+int64(f.CompressedSize64); at += 1 + int64(f.CompressedSize64)/20 {
			bad := bytes.Clone(raw)
			bad[at] ^= 0x10
			r, err := verifyZip(t, bad)
			if err == nil && len(r.Problems) == 0 {
				// Two streams can unpack to the same bytes: nothing was altered then.
				if !sameContent(t, raw, bad) {
					t.Errorf("byte %d, in %s, was changed, and the bundle still verifies", at, f.Name)
				}
			}
			if strings.HasSuffix(f.Name, ".body.json") && err == nil && len(r.Problems) > 0 && r.Problems[0].File != f.Name {
				t.Errorf("byte %d, in %s: %+v", at, f.Name, r.Problems)
			}
		}
	}
}

func sameContent(t *testing.T, a, b []byte) bool {
	t.Helper()
	texts := [2]map[string]string{{}, {}}
	for i, raw := range [][]byte{a, b} {
		z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			return false
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				return false
			}
			text, err := io.ReadAll(r)
			if err != nil {
				return false
			}
			texts[i][f.Name] = string(text)
		}
	}
	for name, text := range texts[0] {
		if texts[1][name] != text {
			return false
		}
	}
	return len(texts[0]) == len(texts[1])
}

// A body that another was put for, packed in good order: the zip's own checksums are right, the bundle's are not.
func TestABodyExchangedInAZipIsFound(t *testing.T) {
	dir := written(t)
	name := filepath.Join(dir, bundle.BodiesDir, "req-00002.body.json")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, name, bytes.Replace(raw, []byte(`"hi"`), []byte(`"ho"`), 1))
	r, err := verifyZip(t, packed(t, dir, same))
	if err != nil || len(r.Problems) == 0 || r.Problems[0].File != "bodies/req-00002.body.json" {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestHostileZipsAreRefusedInWords(t *testing.T) {
	dir := written(t)
	whole := packed(t, dir, same)
	with := func(more func(z *zip.Writer)) []byte {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		more(z)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	for what, c := range map[string]struct {
		raw  []byte
		says string
		is   error
	}{
		"a name that leads out":     {packed(t, dir, func(n string) string { return "../" + n }), "outside", bundle.ErrZip},
		"one name that leads out":   {with(func(z *zip.Writer) { add(t, z, "manifest.json", nil); add(t, z, "a/../../x", nil) }), "outside", bundle.ErrZip},
		"a name from the root":      {with(func(z *zip.Writer) { add(t, z, "/etc/passwd", nil) }), "outside", bundle.ErrZip},
		"a drive":                   {with(func(z *zip.Writer) { add(t, z, `C:\x`, nil) }), "outside", bundle.ErrZip},
		"a name twice":              {with(func(z *zip.Writer) { add(t, z, "manifest.json", nil); add(t, z, "Manifest.json", nil) }), "twice", bundle.ErrZip},
		"a link":                    {with(func(z *zip.Writer) { link(t, z, "manifest.json", "/etc/passwd") }), "no plain file", bundle.ErrZip},
		"a bomb":                    {with(func(z *zip.Writer) { zeros(t, z, "manifest.json", 65<<20) }), "200 times", bundle.ErrZip},
		"files over each other":     {overlapping(t), "over each other", bundle.ErrZip},
		"a list without an end":     {with(func(z *zip.Writer) { many(t, z, 600) }), "too long", bundle.ErrZip},
		"cut off":                   {whole[:len(whole)/2], "no proof bundle", bundle.ErrNoBundle},
		"cut off at its end":        {whole[:len(whole)-1], "no proof bundle", bundle.ErrNoBundle},
		"nothing":                   {nil, "no proof bundle", bundle.ErrNoBundle},
		"no zip":                    {[]byte(`{"bundle":"zimoscope-bundle/1"}`), "no proof bundle", bundle.ErrNoBundle},
		"a zip without a manifest":  {with(func(z *zip.Writer) { add(t, z, "a.txt", nil) }), "no proof bundle", bundle.ErrNoBundle},
		"a manifest that lies deep": {packed(t, dir, func(n string) string { return "a/b/" + n }), "no proof bundle", bundle.ErrNoBundle},
	} {
		r, err := verifyZip(t, c.raw)
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || r.Requests > 0 {
			t.Errorf("%s: %v, %+v", what, err, r)
		}
	}
}

// A manifest's names lead nowhere but into the zip; what it holds beside them is named.
func TestAZipWithAFileTooManyIsAltered(t *testing.T) {
	dir := written(t)
	put(t, filepath.Join(dir, "more.txt"), nil)
	if r, err := verifyZip(t, packed(t, dir, same)); err != nil || len(r.Problems) != 1 || r.Problems[0].File != "more.txt" {
		t.Errorf("%v, %+v", err, r)
	}
}

// A file that unpacks to more than its entry says ends there.
func TestAZipThatLiesOfASizeIsAltered(t *testing.T) {
	raw := packed(t, written(t), same)
	const body = "bodies/req-00001.body.json"
	at := bytes.LastIndex(raw, []byte(body)) - 46 // its entry in the directory
	binary.LittleEndian.PutUint32(raw[at+24:], 10)
	r, err := verifyZip(t, raw)
	if err != nil || len(r.Problems) == 0 || r.Problems[0].File != body {
		t.Errorf("%v, %+v", err, r)
	}
}

func link(t *testing.T, z *zip.Writer, name, to string) {
	t.Helper()
	h := &zip.FileHeader{Name: name}
	h.SetMode(os.ModeSymlink | 0o777)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = io.WriteString(w, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func zeros(t *testing.T, z *zip.Writer, name string, n int) {
	t.Helper()
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(make([]byte, n))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// many fills a list of files with n names of the greatest length.
func many(t *testing.T, z *zip.Writer, n int) {
	t.Helper()
	for i := range n {
		add(t, z, strings.Repeat("x", 60_000)+string(rune('a'+i%26))+strings.Repeat("y", i), nil)
	}
}

// overlapping is a zip whose entries all name the same packed bytes, as the worst bombs do.
func overlapping(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	text := bytes.Repeat([]byte("0123456789abcdef"), 64)
	for _, name := range []string{"a", "b", "c"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	raw := out.Bytes()
	// The packed files of b and c are taken out, and the directory names the one of a three times.
	size := 30 + 1 + len(text) + 16
	dir := bytes.Index(raw, []byte("PK\x01\x02"))
	end := bytes.Index(raw, []byte("PK\x05\x06"))
	list := raw[dir:end]
	for at := 0; at < len(list); at += 47 {
		binary.LittleEndian.PutUint32(list[at+42:], 0)
	}
	tail := raw[end:]
	binary.LittleEndian.PutUint32(tail[16:], uint32(size))
	return append(append(bytes.Clone(raw[:size]), list...), tail...)
}
