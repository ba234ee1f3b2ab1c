package provider

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxProviderText bounds the provider's words in an error, in bytes: enough for
// a sentence and its parameters, short enough for a dialog.
const maxProviderText = 600

// words are what a failure body says, read leniently.
type words struct {
	text  string // message, or the body itself
	code  string
	kind  string
	param string
}

// readWords finds the message in the shapes that servers use: an object or a
// string under "error", or message, detail, msg, error_message at the top.
func readWords(body []byte) words {
	var w words
	top := membersOf(body)
	if top == nil {
		w.text = plainText(body)
		return w
	}
	w.fill(top)
	if inner, ok := find(top, "error"); ok {
		if s, isText := asString(inner); isText {
			w.text = s
		} else {
			w.fill(split(inner))
		}
	}
	if w.text == "" {
		w.text = string(body)
	}
	return w
}

func (w *words) fill(object []member) {
	for _, m := range object {
		s, isText := asString(m.raw)
		if !isText {
			s = strings.TrimSpace(string(m.raw))
		}
		if s == "" || s == "null" {
			continue
		}
		switch m.key {
		case "message", "error_message", "detail", "msg":
			w.text = s
		case "code":
			w.code = s
		case "type":
			w.kind = s
		case "param":
			w.param = s
		}
	}
}

// plainText makes a body that is not JSON readable: a web page loses its tags.
func plainText(body []byte) string {
	s := string(body)
	if strings.HasPrefix(strings.TrimSpace(s), "<") {
		s = regexp.MustCompile(`(?s)<(?:script|style).*?</(?:script|style)>|<[^>]*>`).ReplaceAllString(s, " ")
	}
	return strings.Join(strings.Fields(s), " ")
}

func shorten(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "�"))
	if len(s) <= maxProviderText {
		return s
	}
	cut := maxProviderText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// httpError makes the error of an answer whose status is not a success.
func (c *Client) httpError(res *http.Response, body []byte) *Error {
	w := readWords(body)
	e := c.newError(kindOfStatus(res.StatusCode), w.text)
	e.Status = res.StatusCode
	e.RetryAfter = retryAfter(res.Header)
	if saysTooLong(w) && res.StatusCode < http.StatusInternalServerError &&
		e.Kind != KindUnauthorised && e.Kind != KindRateLimited {
		e.Kind = KindContextLength
	}
	if e.Kind == KindBadRequest {
		e.RejectedField = rejectedField(w)
	}
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		e.Provider = c.redact.text("the address moved to " + addressOf(res.Header.Get("Location")))
	}
	return e
}

// inBandError makes the error of a failure inside a successful answer.
func (c *Client) inBandError(w words) *Error {
	e := c.newError(KindInBand, w.text)
	e.InBand = true
	if saysTooLong(w) {
		e.Kind = KindContextLength
	}
	return e
}

func (c *Client) newError(kind Kind, provider string) *Error {
	return &Error{
		Kind: kind, Provider: shorten(c.redact.text(provider)),
		where: c.where, model: c.cfg.Model,
	}
}

func kindOfStatus(status int) Kind {
	switch {
	case status >= 500:
		return KindServer
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return KindUnauthorised
	case status == http.StatusNotFound:
		return KindNotFound
	case status == http.StatusTooManyRequests, status == http.StatusPaymentRequired:
		return KindRateLimited
	case status == http.StatusRequestEntityTooLarge:
		return KindContextLength
	case status >= 400:
		return KindBadRequest
	}
	return KindProtocol
}

// tooLongPhrases are how servers say that a request exceeds the window.
func tooLongPhrases() []string {
	return []string{
		"context_length_exceeded", "maximum context length", "context length", "context window",
		"context size", "prompt is too long", "input is too long", "too many tokens",
		"reduce the length", "exceed_context_size", "n_ctx", "maximum prompt length",
		"token limit", "exceeds the limit of tokens", "input token count",
	}
}

func saysTooLong(w words) bool {
	all := strings.ToLower(w.text + " " + w.code + " " + w.kind)
	for _, phrase := range tooLongPhrases() {
		if strings.Contains(all, phrase) {
			return true
		}
	}
	return false
}

// optionalFields are request members that a server may refuse and that a
// request can do without.
func optionalFields() []string {
	return []string{
		"stream_options", "parallel_tool_calls", "tool_choice", "temperature", "top_p", "top_k", "min_p",
		"max_tokens", "max_completion_tokens", "reasoning_effort", "reasoning", "thinking", "enable_thinking",
		"chat_template_kwargs", "cache_prompt", "prompt_cache_key", "prompt_cache_retention",
		"seed", "stop", "presence_penalty", "frequency_penalty", "repetition_penalty", "logit_bias",
		"logprobs", "top_logprobs", "n", "user", "safety_identifier", "metadata", "store",
		"service_tier", "response_format", "verbosity", "modalities",
	}
}

// rejectedField names the optional field that a refusal is about: the server's
// param, else the first such name in a text that speaks of refusing.
func rejectedField(w words) string {
	fields := optionalFields()
	root, _, _ := strings.Cut(w.param, ".")
	for _, f := range fields {
		if f == root {
			return f
		}
	}
	refusal := regexp.MustCompile(`(?i)unknown|unrecogni[sz]ed|unsupported|not supported|does(?:n't| not) support|unexpected|extra inputs|extra fields|extra_forbidden|not permitted|not allowed|invalid (?:parameter|argument|field)|additional propert`)
	if !refusal.MatchString(w.text) {
		return ""
	}
	best, at := "", len(w.text)
	for _, f := range fields {
		if f == "n" || f == "user" || f == "stop" || f == "store" || f == "reasoning" {
			continue // ordinary words: only the server's param can name them
		}
		loc := regexp.MustCompile(`(?:^|[^A-Za-z0-9_])` + f + `(?:[^A-Za-z0-9_]|$)`).FindStringIndex(w.text)
		if loc != nil && loc[0] < at {
			best, at = f, loc[0]
		}
	}
	return best
}

// retryAfter reads the wait a server asked for: milliseconds, seconds or a date.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < float64(maxStatedWait/time.Millisecond) {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < maxStatedWait.Seconds() {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		if d := time.Until(at); d > 0 {
			return d
		}
	}
	return 0
}

// maxStatedWait is the longest wait that is repeated to the user; beyond it a
// header is taken for nonsense.
const maxStatedWait = 31 * 24 * time.Hour

func asString(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}
