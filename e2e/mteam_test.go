package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/capture"
	"zimoscope/backend/config"
	"zimoscope/backend/scripted"
	"zimoscope/backend/store"
	"zimoscope/backend/zimoos/mteam"
	"zimoscope/backend/zimoos/sim"
	"zimoscope/e2e/run"
	"zimoscope/e2e/stage"
)

// configVariable names the configuration whose provider plays in the real run. Without it the usual files are looked at.
const configVariable = "ZIMOSCOPE_E2E_CONFIG"

// TestRealMteamBackend is the proof of A13: a real model operates the real ZimoOS. Its evidence, the report and a capture
// that `zimoscope check` reads, is kept with -artifacts.
func TestRealMteamBackend(t *testing.T) {
	o := run.Options{Dir: t.ArtifactDir()}
	if named := os.Getenv(configVariable); named != "" {
		cfg, err := config.Load(named)
		must(t, err)
		o.Config = cfg
	}
	report, err := run.Run(context.Background(), o, func(s run.Step) { t.Log(s.State, s.ID, s.Evidence) })
	must(t, err)
	switch report.Outcome {
	case run.RunSkipped:
		t.Skip(report.Sentence)
	case run.RunFailed:
		t.Error(report.Sentence)
	}
}

func TestAReachableBackendWithoutAProviderFails(t *testing.T) {
	dir := t.TempDir()
	settings := standIn(t, keepName)
	none, broken, servers := filepath.Join(dir, "none"), filepath.Join(dir, "broken"), filepath.Join(dir, "servers")
	for folder, text := range map[string]string{none: "", broken: `{"model": {`, servers: `{"mcpServers": {"s": {"command": "x"}}}`} {
		must(t, os.MkdirAll(filepath.Join(folder, "zimoscope"), 0o700))
		if text != "" {
			must(t, os.WriteFile(filepath.Join(folder, "zimoscope", "config.json"), []byte(text), 0o600))
		}
		t.Setenv("XDG_CONFIG_HOME", folder)
		t.Setenv("HOME", dir)
		report, err := run.Run(context.Background(), run.Options{Settings: settings}, nil)
		must(t, err)
		s := stepOf(t, report, run.StepProvider)
		if report.Outcome != run.RunFailed || s.State != run.Failed || s.Todo == "" {
			t.Errorf("%s: %s, %+v", filepath.Base(folder), report.Sentence, s)
		}
		if s := stepOf(t, report, run.StepTurn); s.State != run.Skipped {
			t.Errorf("the turn is %s without a provider", s.State)
		}
	}
}

// TestEveryMissingPieceOfTheBackendIsASkipWithWhatToDo: the hub's answers themselves are tested where the probe is.
func TestEveryMissingPieceOfTheBackendIsASkipWithWhatToDo(t *testing.T) {
	all := standIn(t, keepName)
	dir := t.TempDir()
	cases := []struct {
		name, want, step string
		settings         mteam.Settings
	}{
		{"no hub", "skipped: requires mteam backend (no answer at the address)", run.StepHub, mteam.Settings{HubURL: "http://127.0.0.1:1", BackendDir: all.BackendDir}},
		{"no folder", "skipped: requires mteam backend (no backend folder)", run.StepFolder, mteam.Settings{HubURL: all.HubURL}},
		{"no bun", "skipped: requires mteam backend (no bun)", run.StepBun, mteam.Settings{HubURL: all.HubURL, BackendDir: all.BackendDir, Path: t.TempDir()}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			o := run.Options{Settings: tc.settings, Dir: filepath.Join(dir, tc.step)}
			report, err := run.Run(context.Background(), o, nil)
			must(t, err)
			if report.Outcome != run.RunSkipped || report.Sentence != tc.want {
				t.Errorf("%s: %q", report.Outcome, report.Sentence)
			}
			if s := stepOf(t, report, tc.step); s.State != run.Skipped || s.Todo == "" || len(s.Evidence) == 0 {
				t.Errorf("%+v", s)
			}
			for _, name := range []string{run.FileHTML, run.FileJSON} {
				if _, err := os.Stat(filepath.Join(o.Dir, name)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestTheRunAgainstABackendIsWhole drives the run against a backend of our own making: hub, folder and bun. It tests the
// run, not ZimoOS: as the simulator answers, the run has to fail, and nothing else in it may.
func TestTheRunAgainstABackendIsWhole(t *testing.T) {
	report, seen, dir := standInRun(t, keepName)
	for _, s := range report.Steps {
		want := run.OK
		if s.ID == run.StepReal {
			want = run.Failed
		}
		if s.State != want || s.State == run.OK && len(s.Evidence) == 0 {
			t.Errorf("%s is %s: %q", s.ID, s.State, s.Evidence)
		}
	}
	if report.Outcome != run.RunFailed || report.Sentence != "failed: "+run.StepReal {
		t.Errorf("the simulator counts: %s", report.Sentence)
	}
	real := stepOf(t, report, run.StepReal)
	if text := strings.Join(real.Evidence, " "); !strings.Contains(text, "simulator") || !strings.Contains(text, "scripted model") {
		t.Errorf("which stand-ins there are is not said: %q", text)
	}
	for _, name := range []string{"req-001.body.json", "req-004.meta.json", "session.jsonl", run.FileJSON, run.FileHTML} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	c, err := capture.Load([]string{dir})
	must(t, err)
	if exit := capture.Check(c).Exit(false); exit != 0 {
		t.Errorf("the saved capture does not check: exit %d", exit)
	}
	states := map[string][]run.State{}
	for _, s := range seen {
		states[s.ID] = append(states[s.ID], s.State)
	}
	for id, list := range states {
		if list[0] != run.Pending || !list[len(list)-1].Settled() {
			t.Errorf("%s went through %v", id, list)
		}
	}
	if !slices.Contains(states[run.StepTurn], run.Running) {
		t.Error("nobody hears how the turn goes on")
	}
}

// TestTheScriptedModelNeverCounts: where the server gives itself another name, the scripted model alone fails the run.
func TestTheScriptedModelNeverCounts(t *testing.T) {
	report, _, _ := standInRun(t, otherName)
	real := stepOf(t, report, run.StepReal)
	if text := strings.Join(real.Evidence, " "); report.Sentence != "failed: "+run.StepReal || strings.Contains(text, "simulator") {
		t.Errorf("%s: %q", report.Sentence, text)
	}
}

// TestARunWithoutStandInsPasses: both stand-ins hide who they are, so that the outcome of a good run is seen.
func TestARunWithoutStandInsPasses(t *testing.T) {
	settings := standIn(t, otherName)
	target, err := url.Parse(stage.Play(t, stage.Task(), scripted.Options{}))
	must(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: target.Host}) },
		Transport: &http.Transport{DisableKeepAlives: true}}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	st, err := store.New(t.TempDir())
	must(t, err)
	report, err := run.Run(context.Background(), run.Options{Settings: settings, Config: simulated(t, front.URL+"/v1", "generic"), Store: st, Dir: t.ArtifactDir()}, nil)
	must(t, err)
	if report.Outcome != run.RunPassed || report.Session == "" {
		t.Errorf("%s: %+v", report.Sentence, report.Steps)
	}
	sess, err := st.Open(report.Session)
	must(t, err)
	must(t, sess.Close())
}

func TestAStoppedRunFailsAndLeavesNothingPending(t *testing.T) {
	settings := standIn(t, keepName)
	base := stage.Play(t, stage.Task(), scripted.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	report, err := run.Run(ctx, run.Options{Settings: settings, Config: simulated(t, base, "generic")}, func(s run.Step) {
		if s.ID == run.StepTurn && s.State == run.Running {
			cancel()
		}
	})
	must(t, err)
	if report.Outcome != run.RunFailed {
		t.Error(report.Sentence)
	}
	for _, s := range report.Steps {
		if !s.State.Settled() {
			t.Errorf("%s stays %s", s.ID, s.State)
		}
	}
}

func standInRun(t *testing.T, name string) (run.Report, []run.Step, string) {
	t.Helper()
	settings := standIn(t, name)
	base := stage.Play(t, stage.Task(), scripted.Options{})
	var seen []run.Step
	dir := t.TempDir()
	report, err := run.Run(context.Background(), run.Options{Settings: settings, Config: simulated(t, base, "generic"), Dir: dir}, func(s run.Step) { seen = append(seen, s) })
	must(t, err)
	return report, seen, dir
}

func stepOf(t *testing.T, r run.Report, id string) run.Step {
	t.Helper()
	at := slices.IndexFunc(r.Steps, func(s run.Step) bool { return s.ID == id })
	if at < 0 {
		t.Fatalf("there is no step %s", id)
	}
	return r.Steps[at]
}

// What the stand-in of bun does to the name that the simulator gives itself.
const (
	keepName  = "cat"
	otherName = "sed -u s/zimoos-sim/mteam-primary/"
)

// standIn is a hub that shows a frame, a backend folder, and a bun that runs the simulator.
func standIn(t *testing.T, filter string) mteam.Settings {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	dir, bin := t.TempDir(), t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "src", "mcp-primary"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "src", "mcp-primary", "index.ts"), nil, 0o600))
	// It fails unless it is started as the backend's documentation says.
	bun := "#!/bin/sh\n[ \"$1 $2\" = 'run src/mcp-primary/index.ts' ] && [ -f \"$2\" ] && [ -n \"$ROLE_INSTANCE_ID\" ] && [ -n \"$V2_SERVER_URL\" ] || exit 9\n'" +
		strings.ReplaceAll(program, "'", `'\''`) + "' | " + filter + "\n"
	must(t, os.WriteFile(filepath.Join(bin, "bun"), []byte(bun), 0o700))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(childVariable, sim.ServerZimoOS)
	return mteam.Settings{HubURL: stage.Hub(t), BackendDir: dir}
}
