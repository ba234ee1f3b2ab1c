package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"zimoscope/app/live"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/config"
	"zimoscope/backend/zimoos/mteam"
	"zimoscope/e2e/check"
)

// ErrNoProvider: a backend that answers and no model to drive it is a failure, not a skip.
var ErrNoProvider = errors.New("the mteam backend answers, but no provider is configured")

const (
	// simulators is how the built-in stand-ins of MCP servers end their name for themselves.
	simulators = "-sim"
	// scriptedOwner is what the scripted model says of itself in its list of models.
	scriptedOwner = "scripted"
	// askTimeout bounds the question who the provider is; one that does not answer it is a real one.
	askTimeout = 4 * time.Second
	// maxModelsBytes bounds the answer to it.
	maxModelsBytes = 4 << 20
)

func agentConfig(home string) string { return filepath.Join(home, ".my-agent", "config.json") }

// probe looks for the backend; the sentence is that of a skip, "" when all is there.
func (r *runner) probe(ctx context.Context) (skip string) {
	r.board.set(StepHub, Running, "")
	found := mteam.Probe(ctx, r.o.Settings, r.report.Instance)
	var asked []string
	for _, a := range found.Attempts {
		asked = append(asked, strings.TrimPrefix(a.URL+": "+a.Sentence, ": "))
	}
	for _, s := range []struct{ id, missing, todo, has string }{
		{StepHub, mteam.NoAnswer, "Start mteam, or name its address in MTEAM_HUB_URL.", ""},
		{StepFolder, mteam.NoFolder, "Name mteam's backend folder in MTEAM_BACKEND_DIR: the one that holds src/mcp-primary/index.ts.", r.o.Settings.BackendDir},
		{StepBun, mteam.NoBun, "Install bun and put it on the PATH.", "it is on the PATH"},
	} {
		evidence := []string{s.has}
		if s.id == StepHub {
			evidence = asked
		}
		if slices.Contains(found.Missing, s.missing) {
			if s.id != StepHub {
				evidence = []string{s.missing}
			}
			r.board.set(s.id, Skipped, s.todo, evidence...)
		} else {
			r.board.set(s.id, OK, "", evidence...)
		}
	}
	if found.Complete() {
		return ""
	}
	return mteam.SkipSentence(found)
}

// provider finds the configuration and puts the backend's MCP server into it, in place of all others.
func (r *runner) provider() (*config.Config, bool) {
	cfg, looked, err := r.o.Config, []string(nil), error(nil)
	if cfg == nil {
		looked = Candidates("")
		cfg, err = firstWithModel(looked)
	}
	if err == nil && (cfg == nil || !cfg.HasModel()) {
		err = ErrNoProvider
	}
	if err == nil {
		_, err = cfg.Key()
	}
	if err != nil {
		evidence := []string{err.Error()}
		if len(looked) > 0 {
			evidence = append(evidence, "looked at "+strings.Join(looked, ", "))
		}
		r.board.set(StepProvider, Failed, "Put model {baseURL, model, apiKeyEnv} into the configuration, or name a file with --config.", evidence...)
		return nil, false
	}
	own := *cfg
	launch := r.o.Settings.Launch(r.report.Instance)
	own.Servers = []config.Server{{Name: launch.Name, Command: launch.Command, Args: launch.Args, Cwd: launch.Dir, Env: launch.Env}}
	host := own.Model.BaseURL
	if u, err := url.Parse(host); err == nil {
		host = u.Host
	}
	r.report.Config, r.report.Model, r.report.Provider = own.Path, own.Model.Model, host
	r.board.set(StepProvider, OK, "", fmt.Sprintf("%s at %s", own.Model.Model, host))
	return &own, true
}

// firstWithModel is the first configuration that names a provider. One that is there and can't be read is an error: the
// person who wrote it means it.
func firstWithModel(paths []string) (*config.Config, error) {
	for _, path := range paths {
		if path == "" {
			continue
		}
		cfg, err := config.Load(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case cfg.HasModel():
			return cfg, nil
		}
	}
	return nil, ErrNoProvider
}

// started settles whether the MCP server runs and offers what the task needs.
func (r *runner) started(l *live.Live) bool {
	for _, s := range l.Reports {
		if !s.OK {
			evidence := []string{s.Message}
			if s.StderrTail != "" {
				evidence = append(evidence, "it wrote: "+s.StderrTail)
			}
			r.board.set(StepServer, Failed, "Start it by hand in the backend folder (bun run src/mcp-primary/index.ts) and read what it says.", evidence...)
			return false
		}
	}
	var names []string
	for _, t := range l.Box.Tools() {
		names = append(names, t.Name)
	}
	for _, s := range l.Box.Status() {
		r.report.Server = strings.TrimSpace(s.Title + " " + s.Version)
		r.board.set(StepServer, Running, "", fmt.Sprintf("%s, protocol %s, offers %s", r.report.Server, s.Protocol, strings.Join(names, ", ")))
	}
	for _, want := range check.MustCall() {
		if !slices.Contains(names, want) {
			r.board.set(StepServer, Failed, "This is no mteam backend, or one of another version.", want+" is not offered")
			return false
		}
	}
	r.board.set(StepServer, OK, "")
	return true
}

// real fails the run on a stand-in, and lets it go on: what else is wrong is worth knowing.
func (r *runner) real(ctx context.Context, l *live.Live, cfg *config.Config) {
	var stand []string
	for _, s := range l.Box.Status() {
		if simulator(s) {
			stand = append(stand, fmt.Sprintf("the MCP server calls itself %s: it is the built-in simulator", s.Title))
		}
	}
	if owner := modelOwner(ctx, cfg); owner == scriptedOwner {
		stand = append(stand, "the provider is the built-in scripted model")
	}
	if len(stand) > 0 {
		r.board.set(StepReal, Failed, "Run against the real backend with a real model. Nothing else counts.", stand...)
		return
	}
	r.board.set(StepReal, OK, "", r.report.Server, cfg.Model.Model+" at "+r.report.Provider)
}

func simulator(s toolbox.ServerStatus) bool { return strings.HasSuffix(s.Title, simulators) }

// modelOwner asks the provider whose its models are; "" when it does not say.
func modelOwner(ctx context.Context, cfg *config.Config) string {
	base, err := url.Parse(cfg.Model.BaseURL)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath("models").String(), nil)
	if err != nil {
		return ""
	}
	for name, value := range cfg.Model.Headers {
		req.Header.Set(name, value)
	}
	if key, err := cfg.Key(); err == nil && key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	var list struct {
		Data []struct {
			OwnedBy string `json:"owned_by"`
		} `json:"data"`
	}
	if json.NewDecoder(io.LimitReader(resp.Body, maxModelsBytes)).Decode(&list) != nil || len(list.Data) == 0 {
		return ""
	}
	return list.Data[0].OwnedBy
}
