package engine

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const body = `{"model":"m","stream":true,"temperature":0.10,"tools":[{"a":1}],"messages":[{"role":"user","content":"<hi>"}]}`

// fake is an engine that notes what it was asked.
type fake struct {
	asked   []string
	answers map[string]string // path -> answer; "500|x" is one with that status
}

func (f *fake) start(t *testing.T, kind Kind, suffix, key string) *Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		f.asked = append(f.asked, r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(raw))
		answer, ok := f.answers[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if rest, bad := strings.CutPrefix(answer, "500|"); bad {
			w.WriteHeader(http.StatusInternalServerError)
			answer = rest
		}
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(srv.Close)
	c, err := New(kind, srv.URL+suffix, key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLlamaRendersThenCuts(t *testing.T) {
	f := &fake{answers: map[string]string{"/apply-template": `{"prompt":"P<x>"}`, "/tokenize": `{"tokens":[3,1,2]}`}}
	got, err := f.start(t, LlamaCPP, "/v1", "k").Tokens(context.Background(), []byte(body))
	if err != nil || !slices.Equal(got, []int{3, 1, 2}) {
		t.Fatalf("%v %v", got, err)
	}
	if len(f.asked) != 2 || f.asked[0] != "/apply-template Bearer k "+body {
		t.Errorf("the body is not asked for as it is: %q", f.asked)
	}
	_, question, _ := strings.Cut(f.asked[1], "{")
	var q struct {
		Content      string
		AddSpecial   bool `json:"add_special"`
		ParseSpecial bool `json:"parse_special"`
	}
	if err := json.Unmarshal([]byte("{"+question), &q); err != nil || q.Content != "P<x>" || !q.AddSpecial || !q.ParseSpecial {
		t.Errorf("%v %+v", err, q)
	}
}

func TestVLLMRendersAndCutsInOneCall(t *testing.T) {
	f := &fake{answers: map[string]string{"/sub/tokenize": `{"count":2,"max_model_len":9,"tokens":[7,8]}`}}
	c := f.start(t, VLLM, "/sub/v1/", "")
	got, err := c.Tokens(context.Background(), []byte(body))
	if err != nil || !slices.Equal(got, []int{7, 8}) {
		t.Fatalf("%v %v", got, err)
	}
	for _, want := range []string{`"add_generation_prompt":true`, `"model":"m"`, `"tools":[{"a":1}]`, `"messages":[{"role":"user"`} {
		if !strings.Contains(f.asked[0], want) {
			t.Errorf("%s is missing in %s", want, f.asked[0])
		}
	}
	if strings.Contains(f.asked[0], "stream") {
		t.Error("it is asked to stream tokens")
	}
	if _, err := c.ApplyTemplate(context.Background(), []byte(body)); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
	if _, err := c.Tokenize(context.Background(), "x"); err != nil || !strings.Contains(f.asked[1], `"add_special_tokens":false`) {
		t.Errorf("%v %s", err, f.asked[1])
	}
}

func TestWhatAnEngineCannotTellIsAnError(t *testing.T) {
	for name, answers := range map[string]map[string]string{
		"no endpoint":         {},
		"failing":             {"/apply-template": "500|the template is broken"},
		"no JSON":             {"/apply-template": "<html>"},
		"no prompt":           {"/apply-template": `{"x":1}`},
		"no tokens":           {"/apply-template": `{"prompt":""}`, "/tokenize": `{}`},
		"tokens of no number": {"/apply-template": `{"prompt":""}`, "/tokenize": `{"tokens":[{"id":1}]}`},
	} {
		f := &fake{answers: answers}
		if got, err := f.start(t, LlamaCPP, "", "").Tokens(context.Background(), []byte(body)); !errors.Is(err, ErrRefused) || got != nil {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
	f := &fake{answers: map[string]string{"/apply-template": `{"prompt":""}`, "/tokenize": `{"tokens":[]}`}}
	if got, err := f.start(t, LlamaCPP, "", "").Tokens(context.Background(), []byte(body)); err != nil || len(got) != 0 {
		t.Errorf("an empty prompt: %v %v", got, err)
	}
}

func TestAnEngineThatIsNotThereIsNamedWithoutItsPassword(t *testing.T) {
	c, err := New(LlamaCPP, "http://u:secret-word@127.0.0.1:1/v1", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Tokens(context.Background(), []byte(body)); !errors.Is(err, ErrUnreachable) || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	for _, bad := range []string{"", "ftp://h", "127.0.0.1:8080", "http://"} {
		if _, err := New(LlamaCPP, bad, ""); err == nil {
			t.Errorf("%q is taken for an address", bad)
		}
	}
	if _, err := New("other", "http://h", ""); err == nil {
		t.Error("an unknown engine is asked")
	}
}

func TestTheLastTokenAlwaysRuns(t *testing.T) {
	for _, c := range []struct {
		held, prompt []int
		want         int
	}{
		{nil, nil, 0}, {nil, []int{1}, 0}, {[]int{1, 2, 3}, []int{1, 2, 3}, 2}, {[]int{1, 2, 3, 4}, []int{1, 2, 3}, 2},
		{[]int{1, 2}, []int{1, 2, 3}, 2}, {[]int{1, 9}, []int{1, 2, 3}, 1}, {[]int{9}, []int{1}, 0},
	} {
		if got := Reuse(c.held, c.prompt); got != c.want {
			t.Errorf("%v then %v: %d, want %d", c.held, c.prompt, got, c.want)
		}
	}
}
