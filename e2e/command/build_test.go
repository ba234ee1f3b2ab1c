package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// limit bounds one command, so that a hang fails the test instead of the run.
const limit = 2 * time.Minute

var program string

// TestMain builds the program once, without its window: that needs neither GTK nor a display.
func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "zimoscope-command-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "zimoscope")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "../..").CombinedOutput()
	if err != nil {
		panic("the program does not build: " + string(out))
	}
	return m.Run()
}

// result is what one command left.
type result struct {
	out, err string
	exit     int
}

// home is an empty home with its own store.
type home struct {
	t    *testing.T
	dir  string
	data string
	env  []string
}

func newHome(t *testing.T) *home {
	t.Helper()
	dir := t.TempDir()
	return &home{t: t, dir: dir, data: filepath.Join(dir, "data"), env: []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "ZIMOSCOPE_DEMO_FAST=1", "SHELL=/bin/sh"}}
}

func (h *home) command(args ...string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	cmd := exec.CommandContext(ctx, program, append([]string{"--data", h.data}, args...)...)
	cmd.Env, cmd.Dir = h.env, h.dir
	return cmd, cancel
}

func (h *home) do(args ...string) result {
	h.t.Helper()
	cmd, cancel := h.command(args...)
	defer cancel()
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	r := result{out: out.String(), err: errOut.String()}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.exit = exit.ExitCode()
	} else if err != nil {
		h.t.Fatalf("%v: %v", args, err)
	}
	return r
}

// must runs a command that has to exit with a status.
func (h *home) must(exit int, args ...string) result {
	h.t.Helper()
	r := h.do(args...)
	if r.exit != exit {
		h.t.Fatalf("zimoscope %s: exit %d, want %d\n%s\n%s", strings.Join(args, " "), r.exit, exit, r.out, r.err)
	}
	return r
}

func (h *home) write(name, text string) string {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}
