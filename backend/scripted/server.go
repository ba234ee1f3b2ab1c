package scripted

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// maxBodyBytes bounds a request body: far above the 10 MB frames of the demos.
const maxBodyBytes = 64 << 20

// Options change how a script is played.
type Options struct {
	// Rule replaces the script's rule when its Class is set.
	Rule Rule
	// Model replaces the script's model when set.
	Model string
	// Speed multiplies the delays of the script: 1 as written, 0 none.
	Speed float64
	// Now gives the time in answers; time.Now when nil.
	Now func() time.Time
	// CacheTokens bounds the cache, in tokens; 0 means 8 million.
	CacheTokens int
}

// player is the provider: a script, the cache and the record of faults.
type player struct {
	script *Script
	rule   Rule
	model  string
	speed  float64
	now    func() time.Time
	cache  *cache
	faults *faults
}

// New makes the provider's HTTP handler, with an empty cache. It does not
// check where requests come from; Listen does.
//
// It serves POST /v1/chat/completions, GET /v1/models, and as llama-server
// does POST /apply-template ({"prompt": text}) and POST /tokenize
// ({"tokens": [int]}), whose counts are those of the usage reports.
func New(s *Script, o Options) http.Handler {
	p := &player{script: s, rule: s.Rule, model: s.Model, speed: o.Speed, now: o.Now,
		cache: newCache(o.CacheTokens), faults: newFaults()}
	if o.Rule.Class != "" {
		p.rule = o.Rule
	}
	if o.Model != "" {
		p.model = o.Model
	}
	if p.model == "" {
		p.model = defaultModel
	}
	if p.now == nil {
		p.now = time.Now
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", p.complete)
	mux.HandleFunc("GET /v1/models", p.models)
	mux.HandleFunc("POST /apply-template", p.applyTemplate)
	mux.HandleFunc("POST /tokenize", p.tokenize)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		sendError(w, http.StatusNotFound, newError("invalid_request_error", "not_found", "there is no "+r.Method+" "+r.URL.Path))
	})
	return mux
}

func (p *player) models(w http.ResponseWriter, _ *http.Request) {
	send(w, http.StatusOK, map[string]any{"object": "list", "data": []any{
		map[string]any{"id": p.model, "object": "model", "created": p.now().Unix(), "owned_by": "scripted"},
	}})
}

func (p *player) applyTemplate(w http.ResponseWriter, r *http.Request) {
	req, ok := p.read(w, r)
	if !ok {
		return
	}
	prompt, err := req.prompt()
	if err != nil {
		sendError(w, http.StatusBadRequest, newError("invalid_request_error", "", err.Error()))
		return
	}
	send(w, http.StatusOK, map[string]string{"prompt": prompt})
}

func (p *player) tokenize(w http.ResponseWriter, r *http.Request) {
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	var in struct {
		Content *string `json:"content"`
	}
	if err := json.Unmarshal(body, &in); err != nil || in.Content == nil {
		sendError(w, http.StatusBadRequest, newError("invalid_request_error", "", `tokenize wants {"content": "a text"}`))
		return
	}
	send(w, http.StatusOK, map[string][]uint64{"tokens": tokenize(*in.Content)})
}

func (p *player) complete(w http.ResponseWriter, r *http.Request) {
	req, ok := p.read(w, r)
	if !ok {
		return
	}
	out, err := p.play(req)
	if err != nil {
		sendError(w, http.StatusBadRequest, newError("script_error", "", err.Error()))
		return
	}
	if out.fail && out.step.Error != nil && !out.step.has(QuirkErrorInStream) {
		out.step.Error.send(w)
		return
	}
	use, err := p.account(req, out)
	if err != nil {
		sendError(w, http.StatusBadRequest, newError("invalid_request_error", "", err.Error()))
		return
	}
	t := &transmission{player: p, request: req, reply: out, usage: use, w: w, ctx: r.Context()}
	if req.Stream {
		t.stream()
		return
	}
	t.whole()
}

// account puts the prompt and the answer into the cache and gives the usage.
// Of an answer that is cut off only the prompt stays.
func (p *player) account(r *request, out *reply) (usage, error) {
	prompt, err := r.prompt()
	if err != nil {
		return usage{}, err
	}
	tokens := tokenize(prompt)
	answer := tokenize(out.generated())
	cached := p.rule.cached(p.cache.add(r.Model, tokens), len(tokens))
	if !out.fail {
		p.cache.add(r.Model, append(tokens[:len(tokens):len(tokens)], answer...))
	}
	return usage{
		PromptTokens: len(tokens), CompletionTokens: len(answer), TotalTokens: len(tokens) + len(answer),
		PromptTokensDetails: promptDetails{CachedTokens: cached},
	}, nil
}

// read takes in a chat body and answers itself when it cannot be used.
func (p *player) read(w http.ResponseWriter, r *http.Request) (*request, bool) {
	body, ok := readBody(w, r)
	if !ok {
		return nil, false
	}
	req, err := parseRequest(body)
	if err == nil && !p.script.Lenient {
		err = req.check()
	}
	if err != nil {
		sendError(w, http.StatusBadRequest, newError("invalid_request_error", "", err.Error()))
		return nil, false
	}
	if req.Model == "" {
		req.Model = p.model
	}
	sum := sha256.Sum256(body)
	req.hash = hex.EncodeToString(sum[:])
	return req, true
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		sendError(w, http.StatusRequestEntityTooLarge, newError("invalid_request_error", "request_too_large",
			fmt.Sprintf("the body is larger than %d bytes; send less context", tooLarge.Limit)))
		return nil, false
	}
	if err != nil {
		sendError(w, http.StatusBadRequest, newError("invalid_request_error", "", "the body ended early: "+err.Error()))
		return nil, false
	}
	return body, true
}

func (f *Fault) send(w http.ResponseWriter) {
	if f.RetryAfter != nil {
		w.Header().Set("Retry-After", strconv.Itoa(*f.RetryAfter))
	}
	sendError(w, f.Status, f.body())
}

func sendError(w http.ResponseWriter, status int, body errorBody) { send(w, status, body) }

func send(w http.ResponseWriter, status int, v any) {
	raw, err := marshal(v)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"error":{"message":"the answer cannot be written as JSON","type":"server_error"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(raw) // the client is gone when this fails; there is nobody to tell
}
