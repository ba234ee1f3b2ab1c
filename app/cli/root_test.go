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

// screenThatBreaks panics at what is written to it.
type screenThatBreaks struct{}

func (screenThatBreaks) Write([]byte) (int, error) { panic("sk-secret") }

// A mistake in a command is its error and its status, never the end of the program with a stack for its user.
func TestAPanicInACommandIsItsError(t *testing.T) {
	var errOut bytes.Buffer
	status := Main(context.Background(), []string{"--data", t.TempDir(), "version"}, nil, screenThatBreaks{}, &errOut)
	if text := errOut.String(); status != exitFailed || !strings.Contains(text, "the program made a mistake (") || strings.Contains(text, "secret") {
		t.Errorf("%d %q", status, text)
	}
}
