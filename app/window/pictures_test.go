package window

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"zimoscope/app/picture"
)

func TestPicturesOfADropGoToTheMessageAndTheRestIsImported(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dot, har, named := write("dot.png", "\x89PNG\x0d\x0a\x1a\x0a"), write("a.har", "{}"), write("notes.png", "words")
	pictures, others := parted([]string{dot, har, named, filepath.Join(folder, "gone"), folder})
	if len(pictures) != 1 || pictures[0].Name != "dot.png" || pictures[0].Data != "iVBORw0KGgo=" {
		t.Errorf("%+v", pictures)
	}
	if !slices.Equal(others, []string{har, named, filepath.Join(folder, "gone"), folder}) {
		t.Errorf("%q", others)
	}
	if pictures, _ := parted(slices.Repeat([]string{dot}, 3*picture.MaxCount)); len(pictures) != picture.MaxCount+1 {
		t.Errorf("%d pictures were read", len(pictures))
	}
}
