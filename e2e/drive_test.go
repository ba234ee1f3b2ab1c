package e2e

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/capture"
	"zimoscope/backend/config"
	"zimoscope/backend/record"
	"zimoscope/backend/secret"
	"zimoscope/backend/store"
	"zimoscope/backend/zimoos/sim"
	"zimoscope/e2e/check"
)

// runTimeout bounds one whole run: a real model needs minutes, a scripted one a second.
const runTimeout = 10 * time.Minute

// outcome is a run with what only the program itself knows of it.
type outcome struct {
	check.Run
	records []*agent.Record
	stored  [][]byte // the bodies as the store gives them back
	slot    string   // cursor
}

// drive runs prompts on a session made of the real parts, from the configuration on.
func drive(t *testing.T, cfg *config.Config, prompts ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), runTimeout)
	defer cancel()
	key, err := cfg.Key()
	must(t, err)
	profile, err := provider.ProfileFor(cfg.Model.Profile, cfg.Model.BaseURL, cfg.Model.Model)
	must(t, err)
	client, err := provider.New(provider.Config{BaseURL: cfg.Model.BaseURL, Model: cfg.Model.Model, APIKey: key, Headers: cfg.Model.Headers, Profile: profile})
	must(t, err)
	defer client.Close()
	box, reports := toolbox.Start(ctx, servers(cfg), toolbox.Options{})
	defer box.Close()
	for _, r := range reports {
		if !r.OK {
			t.Fatalf("%s: %s\n%s", r.Server, r.Message, r.StderrTail)
		}
	}
	st, err := store.New(t.TempDir())
	must(t, err)
	journal, err := st.Create(store.Info{Name: "e2e", Model: cfg.Model.Model})
	must(t, err)
	defer journal.Close()
	var recorder check.Recorder
	s, err := agent.New(agent.Options{
		Model: client, Tools: box, Journal: journal, Profile: profile, ModelName: cfg.Model.Model, Params: params(cfg, profile),
		System: cfg.System, Secrets: secret.New(cfg.Secrets()...), Observer: recorder.Observe, Thread: journal.ID, MaxSteps: cfg.MaxSteps,
	})
	must(t, err)
	for _, p := range prompts {
		if _, err := s.Prompt(ctx, p, nil); err != nil {
			t.Fatal(err)
		}
	}
	out := outcome{Run: recorder.Run(s)}
	if f := s.Slot().Frame; f != nil {
		out.slot = f.Cursor
	}
	out.read(t, journal)
	return out
}

func (o *outcome) read(t *testing.T, journal *store.Session) {
	t.Helper()
	facts, err := journal.AllFacts()
	must(t, err)
	for _, f := range facts {
		rec, err := record.Of(f)
		must(t, err)
		o.records = append(o.records, rec)
		body, err := journal.Body(rec.N)
		must(t, err)
		o.stored = append(o.stored, body)
	}
}

func servers(cfg *config.Config) (list []toolbox.ServerConfig) {
	for _, s := range cfg.Servers {
		list = append(list, toolbox.ServerConfig{Name: s.Name, Command: s.Command, Args: s.Args, Env: s.Env, Cwd: s.Cwd, URL: s.URL, Headers: s.Headers})
	}
	return list
}

func params(cfg *config.Config, p provider.Profile) (list []agent.Param) {
	if cfg.Model.Temperature != nil {
		list = append(list, agent.Param{Name: "temperature", Raw: cfg.Model.Temperature})
	}
	if cfg.Model.MaxTokens != nil {
		list = append(list, agent.Param{Name: p.MaxTokensField, Raw: cfg.Model.MaxTokens})
	}
	for _, x := range cfg.Model.ExtraParams {
		list = append(list, agent.Param{Name: x.Name, Raw: x.Raw})
	}
	return list
}

// simulated is a configuration on stand-ins: the scripted provider at baseURL and the simulator as child processes.
func simulated(t *testing.T, baseURL, profile string) *config.Config {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	child := func(name, server string) config.Server {
		return config.Server{Name: name, Command: program, Env: map[string]string{childVariable: server}}
	}
	return &config.Config{
		Model:   config.Model{BaseURL: baseURL, Model: "scripted-demo", Profile: profile},
		Servers: []config.Server{child("mteam-primary", sim.ServerZimoOS), child("files", sim.ServerFiles)},
	}
}

// save writes a run as a capture that `zimoscope check` reads.
func save(t *testing.T, dir string, run check.Run) {
	t.Helper()
	for i, q := range run.Requests {
		must(t, capture.WriteCapture(dir, i+1, q.Body, q.Meta))
	}
	must(t, os.WriteFile(filepath.Join(dir, "session.jsonl"), run.JSONL, 0o600))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantPassed fails with every assertion that does not hold.
func wantPassed(t *testing.T, r check.Report) {
	t.Helper()
	for _, f := range r.Failures {
		t.Error(f)
	}
	for _, n := range r.Notes {
		t.Log(n)
	}
	if len(r.Verdicts) == 0 {
		t.Error("no request was judged")
	}
}

// same says whether the store gave back what was sent, request by request.
func same(o outcome) bool {
	for _, q := range o.Requests {
		if q.N < 1 || q.N > len(o.stored) || !bytes.Equal(q.Body, o.stored[q.N-1]) {
			return false
		}
	}
	return true
}
