package servers

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/config"
	"zimoscope/backend/scripted"
	"zimoscope/backend/zimoos"
	"zimoscope/backend/zimoos/mteam"
	"zimoscope/e2e/run"
	"zimoscope/e2e/stage"
)

// backend lays out a folder as the real one is, with a small ZimoOS on the official SDK in it, and puts bun on the PATH.
func backend(t *testing.T) mteam.Settings {
	t.Helper()
	m := modules(t)
	dir := t.TempDir()
	entry := filepath.Join(dir, "src", "mcp-primary")
	must(t, os.MkdirAll(entry, 0o700))
	text, err := os.ReadFile("testdata/zimoos.ts")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(entry, "index.ts"), text, 0o600))
	must(t, os.Symlink(m, filepath.Join(dir, "node_modules")))
	bun := filepath.Join(m, "@oven", "bun-linux-x64", "bin")
	if _, err := os.Stat(filepath.Join(bun, "bun")); err != nil {
		t.Skipf("npm holds no bun for this machine: %v", err)
	}
	t.Setenv("PATH", bun+string(os.PathListSeparator)+os.Getenv("PATH"))
	return mteam.Settings{HubURL: stage.Hub(t), BackendDir: dir}
}

func TestFramesOfAServerUnderBunAreRecognised(t *testing.T) {
	l := backend(t).Launch("zimoscope-test")
	b := start(t, toolbox.ServerConfig{Command: l.Command, Args: l.Args, Cwd: l.Dir, Env: l.Env})
	b.ready("zimoos.current", "zimoos.act", "zimoos.search")
	frame := recognised(t, b.call("zimoos.current", `{}`))
	if frame.Cursor != "cursor-0" || frame.Title != "Desktop" || len(frame.Visible) != 2 {
		t.Errorf("%+v", frame)
	}
	for _, want := range []string{"9007199254740991", "买菜 <zimoos>", "1.5"} {
		if !strings.Contains(string(frame.Raw), want) {
			t.Errorf("%s is missing in the frame", want)
		}
	}
	frame = recognised(t, b.call("zimoos.act", `{"frameCursor":"cursor-0","cmd":"open app:notes"}`))
	if frame.Cursor != "cursor-1" || frame.Title != "Notes" {
		t.Errorf("%+v", frame)
	}
	stale := b.call("zimoos.act", `{"cmd":"open app:notes","frameCursor":"cursor-0"}`)
	if !stale.IsError || !strings.Contains(texts(t, stale), "\n  \"error\": \"stale frameCursor\"") {
		t.Errorf("%s", stale.Raw)
	}
}

func recognised(t *testing.T, r toolbox.Result) *zimoos.Frame {
	t.Helper()
	found := zimoos.Recognise(r.Raw)
	if found.Frame == nil {
		t.Fatalf("no frame in %s", r.Raw)
	}
	return found.Frame
}

// TestTheRunGoesThroughBunAsTheRealBackendDoes: only hub and model stand in, so the model alone fails the run.
func TestTheRunGoesThroughBunAsTheRealBackendDoes(t *testing.T) {
	settings := backend(t)
	base := stage.Play(t, stage.Task(), scripted.Options{})
	path := filepath.Join(t.TempDir(), "config.json")
	text, err := json.Marshal(map[string]any{"model": map[string]string{"baseURL": base, "model": "scripted-demo"}})
	must(t, err)
	must(t, os.WriteFile(path, text, 0o600))
	cfg, err := config.Load(path)
	must(t, err)
	report, err := run.Run(context.Background(), run.Options{Settings: settings, Config: cfg, Dir: t.ArtifactDir()}, nil)
	must(t, err)
	for _, s := range report.Steps {
		want := run.OK
		if s.ID == run.StepReal {
			want = run.Failed
		}
		if s.State != want {
			t.Errorf("%s is %s: %q", s.ID, s.State, s.Evidence)
		}
	}
	if !strings.HasPrefix(report.Server, "bun-zimoos") {
		t.Errorf("it ran on %q", report.Server)
	}
}
