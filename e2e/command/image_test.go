package command

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dot is a PNG of one pixel.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func TestAPictureGoesWithTheFirstPromptAsAPart(t *testing.T) {
	h := newHome(t)
	raw, err := base64.StdEncoding.DecodeString(dot)
	if err != nil {
		t.Fatal(err)
	}
	picture, capture := h.write("dot.png", string(raw)), filepath.Join(t.TempDir(), "capture")
	h.must(0, "run", "--demo", "--prompt", "What is this?", "--prompt", "And now?", "--image", picture, "--capture", capture)
	bodies, err := filepath.Glob(filepath.Join(capture, "req-*.body.json"))
	if err != nil || len(bodies) < 2 {
		t.Fatalf("%v %v", bodies, err)
	}
	for _, path := range bodies {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(body), `"url":"data:image/png;base64,`+dot+`"`); n != 1 {
			t.Errorf("%s holds the picture %d times", filepath.Base(path), n)
		}
	}
	h.must(0, "check", capture)
	if r := h.do("run", "--demo", "--prompt", "x", "--image", h.write("no.png", "words")); r.exit != 2 || !strings.Contains(r.err, "no PNG") {
		t.Errorf("words as a picture: exit %d, %q", r.exit, r.err)
	}
}
