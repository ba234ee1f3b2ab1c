package scripted

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

func sdk(url string) openai.Client {
	return openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey("none"), option.WithMaxRetries(0))
}

func params(tools ...string) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{
		Model:         "m",
		Messages:      []openai.ChatCompletionMessageParamUnion{openai.SystemMessage("s"), openai.UserMessage("u")},
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
	for _, name := range tools {
		p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: name}))
	}
	return p
}

func TestStreamIsReadableByAnOpenAIClient(t *testing.T) {
	for _, quirks := range [][]string{nil, {QuirkKeepAlive, QuirkCRLF}, {QuirkNoDone}} {
		s := &Script{Steps: []Step{{Text: "Grüße, 你好 <zimoos>!", Quirks: quirks, ToolCalls: []ToolCall{
			{Name: "do.it", Arguments: []byte(`{"a":"a long enough text"}`)}, {Name: "do.it"},
		}}}}
		client := sdk(serve(t, s, Options{}))
		stream := client.Chat.Completions.NewStreaming(t.Context(), params("x__do_x2e_it"))
		var acc openai.ChatCompletionAccumulator
		chunks := 0
		for stream.Next() {
			acc.AddChunk(stream.Current())
			chunks++
		}
		if stream.Err() != nil || len(acc.Choices) != 1 {
			t.Fatalf("%v: %v", quirks, stream.Err())
		}
		m := acc.Choices[0].Message
		if m.Content != "Grüße, 你好 <zimoos>!" || len(m.ToolCalls) != 2 || m.ToolCalls[0].Function.Arguments != `{"a":"a long enough text"}` ||
			m.ToolCalls[1].Function.Name != "x__do_x2e_it" || m.ToolCalls[1].Function.Arguments != "{}" || acc.Choices[0].FinishReason != "tool_calls" {
			t.Errorf("%v: %+v", quirks, m)
		}
		if acc.Usage.PromptTokens == 0 || acc.Usage.CompletionTokens == 0 || chunks < 8 || acc.Created != fixedNow().Unix() {
			t.Errorf("%v: usage %+v in %d chunks", quirks, acc.Usage, chunks)
		}
	}
}

func TestStreamedAndWholeAnswersReportTheSameUsage(t *testing.T) {
	client := sdk(serve(t, &Script{Steps: []Step{{Text: "hello", Reasoning: "why"}}}, Options{}))
	p := params()
	p.StreamOptions = openai.ChatCompletionStreamOptionsParam{}
	whole, err := client.Chat.Completions.New(t.Context(), p)
	if err != nil || whole.Choices[0].Message.Content != "hello" || whole.Choices[0].FinishReason != "stop" {
		t.Fatalf("%v %+v", err, whole)
	}
	stream := client.Chat.Completions.NewStreaming(t.Context(), params())
	var acc openai.ChatCompletionAccumulator
	for stream.Next() {
		acc.AddChunk(stream.Current())
	}
	if acc.Usage.CompletionTokens != whole.Usage.CompletionTokens || acc.Usage.PromptTokens != whole.Usage.PromptTokens ||
		acc.Usage.PromptTokensDetails.CachedTokens != whole.Usage.PromptTokens-1 {
		t.Errorf("%+v, whole %+v", acc.Usage, whole.Usage)
	}
}

func streamed(t *testing.T, s *Script, options string) string {
	t.Helper()
	url := serve(t, s, Options{})
	_, text := post(t, url+"/v1/chat/completions", `{"model":"m","stream":true,`+options+`"messages":[{"role":"user","content":"u"}],"tools":[{"type":"function","function":{"name":"t"}}]}`)
	return text
}

func TestUsageComesOnlyWhenAskedForAndGiven(t *testing.T) {
	off := false
	want := `"stream_options":{"include_usage":true},`
	if text := streamed(t, &Script{Steps: []Step{{Text: "x"}}}, want); !strings.Contains(text, `"choices":[],"usage":{"prompt_tokens":`) {
		t.Errorf("no usage: %s", text)
	}
	if text := streamed(t, &Script{Steps: []Step{{Text: "x"}}}, ""); strings.Contains(text, "usage") {
		t.Errorf("usage that nobody asked for: %s", text)
	}
	if text := streamed(t, &Script{Steps: []Step{{Text: "x", Usage: &off}}}, want); strings.Contains(text, "usage") {
		t.Errorf("usage although the script has none: %s", text)
	}
}

func TestChunkSizeAndFinishReasonComeFromTheStep(t *testing.T) {
	two := 2
	text := streamed(t, &Script{Steps: []Step{{Text: "你好吗", Reasoning: "r", Chunk: &two, FinishReason: "length"}}}, "")
	for _, part := range []string{`{"reasoning_content":"r"}`, `{"content":"你好"}`, `{"content":"吗"}`, `"finish_reason":"length"`, "data: [DONE]\n\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is missing in %s", part, text)
		}
	}
}

func TestQuirksShowOnTheWire(t *testing.T) {
	step := func(q string) *Script {
		return &Script{Steps: []Step{{Text: "x", Quirks: []string{q}, ToolCalls: []ToolCall{{Name: "t", ID: "a"}, {Name: "t", ID: "b"}}}}}
	}
	for _, tc := range []struct {
		quirk, has, hasNot string
	}{
		{QuirkNoIndex, `"tool_calls":[{"id":"b"`, `"tool_calls":[{"index"`},
		{QuirkIndexZero, `{"index":0,"id":"b"`, `"index":1`},
		{QuirkRepeatName, `{"index":1,"function":{"name":"t","arguments":"{}"}}`, "~"},
		{QuirkNoDone, `"finish_reason":"tool_calls"`, "[DONE]"},
		{QuirkNoFinish, "[DONE]", `"finish_reason":"`},
		{QuirkKeepAlive, ": keep-alive\n\nevent: ping\n\nretry: 3000\n\n", "~"},
		{QuirkCRLF, "data: [DONE]\r\n\r\n", "~"},
	} {
		text := streamed(t, step(tc.quirk), "")
		if !strings.Contains(text, tc.has) || strings.Contains(text, tc.hasNot) {
			t.Errorf("%s: %s", tc.quirk, text)
		}
	}
	s := &Script{Steps: []Step{{Quirks: []string{QuirkErrorInStream}, Error: &Fault{Status: 500, Message: "broken"}}}}
	if text := streamed(t, s, ""); !strings.HasPrefix(text, `data: {"error":{"message":"broken"`) {
		t.Errorf("error in the stream: %s", text)
	}
}

// raw posts and reads until the connection ends, in whatever way.
func raw(t *testing.T, url, body string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return string(text), err
}

func TestCutStreamEndsInTheMiddleOnceAndThenPlays(t *testing.T) {
	three := 3
	url := serve(t, &Script{Chunk: 1, Steps: []Step{{Text: "abcdef", CutAfter: &three}}}, Options{})
	body := `{"model":"m","stream":true,"messages":[{"role":"user","content":"u"}]}`
	text, err := raw(t, url, body)
	if !errors.Is(err, io.ErrUnexpectedEOF) || strings.Count(text, "data: ") != 3 || strings.Contains(text, `"c"`) {
		t.Errorf("cut: %v after %s", err, text)
	}
	if text, err = raw(t, url, body); err != nil || !strings.Contains(text, "[DONE]") {
		t.Errorf("again: %v %s", err, text)
	}
	whole := `{"model":"m","messages":[{"role":"user","content":"other"}]}`
	if _, err = raw(t, url, whole); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut of a whole answer: %v", err)
	}
}

func TestAClientThatLeavesEndsTheWait(t *testing.T) {
	long := maxDelayMS
	url := serve(t, &Script{Steps: []Step{{Text: "x", DelayMS: &long}}}, Options{Speed: 1000}) // half a day: a provider that waited would hang the test
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"u"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("the answer came although the client had left")
	}
	_ = res.Body.Close()
}
