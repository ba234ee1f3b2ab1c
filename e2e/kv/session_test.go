package kv

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"

	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/engine"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/store"
	"zimoscope/backend/zimoos/sim"
)

// seen is one request: what was predicted before its answer, and what the engine measured.
type seen struct {
	n                       int
	kind, verdict           string
	total, predicted        int // tokens, from the engine's own rendering
	measured                int // cache_n of the engine's timings
	reported, reportedTotal int // the usage report's; -1 where the stream was ended before it
	status                  string
	inStep                  string // what the session was doing
}

// player plays one session and predicts for it.
type player struct {
	t       *testing.T
	server  *server
	engine  *engine.Client
	journal *store.Session
	session *agent.Session
	box     *toolbox.Box

	mu   sync.Mutex // Predict runs beside the request
	held []int      // what the engine's cache holds
	next []int      // the prompt that is under way
	list []seen
	step string
}

// Predict is agent.Predictor with the exact tokens of the engine.
func (p *player) Predict(r *verdict.Request) *agent.Prediction {
	prompt, err := p.engine.Tokens(context.Background(), r.Body.Raw)
	if err != nil {
		p.t.Errorf("request %d: %v", r.Number, err)
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = prompt
	class := cachemodel.Token()
	return &agent.Prediction{Class: class.Name, Reused: class.Reuse(engine.Reuse(p.held, prompt)), Total: len(prompt), Exact: true}
}

// observe notes each answered request, and takes what is in the cache now.
func (p *player) observe(e agent.Event) {
	if e.Kind != agent.EventResponse {
		return
	}
	rec := e.Record
	if e.Err != nil || rec.Predicted == nil {
		p.t.Errorf("request %d (%s): %v; the engine wrote %q", rec.N, rec.Status, e.Err, p.server.idle().Generated)
		return
	}
	held, err := p.heldAfter(rec)
	if err != nil {
		p.t.Errorf("request %d: %v", rec.N, err)
		return
	}
	raw, err := p.journal.Response(rec.N)
	if err != nil {
		p.t.Errorf("request %d: its answer is not stored: %v", rec.N, err)
		return
	}
	s := seen{n: rec.N, kind: rec.Meta.Kind, verdict: string(rec.Verdict.Verdict), total: rec.Predicted.Total, predicted: rec.Predicted.Reused,
		measured: cacheN(raw), reported: -1, status: rec.Status, inStep: p.step}
	if u := cachemodel.ParseUsage(rec.Usage); u.Reported {
		s.reported, s.reportedTotal = u.Cached, u.PromptTotal
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = held
	p.list = append(p.list, s)
}

// heldAfter is what the cache holds after a request: its prompt, and what was generated but for the last token, which is
// sampled and never run. What an abandoned stream generated is not told, and no later prompt holds it: the next one
// differs before that, at the instruction of the summary step.
func (p *player) heldAfter(rec *agent.Record) ([]int, error) {
	now := p.server.idle()
	p.mu.Lock()
	prompt := p.next
	p.mu.Unlock()
	if !cachemodel.ParseUsage(rec.Usage).HasTotal {
		return prompt, nil
	}
	written, err := p.engine.Tokenize(context.Background(), now.Generated)
	if err != nil {
		return nil, err
	}
	held := slices.Concat(prompt, written)
	if len(held) < now.Held {
		return nil, fmt.Errorf("%d tokens are held, %d of them are known; the engine wrote %q", now.Held, len(held), now.Generated)
	}
	return held[:now.Held], nil
}

var timing = regexp.MustCompile(`"timings":\{"cache_n":(\d+),`)

// cacheN is the engine's own figure in the last timings of a stream; -1 when it holds none.
func cacheN(stream []byte) int {
	all := timing.FindAllSubmatch(stream, -1)
	if len(all) == 0 {
		return -1
	}
	n, err := strconv.Atoi(string(all[len(all)-1][1]))
	if err != nil {
		return -1
	}
	return n
}

// plain makes sampling follow the model's policy: all tokens, at their own probability.
func plain() []agent.Param {
	return []agent.Param{
		{Name: "temperature", Raw: json.RawMessage("1")}, {Name: "top_k", Raw: json.RawMessage("0")}, {Name: "top_p", Raw: json.RawMessage("1")},
		{Name: "min_p", Raw: json.RawMessage("0")}, {Name: "max_tokens", Raw: json.RawMessage("400")},
		{Name: "timings_per_token", Raw: json.RawMessage("true")}, // measured also where a stream is ended early
	}
}

// newPlayer makes a session of the real parts: provider, MCP server as a process, store.
func newPlayer(t *testing.T, s *server, placement string, contextTokens int) *player {
	t.Helper()
	base := s.base + "/v1"
	profile, err := provider.ProfileFor("llamacpp", base, modelName)
	must(t, err)
	profile.Placement = placement
	client, err := provider.New(provider.Config{BaseURL: base, Model: modelName, Profile: profile})
	must(t, err)
	t.Cleanup(client.Close)
	program, err := os.Executable()
	must(t, err)
	box, reports := toolbox.Start(context.Background(), []toolbox.ServerConfig{
		{Name: "mteam-primary", Command: program, Env: map[string]string{childVariable: sim.ServerZimoOS}},
	}, toolbox.Options{LoginShell: "-"})
	t.Cleanup(func() { _ = box.Close() })
	for _, r := range reports {
		if !r.OK {
			t.Fatal(r.Message)
		}
	}
	st, err := store.New(t.TempDir())
	must(t, err)
	p := &player{t: t, server: s, box: box}
	p.journal, err = st.Create(store.Info{Name: placement, Model: modelName})
	must(t, err)
	t.Cleanup(func() { _ = p.journal.Close() })
	p.engine, err = engine.New(engine.LlamaCPP, base, "")
	must(t, err)
	p.session, err = agent.New(agent.Options{
		Model: client, Tools: box, Journal: p.journal, Profile: profile, ModelName: modelName, Params: plain(), Thread: p.journal.ID,
		Observer: p.observe, Predictor: p, ContextTokens: contextTokens, MaxSteps: stepsOfATurn,
	})
	must(t, err)
	return p
}

// count says how many requests a test holds for.
func (p *player) count(is func(seen) bool) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.list {
		if is(s) {
			n++
		}
	}
	return n
}
