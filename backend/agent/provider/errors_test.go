package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestEveryFailureHasItsKindAndTheProvidersWords(t *testing.T) {
	cases := []struct {
		name  string
		code  int
		body  string
		kind  Kind
		says  string
		field string
	}{
		{"key refused", 401, `{"error":{"message":"Incorrect API key"}}`, KindUnauthorised, "Incorrect", ""},
		{"forbidden", 403, `no`, KindUnauthorised, "no", ""},
		{"no model", 404, `{"error":{"message":"model 'x' not found"}}`, KindNotFound, "not found", ""},
		{"rate", 429, `{"error":{"message":"too many"}}`, KindRateLimited, "too many", ""},
		{"rate that mentions tokens", 429, `{"error":{"message":"token limit per minute"}}`, KindRateLimited, "token limit", ""},
		{"context by code", 400, `{"error":{"message":"no","code":"context_length_exceeded"}}`, KindContextLength, "no", ""},
		{"context by text", 400, `{"error":"the request exceeds the available context size"}`, KindContextLength, "context size", ""},
		{"bad request", 400, `{"error":{"message":"messages: unexpected role"}}`, KindBadRequest, "role", ""},
		{"field by param", 400, `{"error":{"message":"Unknown parameter","param":"stream_options.include_usage"}}`, KindBadRequest, "Unknown", "stream_options"},
		{"field by text", 400, `{"error":{"message":"Unrecognized request argument supplied: parallel_tool_calls"}}`, KindBadRequest, "argument", "parallel_tool_calls"},
		{"field by detail list", 422, `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`, KindBadRequest, "Extra", "stream_options"},
		{"first named field", 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`, KindBadRequest, "max_tokens", "max_tokens"},
		{"no field in ordinary words", 400, `{"error":{"message":"unexpected role user after role tool"}}`, KindBadRequest, "role", ""},
		{"server", 500, `<html><body>Bad <b>gateway</b></body></html>`, KindServer, "Bad gateway", ""},
		{"redirect", 307, ``, KindProtocol, "moved", ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			res, err := ask(connect(t, serve(t, status(tc.code, map[string]string{"Location": "https://elsewhere/v1?k=v"}, tc.body)).URL, nil))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%v", err)
			}
			if e.Kind != tc.kind || e.Status != tc.code || !strings.Contains(e.Provider, tc.says) || e.RejectedField != tc.field {
				t.Errorf("%+v", e)
			}
			if string(res.Raw) != tc.body || res.Status != tc.code {
				t.Errorf("raw %q status %d", res.Raw, res.Status)
			}
			if e.Error() == "" || strings.Contains(e.Error(), "%!") {
				t.Errorf("sentence %q", e.Error())
			}
		})
	}
}

func TestNoSecretAppearsInAnError(t *testing.T) {
	const header, query = "Token very-secret-header", "secret-in-query"
	echo := fmt.Sprintf(`{"error":{"message":"bad key %s, %s, %s, sk-proj-abc***xyz1"}}`, testKey, "very-secret-header", query)
	change := func(c *Config) {
		c.BaseURL += "?key=" + query
		c.Headers = map[string]string{"X-Auth": header}
	}
	bodies := map[string]http.HandlerFunc{
		"http":    status(401, nil, echo),
		"in-band": sse("data: " + echo + "\n\n"),
		"page":    sse("<html>" + testKey + " very-secret-header " + query),
	}
	for name, handler := range bodies {
		_, err := ask(connect(t, serve(t, handler).URL, change))
		noSecrets(t, name, err)
	}
	_, err := ask(connect(t, "http://127.0.0.1:1", change))
	noSecrets(t, "unreachable", err)
	c := connect(t, "http://127.0.0.1:1", change)
	noSecrets(t, "redact", errors.New(c.Redact(echo)))
}

func noSecrets(t *testing.T, name string, err error) {
	t.Helper()
	if err == nil {
		t.Fatalf("%s: no error", name)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, secret := range []string{testKey, "very-secret-header", "secret-in-query"} {
			if text := fmt.Sprintf("%v %+v %#v", e, e, e); strings.Contains(text, secret) {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// stall sends one delta and then nothing until the client leaves.
func stall(gone chan<- struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, chunk(`{"content":"hi"}`))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	}
}

func TestCancelEndsTheStreamAndKeepsWhatArrived(t *testing.T) {
	gone := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	c := connect(t, serve(t, stall(gone)).URL, nil)
	res, err := c.Stream(ctx, []byte(`{"stream":true}`), StreamOptions{OnDelta: func(Delta) { cancel() }})
	<-gone
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindCancelled || !errors.Is(err, context.Canceled) || res.Text != "hi" {
		t.Fatalf("%v, text %q", err, res.Text)
	}
}

func TestSilenceWithinAStreamRunsIntoTheIdleLimit(t *testing.T) {
	gone := make(chan struct{})
	c := connect(t, serve(t, stall(gone)).URL, func(c *Config) { c.IdleTimeout = 20 * time.Millisecond })
	res, err := ask(c)
	<-gone
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindTimeout || e.Timeout != 20*time.Millisecond || res.Text != "hi" {
		t.Fatalf("%v, text %q", err, res.Text)
	}
}

func TestSilenceBeforeTheFirstByteRunsIntoItsLimitOnce(t *testing.T) {
	sent := make(chan struct{}, 8)
	c := connect(t, serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		sent <- struct{}{}
		<-r.Context().Done()
	}).URL, func(c *Config) { c.FirstByteTimeout = 50 * time.Millisecond })
	_, err := ask(c)
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindTimeout || len(sent) > 1 {
		t.Fatalf("%v, sent %d times", err, len(sent))
	}
}

func TestAWholeAnswerWhoseStreamNeverEndsIsAnAnswer(t *testing.T) {
	c := connect(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, chunk(`{"content":"hi"}`)+stop)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}).URL, func(c *Config) { c.IdleTimeout = 20 * time.Millisecond })
	if res, err := ask(c); err != nil || res.Text != "hi" {
		t.Fatalf("%v, text %q", err, res.Text)
	}
}

func TestStopWhenEndsTheStreamEarlyWithoutError(t *testing.T) {
	gone := make(chan struct{})
	c := connect(t, serve(t, stall(gone)).URL, nil)
	res, err := c.Stream(context.Background(), []byte(`{"stream":true}`), StreamOptions{StopWhen: func(r *Response) bool { return r.Text == "hi" }})
	<-gone
	if err != nil || !res.Stopped || res.Text != "hi" {
		t.Fatalf("%v %+v", err, res)
	}
}

func TestDeltasTellTextReasoningAndCallsInOrder(t *testing.T) {
	body := chunk(`{"reasoning":"r"}`) + chunk(`{"content":"t"}`) + calls(`{"index":3,"id":"a","function":{"name":"f","arguments":"{"}}`) + calls(`{"index":3,"function":{"arguments":"}"}}`) + finish + done
	var got []string
	c := connect(t, serve(t, sse(body)).URL, nil)
	_, err := c.Stream(context.Background(), []byte(`{"stream":true}`), StreamOptions{OnDelta: func(d Delta) {
		got = append(got, fmt.Sprintf("%s|%s|%d|%s|%s", d.Text, d.Reasoning, d.CallIndex, d.CallName, d.CallArgs))
	}})
	if want := "|r|-1|| t||-1|| ||0|f|{ ||0|f|}"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%v\n%s\n%s", err, strings.Join(got, " "), want)
	}
}

func TestModelsAreListedAndFailuresAreClear(t *testing.T) {
	for _, tc := range []struct {
		code int
		body string
		want string
		kind Kind
	}{
		{200, `{"object":"list","data":[{"id":"b"},{"id":"a"}]}`, "[b a]", ""},
		{200, `{"data":[]}`, "[]", ""},
		{401, `{"error":"bad key"}`, "[]", KindUnauthorised},
		{200, `<html>`, "[]", KindProtocol},
	} {
		c := connect(t, serve(t, status(tc.code, nil, tc.body)).URL, nil)
		names, err := c.Models(context.Background())
		var e *Error
		if errors.As(err, &e) != (tc.kind != "") || (e != nil && e.Kind != tc.kind) || fmt.Sprint(names) != tc.want {
			t.Errorf("%s: %v %v", tc.body, names, err)
		}
	}
	_, err := connect(t, "http://127.0.0.1:1", nil).Models(context.Background())
	noSecrets(t, "models", err)
}
