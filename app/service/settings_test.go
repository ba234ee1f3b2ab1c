package service

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"zimoscope/app/api"
	"zimoscope/backend/scripted"
)

// withFile starts a scripted provider and a desk with a session on a configuration file that names it.
func withFile(t *testing.T) (d *desk, id, path string) {
	t.Helper()
	t.Setenv("OPENAI_API_KEY", "")
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- scripted.Listen(ctx, "127.0.0.1:0", scripted.Demo(), scripted.Options{}, func(url string) { ready <- url })
	}()
	t.Cleanup(func() { cancel(); <-ended })
	d = newDesk(t)
	path = filepath.Join(t.TempDir(), "config.json")
	text := fmt.Sprintf(`{"model": {"baseURL": %q, "model": "scripted-demo", "profile": "llamacpp", "apiKey": "hide-key-123456"},
		"mcpServers": {"zimoos": {"command": %q, "args": ["sim"], "env": {"A_TOKEN": "hide-token-1234"}}, "files": {"command": %[2]q, "args": ["sim", "--server", "files"]}}}`, <-ready, d.s.o.Program)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := d.s.Create(api.NewSession{Name: "Own", Config: path})
	if err != nil {
		t.Fatal(err)
	}
	return d, info.ID, path
}

func (d *desk) says(text string) {
	d.t.Helper()
	if err := d.s.Prompt(text, nil); err != nil {
		d.t.Fatal(err)
	}
	if snap := d.until("the end of a turn", idle); snap.State.Error != "" {
		d.t.Fatal(snap.State.Error)
	}
}

func (d *desk) settings(id string) api.SessionSettings {
	d.t.Helper()
	s, err := d.s.Settings(id)
	if err != nil {
		d.t.Fatal(err)
	}
	if text, _ := json.Marshal(s); strings.Contains(string(text), "hide") {
		d.t.Errorf("settings show a secret: %s", text)
	}
	return s
}

func TestChangedSettingsAreAnnouncedWithTheNextTurn(t *testing.T) {
	d, id, _ := withFile(t)
	d.says("Look at the screen")
	before, _ := d.s.Timeline(id)
	s := d.settings(id)
	if !s.Editable || s.Pending || s.Model != "scripted-demo" || s.BuiltIn == "" || !slices.Contains(s.Profiles, "llamacpp") {
		t.Fatalf("%+v", s)
	}
	change := s.Settings
	change.System, change.Temperature = "You are terse.", "0.20"
	var servers map[string]json.RawMessage
	if err := json.Unmarshal([]byte(change.Servers), &servers); err != nil {
		t.Fatal(err)
	}
	delete(servers, "files")
	text, _ := json.Marshal(servers)
	change.Servers = string(text)
	if err := d.s.Configure(id, change); err != nil {
		t.Fatal(err)
	}
	if s := d.settings(id); !s.Pending || s.System != "You are terse." {
		t.Fatalf("%+v", s)
	}
	d.says("And again")
	after, _ := d.s.Timeline(id)
	row := after.Rows[len(before.Rows)]
	v, err := d.s.Request(api.RequestRef{Session: id, N: row.N})
	if err != nil {
		t.Fatal(err)
	}
	if row.Planned == nil || !*row.Planned || len(row.Violations) > 0 || v.System.Text != "You are terse." || v.System.Changed != "changed" || !strings.Contains(v.Rest.Text, "temperature: 0.20") {
		t.Fatalf("%s %+v %+v %s", row.Verdict, v.Verdict, v.System, v.Rest.Text)
	}
	var kinds []string
	for _, c := range v.Verdict.Causes {
		kinds = append(kinds, c.Verdict)
	}
	if !slices.Contains(kinds, "system-changed") || !slices.Contains(kinds, "tools-changed") || after.Figures.Violations != 0 {
		t.Errorf("%v, %d violations", kinds, after.Figures.Violations)
	}
	if s := d.settings(id); s.Pending {
		t.Error("it still reads as not in effect")
	}
	d.says("Once more")
	if last, _ := d.s.Timeline(id); last.Rows[len(after.Rows)].Verdict == "system-changed" {
		t.Error("it was announced twice")
	}
}

func TestChangesMadeWhileATurnRunsWaitForTheNext(t *testing.T) {
	d, id, _ := withFile(t)
	if err := d.s.SetBreakpoints(api.Breakpoints{BeforeRequest: true}); err != nil {
		t.Fatal(err)
	}
	if err := d.s.Prompt("Look", nil); err != nil {
		t.Fatal(err)
	}
	d.until("the pause", func(s api.Snapshot) bool { return s.State.Staged })
	change := d.settings(id).Settings
	change.System = "You are terse."
	if err := d.s.Configure(id, change); err != nil {
		t.Fatal(err)
	}
	if v, err := d.s.Request(api.RequestRef{Session: id, N: 1}); err != nil || v.System.Text == change.System {
		t.Fatalf("%v: the staged request was changed", err)
	}
	if err := d.s.SetBreakpoints(api.Breakpoints{}); err != nil {
		t.Fatal(err)
	}
	if err := d.s.Continue(); err != nil {
		t.Fatal(err)
	}
	d.until("the end", idle)
	d.says("Again")
	tl, _ := d.s.Timeline(id)
	v, err := d.s.Request(api.RequestRef{Session: id, N: tl.Turns[1].Request})
	if err != nil || v.System.Text != change.System || tl.Figures.Violations != 0 {
		t.Fatalf("%v %+v", err, v.System)
	}
}

func TestChangedSettingsAreKeptAcrossAClosedProgram(t *testing.T) {
	d, id, _ := withFile(t)
	d.says("Look")
	change := d.settings(id).Settings
	change.System = "You are terse."
	if err := d.s.Configure(id, change); err != nil {
		t.Fatal(err)
	}
	if err := d.s.Close(); err != nil {
		t.Fatal(err)
	}
	if s := d.settings(id); !s.Pending || s.System != "You are terse." || len(s.Missing) != 0 {
		t.Fatalf("of a closed session: %+v", s)
	}
	if _, err := d.s.Open(id); err != nil {
		t.Fatal(err)
	}
	d.says("Again")
	tl, _ := d.s.Timeline(id)
	v, err := d.s.Request(api.RequestRef{Session: id, N: tl.Turns[1].Request})
	if err != nil || v.System.Text != change.System || v.Row.Planned == nil || !*v.Row.Planned {
		t.Fatalf("%v %+v %+v", err, v.System, v.Verdict)
	}
}

func TestSettingsThatCanNotBeChangedSayWhy(t *testing.T) {
	d := newDesk(t)
	info, err := d.s.create(api.NewSession{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	if s := d.settings(info.ID); s.Editable || s.Why != whyDemo || s.Model == "" {
		t.Fatalf("%+v", s)
	}
	if err := d.s.Configure(info.ID, api.Settings{Model: "m", BaseURL: "http://127.0.0.1:1"}); err == nil {
		t.Fatal("the demo was changed")
	}
}

func TestASessionCanBeginWithOtherSettingsThanItsFile(t *testing.T) {
	d, _, path := withFile(t)
	draft, err := d.s.Draft(path)
	if err != nil || draft.Model != "scripted-demo" || draft.Config != path {
		t.Fatalf("%v %+v", err, draft)
	}
	change := draft.Settings
	change.System = "You are terse."
	info, err := d.s.Create(api.NewSession{Config: path, Settings: &change})
	if err != nil {
		t.Fatal(err)
	}
	d.says("Look")
	v, err := d.s.Request(api.RequestRef{Session: info.ID, N: 1})
	if err != nil || v.System.Text != change.System {
		t.Fatalf("%v %+v", err, v.System)
	}
	change.Servers = "[]"
	if _, err := d.s.Create(api.NewSession{Config: path, Settings: &change}); err == nil {
		t.Fatal("a list of servers was taken")
	}
	if snap, _ := d.s.Snapshot(); snap.Current != info.ID {
		t.Error("the open session was closed for one that could not begin")
	}
}

func TestAKeyGoesToTheKeyringAndNeverComesBack(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	keyring.MockInit()
	d := newDesk(t)
	if err := d.s.SaveKey("work", "hide-key-123456"); err != nil {
		t.Fatal(err)
	}
	state, err := d.s.KeyState("work")
	if text := fmt.Sprintf("%+v", state); err != nil || !state.Saved || !state.Available || strings.Contains(text, "hide") {
		t.Fatalf("%v %s", err, text)
	}
	files, _ := filepath.Glob(filepath.Join(d.s.o.Store.Dir(), "*"))
	for _, f := range files {
		if text, _ := os.ReadFile(f); strings.Contains(string(text), "hide-key") {
			t.Errorf("%s holds the key", f)
		}
	}
	if err := d.s.DeleteKey("work"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "autolaunch:")
	if state, err := d.s.KeyState("work"); err != nil || state.Available {
		t.Fatalf("%v %+v", err, state)
	}
}
