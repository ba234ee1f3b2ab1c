package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zimoscope/backend/config"
	"zimoscope/backend/requestview"
	"zimoscope/backend/scripted"
	"zimoscope/backend/zimoos/mteam"
	"zimoscope/backend/zimoos/sim"
	"zimoscope/e2e/check"
)

// configVariable names the configuration whose provider plays in the real run. Without it the usual files are looked at.
const configVariable = "ZIMOSCOPE_E2E_CONFIG"

// errNoProvider: a backend that answers and no model to drive it is a failure, not a skip.
var errNoProvider = errors.New("the mteam backend answers, but no provider is configured: put model {baseURL, model, apiKeyEnv} into " +
	"the configuration, or name a file in " + configVariable)

// TestRealMteamBackend is the proof of A13: a real model operates the real ZimoOS. Its evidence, a capture that
// `zimoscope check` reads, is kept with -artifacts.
func TestRealMteamBackend(t *testing.T) {
	settings := mteam.FromEnv()
	instance := mteam.Instance(time.Now())
	report := mteam.Probe(context.Background(), settings, instance)
	if !report.Complete() {
		for _, a := range report.Attempts {
			t.Logf("%s: %s", a.URL, a.Sentence)
		}
		t.Skip(mteam.SkipSentence(report))
	}
	cfg, err := realConfig(candidates())
	must(t, err)
	realRun(t, settings, instance, cfg, t.ArtifactDir())
}

// realRun drives the agent against the backend's MCP server and holds the run to every assertion.
func realRun(t *testing.T, settings mteam.Settings, instance string, cfg *config.Config, evidence string) {
	t.Helper()
	launch := settings.Launch(instance)
	cfg.Servers = []config.Server{{Name: launch.Name, Command: launch.Command, Args: launch.Args, Cwd: launch.Dir, Env: launch.Env}}
	o := drive(t, cfg, check.Prompt())
	save(t, evidence, o.Run)
	report := check.Check(o.Run)
	text, err := json.MarshalIndent(report, "", "  ")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(evidence, "report.json"), text, 0o600))
	wantPassed(t, report)
}

// candidates lists the configurations to look for, first the one that was named.
func candidates() []string {
	if named := os.Getenv(configVariable); named != "" {
		return []string{named}
	}
	list := []string{config.DefaultPath()}
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, filepath.Join(home, ".my-agent", "config.json"))
	}
	return list
}

// realConfig is the first configuration that names a provider.
func realConfig(paths []string) (*config.Config, error) {
	for _, path := range paths {
		cfg, err := config.Load(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case cfg.HasModel():
			return cfg, nil
		}
	}
	return nil, errNoProvider
}

func TestAReachableBackendWithoutAProviderFails(t *testing.T) {
	dir := t.TempDir()
	servers := filepath.Join(dir, "servers-only.json")
	must(t, os.WriteFile(servers, []byte(`{"mcpServers": {"s": {"command": "x"}}}`), 0o600))
	for _, paths := range [][]string{nil, {filepath.Join(dir, "none.json")}, {servers}} {
		if _, err := realConfig(paths); !errors.Is(err, errNoProvider) {
			t.Errorf("%v: %v", paths, err)
		}
	}
	broken := filepath.Join(dir, "broken.json")
	must(t, os.WriteFile(broken, []byte(`{`), 0o600))
	if _, err := realConfig([]string{broken}); !errors.Is(err, config.ErrConfig) {
		t.Error(err)
	}
}

// TestTheRealRunIsDrivenAsItShouldBe drives the same code against stand-ins, so that it is known to work before it
// meets the real backend. It proves nothing about that one.
func TestTheRealRunIsDrivenAsItShouldBe(t *testing.T) {
	settings, instance := standIn(t)
	report := mteam.Probe(context.Background(), settings, instance)
	if !report.Complete() {
		t.Fatal(mteam.SkipSentence(report))
	}
	base := play(t, shortScript(), scripted.Options{})
	evidence := t.TempDir()
	t.Setenv(childVariable, sim.ServerZimoOS)
	realRun(t, settings, instance, simulated(t, base, "generic"), evidence)
	for _, name := range []string{"req-001.body.json", "req-004.meta.json", "session.jsonl", "report.json"} {
		if _, err := os.Stat(filepath.Join(evidence, name)); err != nil {
			t.Error(err)
		}
	}
}

// standIn is a hub that shows a frame, a backend folder, and a bun that runs the simulator.
func standIn(t *testing.T) (mteam.Settings, string) {
	t.Helper()
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c0","visibleContent":[],"shortcuts":[],"handles":[]}`)
	}))
	t.Cleanup(hub.Close)
	program, err := os.Executable()
	must(t, err)
	dir, bin := t.TempDir(), t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "src", "mcp-primary"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "src", "mcp-primary", "index.ts"), nil, 0o600))
	// It fails unless it is started as the backend's documentation says.
	bun := "#!/bin/sh\n[ \"$1 $2\" = 'run src/mcp-primary/index.ts' ] && [ -f \"$2\" ] && [ -n \"$ROLE_INSTANCE_ID\" ] && [ -n \"$V2_SERVER_URL\" ] || exit 9\nexec '" +
		strings.ReplaceAll(program, "'", `'\''`) + "'\n"
	must(t, os.WriteFile(filepath.Join(bin, "bun"), []byte(bun), 0o700))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("MTEAM_HUB_URL", hub.URL)
	t.Setenv("MTEAM_BACKEND_DIR", dir)
	return mteam.FromEnv(), mteam.Instance(time.Unix(1, 0))
}

// shortScript does what the prompt of the real run asks for. That prompt speaks of summary lines itself, so the marker of a
// summary request is the whole instruction.
func shortScript() *scripted.Script {
	call := func(name, arguments string) []scripted.ToolCall {
		return []scripted.ToolCall{{Name: name, Arguments: json.RawMessage(arguments)}}
	}
	return &scripted.Script{Model: "scripted-demo", SummaryMarker: []string{requestview.SummaryInstruction}, Turns: []scripted.Turn{{Steps: []scripted.Step{
		{ToolCalls: call("zimoos.current", `{}`)},
		{Text: "摘要：看到桌面 {{title}}。", ToolCalls: call("zimoos.act", `{"frameCursor":"{{cursor}}","cmd":"{{action:open app:notes|open app:notes}}"}`)},
		{Text: "摘要：打开了 {{title}}。", ToolCalls: call("zimoos.search", `{"query":"notes"}`)},
		{Text: "标题 {{title}}，frameCursor {{cursor}}，共 {{count}} 条。"},
	}}}}
}
