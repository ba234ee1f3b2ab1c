package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatIsNeitherACommandNorAFileIsSaid(t *testing.T) {
	t.Setenv("ZIMOSCOPE_HOME", t.TempDir())
	for arg, want := range map[string]string{
		"chekc": "did you mean check", "nothing-like-it": "neither a command nor a file", filepath.Join(t.TempDir(), "gone.har"): "neither a command nor a file",
	} {
		var out, errs bytes.Buffer
		if status := Main(context.Background(), []string{arg}, nil, &out, &errs); status != exitUse || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d, %s", arg, status, errs.String())
		}
	}
}
