package picture

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// png is what the bytes of a PNG start with.
const png = "\x89PNG\x0d\x0a\x1a\x0a"

func given(name, raw string) Given { return Given{Name: name, Raw: []byte(raw)} }

func TestAPictureIsWhatItsBytesSay(t *testing.T) {
	list, err := Images([]Given{given("a.jpg", png), given("b", "GIF89a"), given("c", "\xff\xd8\xff\xe0"), given("d", "RIFF\x01\x00\x00\x00WEBPVP8 ")})
	if err != nil || len(list) != 4 {
		t.Fatalf("%v %v", list, err)
	}
	for i, want := range []string{"data:image/png;base64,iVBORw0KGgo=", "data:image/gif;base64,", "data:image/jpeg;base64,", "data:image/webp;base64,"} {
		if !strings.HasPrefix(list[i].URL, want) {
			t.Errorf("number %d is %q", i, list[i].URL)
		}
	}
}

func TestWhatCanNotBeSentIsRefusedByName(t *testing.T) {
	half := png + strings.Repeat("x", MaxBytes/2)
	many := make([]Given, MaxCount+1)
	for i := range many {
		many[i] = given("p", png)
	}
	for name, c := range map[string]struct {
		list []Given
		want error
		says string
	}{
		"words":    {[]Given{given("a.png", png), given("note.png", "words")}, ErrKind, "note.png"},
		"markup":   {[]Given{given("a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")}, ErrKind, "a.svg"},
		"nothing":  {[]Given{given("empty.png", "")}, ErrKind, "empty.png"},
		"large":    {[]Given{given("big.png", png+strings.Repeat("x", MaxBytes))}, ErrSize, "big.png"},
		"together": {[]Given{given("a", half), given("b", half)}, ErrTogether, "20 MB together"},
		"many":     {many, ErrCount, "8 pictures"},
	} {
		list, err := Images(c.list)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || list != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNoMoreOfAFileIsReadThanWillBeRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.png")
	if err := os.WriteFile(path, []byte(png), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4*MaxBytes); err != nil {
		t.Fatal(err)
	}
	g, err := Read(path)
	if err != nil || len(g.Raw) != MaxBytes+1 {
		t.Fatalf("%d bytes, %v", len(g.Raw), err)
	}
	if _, err := Images([]Given{g}); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
}
