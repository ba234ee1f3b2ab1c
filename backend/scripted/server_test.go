package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestBadRequestsGetErrorsThatSayWhy(t *testing.T) {
	url := serve(t, plan(), Options{})
	call := `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{}"}}]}`
	for body, want := range map[string]string{
		`{`:                           "no valid request",
		`[]`:                          "no valid request",
		`{"messages":[]}`:             "messages is missing",
		`{"messages":[{"role":"u"}]}`: "messages[0].role",
		`{"messages":[{"role":"user","content":5}]}`:                                                                 "messages[0].content",
		`{"messages":[` + call + `]}`:                                                                                "have no result",
		`{"messages":[` + call + `,{"role":"user","content":"x"}]}`:                                                  "have no result",
		`{"messages":[{"role":"tool","tool_call_id":"a","content":"x"}]}`:                                            "must answer a call",
		`{"messages":[` + strings.Replace(call, `"t"`, `"a.b"`, 1) + `]}`:                                            "does not match",
		`{"messages":[{"role":"user","content":"x"}],"tools":[{"function":{"name":"zimoos.act"}}]}`:                  "tools[0].function.name",
		`{"messages":[{"role":"user","content":"x"}],"tools":[{"function":{"name":"a"}},{"function":{"name":"a"}}]}`: "stands twice",
	} {
		res, text := post(t, url+"/v1/chat/completions", body)
		var e errorBody
		if err := json.Unmarshal([]byte(text), &e); err != nil || res.StatusCode != 400 || !strings.Contains(e.Error.Message, want) || e.Error.Type != "invalid_request_error" {
			t.Errorf("%s: %d %s, want %s", body, res.StatusCode, text, want)
		}
	}
}

func TestLenientScriptsTakeWhatAStrictProviderRefuses(t *testing.T) {
	url := serve(t, &Script{Lenient: true, Steps: []Step{{Text: "x"}}}, Options{})
	if res, text := post(t, url+"/v1/chat/completions", `{"messages":[{"role":"tool","tool_call_id":"a","content":"x"}]}`); res.StatusCode != 200 {
		t.Errorf("%d %s", res.StatusCode, text)
	}
}

func TestTooLargeABodyIsRefused(t *testing.T) {
	url := serve(t, plan(), Options{})
	res, text := post(t, url+"/tokenize", strings.Repeat(" ", maxBodyBytes+1))
	if res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(text, "larger than") {
		t.Errorf("%d %.100s", res.StatusCode, text)
	}
}

func TestModelsAndUnknownPaths(t *testing.T) {
	url := serve(t, plan(), Options{Model: "mine"})
	res, err := http.Get(url + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var list struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil || len(list.Data) != 1 || list.Data[0].ID != "mine" {
		t.Errorf("%v %+v", err, list)
	}
	if res, text := post(t, url+"/v1/embeddings", "{}"); res.StatusCode != 404 || !strings.Contains(text, `"error"`) {
		t.Errorf("%d %s", res.StatusCode, text)
	}
}

func TestListenServesLoopbackOnly(t *testing.T) {
	for _, addr := range []string{":0", "0.0.0.0:0", "192.0.2.7:0", "example.org:80"} {
		if err := Listen(t.Context(), addr, plan(), Options{}, nil); !errors.Is(err, ErrNotLoopback) {
			t.Errorf("%s: %v", addr, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	urls, done := make(chan string, 1), make(chan error, 1)
	go func() { done <- Listen(ctx, "127.0.0.1:0", plan(), Options{}, func(u string) { urls <- u }) }()
	url := <-urls
	for _, tc := range []struct {
		host, origin string
		want         int
	}{{"", "", 200}, {"localhost:1", "", 200}, {"evil.example", "", 403}, {"", "http://localhost", 403}} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/models", nil)
		if err != nil {
			t.Fatal(err)
		}
		if tc.host != "" {
			req.Host = tc.host
		}
		if tc.origin != "" {
			req.Header.Set("Origin", tc.origin)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != tc.want {
			t.Errorf("host %q origin %q: %d, want %d", tc.host, tc.origin, res.StatusCode, tc.want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
