//go:build browser

package browser

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// limit bounds the whole suite; it takes under two minutes on two cores.
const limit = 8 * time.Minute

// closing is how many of the runner's last lines are printed again.
const closing = 6

// TestTheWindowInABrowser runs the Playwright suite of this folder against the program, built here without its window.
func TestTheWindowInABrowser(t *testing.T) {
	modules := absolute(t, "../../frontend/node_modules")
	runner := filepath.Join(modules, ".bin", "playwright")
	if _, err := os.Stat(runner); err != nil {
		t.Skip("skipped: the browser suite requires the front end's modules (make test-browser installs them)")
	}
	if _, err := os.Stat("../../frontend/dist/index.html"); err != nil {
		t.Skip("skipped: the browser suite requires the built front end (make test-browser builds it)")
	}
	chromium := chrome()
	if chromium == "" {
		t.Skip("skipped: the browser suite requires Chromium or Chrome (scripts/setup.sh test installs it)")
	}
	program, alter := build(t), compile(t, "alter", "./alter")
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	artefacts := absolute(t, "../../build/artifacts/browser")
	cmd := exec.CommandContext(ctx, runner, append([]string{"test", "--config", "playwright.config.ts"}, strings.Fields(os.Getenv("BROWSER_ARGS"))...)...)
	cmd.Env = append(os.Environ(), "ZIMOSCOPE_PROGRAM="+program, "ZIMOSCOPE_ALTER="+alter, "CHROMIUM="+chromium, "ZIMOSCOPE_ARTEFACTS="+artefacts)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(os.Stdout, &said), os.Stderr
	err := cmd.Run()
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	t.Log("closing lines of the browser suite:\n" + strings.Join(lines[max(0, len(lines)-closing):], "\n"))
	if err != nil {
		t.Fatalf("the browser suite failed (%v); pictures are in build/artifacts/browser", err)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// chrome is the browser that CHROMIUM names, or the first that is installed.
func chrome() string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// build makes the program that serves the window to a browser; ZIMOSCOPE_PROGRAM names one that is built already.
func build(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("ZIMOSCOPE_PROGRAM"); path != "" {
		return path
	}
	return compile(t, "zimoscope", "../..")
}

func compile(t *testing.T, name, folder string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", path, folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%s does not build: %v\n%s", name, err, out)
	}
	return path
}
