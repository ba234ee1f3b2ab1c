package proxy

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"zimoscope/backend/capture/exchange"
)

// chatUpstream streams three words in the shape of chat completions.
func chatUpstream(t *testing.T) string {
	return upstream(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer sk-test-12345" {
			http.Error(w, r.URL.Path, http.StatusNotFound)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for _, word := range []string{"one ", "two ", "three"} {
			fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", word)
			w.(http.Flusher).Flush()
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}).URL + "/api/v1"
}

func TestTheOpenAIClientStreamsThroughIt(t *testing.T) {
	up := chatUpstream(t)
	for _, path := range []string{"", "/api/v1"} {
		r := start(t, up)
		client := openai.NewClient(option.WithBaseURL(r.p.URL()+path), option.WithAPIKey("sk-test-12345"), option.WithHTTPClient(r.client), option.WithMaxRetries(0))
		stream := client.Chat.Completions.NewStreaming(t.Context(), openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hi")}})
		var text strings.Builder
		for stream.Next() {
			text.WriteString(stream.Current().Choices[0].Delta.Content)
		}
		if err := stream.Err(); err != nil || text.String() != "one two three" {
			t.Fatal(text.String(), err)
		}
		_ = stream.Close()
		if e := r.next(); e.Dialect != exchange.Chat || e.Error != "" || !strings.Contains(string(e.Request), `"hi"`) || len(e.Secrets) != 1 || e.Secrets[0] != "sk-test-12345" {
			t.Fatalf("%+v", e)
		}
	}
}

func TestTheOpenAIClientShowsTheProxysOwnError(t *testing.T) {
	r := start(t, "http://127.0.0.1:1")
	client := openai.NewClient(option.WithBaseURL(r.p.URL()), option.WithAPIKey("sk-test-12345"), option.WithHTTPClient(r.client), option.WithMaxRetries(0))
	_, err := client.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hi")}})
	var shown *openai.Error
	if !errors.As(err, &shown) || !strings.HasPrefix(shown.Message, "ZimoScope proxy: No connection") || shown.Code != "upstream_unreachable" {
		t.Fatalf("%+v", err)
	}
}

func TestCurlStreamsThroughIt(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed on this machine")
	}
	up := chatUpstream(t)
	for _, version := range []string{"--http1.1", "--http1.0", "--http2", "--compressed"} {
		r := start(t, up)
		out, err := exec.CommandContext(t.Context(), curl, "-sS", "-N", "--noproxy", "*", version, "-H", "Authorization: Bearer sk-test-12345", "-H", "Content-Type: application/json", "-d", chatBody, r.p.URL()+"/chat/completions").CombinedOutput()
		if err != nil || !strings.HasSuffix(string(out), "data: [DONE]\n\n") {
			t.Fatalf("%s: %s %v", version, out, err)
		}
		if e := r.next(); string(e.Request) != chatBody || string(e.Response) != string(out) || e.Dialect != exchange.Chat {
			t.Fatalf("%s: %+v", version, e)
		}
	}
}
