// Package engine asks an inference engine for the exact tokens of a request, as the engine itself would render and cut
// it: llama.cpp's server and vLLM. With them a prediction of cache reuse needs no estimate.
//
// Contract: nothing is generated and nothing at the engine changes; its cache is not touched. Each call blocks for one
// or two HTTP requests, bounded by the context and by callTimeout. A Client is safe for concurrent use. The tokens are
// those of the model that is loaded now.
package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Errors of this package. The text beside them holds what the engine said.
var (
	// ErrUnreachable: start the engine, or correct its address.
	ErrUnreachable = errors.New("the engine does not answer")
	// ErrRefused: the engine can't render this request, or has no such endpoint. Counts stay estimates.
	ErrRefused = errors.New("the engine does not give the tokens of this request")
)

const (
	// callTimeout bounds one question: a long prompt is rendered and cut in well under a second.
	callTimeout = 30 * time.Second
	// maxAnswerBytes bounds an answer: a million tokens with room to spare.
	maxAnswerBytes = 64 << 20
	// shownBytes bounds what is shown of an engine's error.
	shownBytes = 300
)

// Kind says which engine it is.
type Kind string

// The kinds.
const (
	LlamaCPP Kind = "llamacpp"
	VLLM     Kind = "vllm"
)

// Client speaks to one engine. Make it with New.
type Client struct {
	kind   Kind
	root   *url.URL
	key    string
	client *http.Client
}

// New makes a client for the engine behind an OpenAI-compatible address, such as http://127.0.0.1:8080/v1. key may be "".
func New(kind Kind, baseURL, key string) (*Client, error) {
	root, err := url.Parse(baseURL)
	if err != nil || root.Host == "" || root.Scheme != "http" && root.Scheme != "https" {
		return nil, errors.New("the engine's address is not an http address")
	}
	if kind != LlamaCPP && kind != VLLM {
		return nil, fmt.Errorf("no way is known to ask %q for tokens", kind)
	}
	root.Path = strings.TrimSuffix(strings.TrimRight(root.Path, "/"), "/v1")
	return &Client{kind: kind, root: root, key: key, client: &http.Client{
		Timeout:       callTimeout,
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Tokens gives the tokens of the prompt that the engine makes of a chat completion body.
func (c *Client) Tokens(ctx context.Context, body []byte) ([]int, error) {
	if c.kind == VLLM {
		return c.chatTokens(ctx, body)
	}
	prompt, err := c.ApplyTemplate(ctx, body)
	if err != nil {
		return nil, err
	}
	return c.Tokenize(ctx, prompt)
}

// ApplyTemplate gives the prompt that llama.cpp's server renders of a chat completion body.
func (c *Client) ApplyTemplate(ctx context.Context, body []byte) (string, error) {
	if c.kind != LlamaCPP {
		return "", fmt.Errorf("%w: %s renders no prompt by itself; ask for Tokens", ErrRefused, c.kind)
	}
	var answer struct {
		Prompt *string `json:"prompt"`
	}
	if err := c.ask(ctx, "apply-template", body, &answer); err != nil {
		return "", err
	}
	if answer.Prompt == nil {
		return "", fmt.Errorf("%w: its answer holds no prompt", ErrRefused)
	}
	return *answer.Prompt, nil
}

// Tokenize cuts a rendered prompt as the engine does before it runs it: with the special tokens that stand in the text,
// and those that the model's vocabulary puts in front.
func (c *Client) Tokenize(ctx context.Context, prompt string) ([]int, error) {
	question := map[string]any{"content": prompt, "add_special": true, "parse_special": true}
	if c.kind == VLLM { // a rendered prompt has its special tokens already
		question = map[string]any{"prompt": prompt, "add_special_tokens": false}
	}
	raw, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	return c.tokens(ctx, raw)
}

// chatTokens: vLLM renders and cuts in one call, and takes the parts of the body that shape the prompt.
func (c *Client) chatTokens(ctx context.Context, body []byte) ([]int, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, fmt.Errorf("the request is no JSON object: %w", err)
	}
	question := map[string]json.RawMessage{"add_generation_prompt": []byte("true")}
	for _, name := range []string{"model", "messages", "tools", "chat_template_kwargs"} {
		if v, ok := all[name]; ok {
			question[name] = v
		}
	}
	raw, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	return c.tokens(ctx, raw)
}

func (c *Client) tokens(ctx context.Context, question []byte) ([]int, error) {
	var answer struct {
		Tokens []int `json:"tokens"`
	}
	if err := c.ask(ctx, "tokenize", question, &answer); err != nil {
		return nil, err
	}
	if answer.Tokens == nil {
		return nil, fmt.Errorf("%w: its answer holds no tokens", ErrRefused)
	}
	return answer.Tokens, nil
}

func (c *Client) ask(ctx context.Context, path string, question []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.root.JoinPath(path).String(), bytes.NewReader(question))
	if err != nil {
		return fmt.Errorf("%w: its address can't be used", ErrUnreachable)
	}
	req.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) { // without the address, which may hold a password
			err = wrapped.Err
		}
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerBytes+1))
	switch {
	case err != nil:
		return fmt.Errorf("%w: its answer broke off: %w", ErrUnreachable, err)
	case len(answer) > maxAnswerBytes:
		return fmt.Errorf("%w: its answer is larger than %d MiB", ErrRefused, maxAnswerBytes>>20)
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%w: HTTP status %d: %s", ErrRefused, resp.StatusCode, strings.ToValidUTF8(string(answer[:min(len(answer), shownBytes)]), ""))
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("%w: its answer is no JSON: %w", ErrRefused, err)
	}
	return nil
}

// Common counts the tokens at the start that two prompts share.
func Common(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Reuse says how many tokens of prompt an engine takes from a cache that holds held, before it rounds to its units: what
// the two share, but never the last one, which has to run so that there is something to sample from.
func Reuse(held, prompt []int) int { return min(Common(held, prompt), max(0, len(prompt)-1)) }
