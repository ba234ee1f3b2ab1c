package provider

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

func TestProfileIsPickedByNameElseByAddressAndModel(t *testing.T) {
	for _, tc := range [][4]string{
		{"vllm", "https://api.openai.com/v1", "", "vllm"},
		{"", "https://api.openai.com/v1", "gpt-5", "openai"},
		{"auto", "https://api.deepseek.com", "deepseek-chat", "deepseek"},
		{"", "http://127.0.0.1:1234/v1", "qwen3", "lmstudio"},
		{"", "http://localhost:11434/v1", "llama3.1", "ollama"},
		{"", "http://192.168.1.4:8000/v1", "qwen3", "vllm"},
		{"", "http://127.0.0.1:8080/v1", "qwen3", "llamacpp"},
		{"", "http://127.0.0.1:1234/v1", "mistralai/Devstral-Small", "mistral-template"},
		{"", "https://api.mistral.ai/v1", "large", "mistral-template"},
		{"", "https://example.com:8000/v1", "x", "generic"},
		{"", "https://notdeepseek.com/v1", "x", "generic"},
		{"", "::", "x", "generic"},
	} {
		p, err := ProfileFor(tc[0], tc[1], tc[2])
		if err != nil || p.Name != tc[3] {
			t.Errorf("%v: %s %v", tc, p.Name, err)
		}
	}
	_, err := ProfileFor("vlm", "", "")
	if !errors.Is(err, ErrUnknownProfile) || !strings.Contains(err.Error(), "mistral-template") {
		t.Errorf("%v", err)
	}
}

func TestEveryProfileSaysAllItHasTo(t *testing.T) {
	for _, p := range profiles() {
		if p.Placement == "" || p.EmptyContent == "" || p.CallIDs == "" || p.MaxTokensField == "" || p.ToolImages == "" || p.CacheClass == "" {
			t.Errorf("%s has an empty field: %+v", p.Name, p)
		}
		if p.KeepReasoning && p.ReasoningField == "" {
			t.Errorf("%s keeps reasoning under no name", p.Name)
		}
		if (p.CacheClass == CacheBlock) != (p.CacheBlock > 0) || (p.CacheClass == CacheMinimumStep) != (p.CacheStep > 0) {
			t.Errorf("%s: cache figures do not fit its class", p.Name)
		}
	}
}

func TestCallIDsAreMappedTheSameWayEachTime(t *testing.T) {
	mistral, _ := ProfileFor("mistral-template", "", "")
	generic, _ := ProfileFor("generic", "", "")
	form := regexp.MustCompile(`^[A-Za-z0-9]{9}$`)
	seen := map[string]string{}
	for _, id := range []string{"call_1", "call_2", "turn1_0", "abcdefghi", "", "fn:0", "日本"} {
		m := MapCallID(mistral, id)
		if !form.MatchString(m) || m != MapCallID(mistral, id) || seen[m] != "" {
			t.Errorf("%q -> %q", id, m)
		}
		seen[m] = id + "."
		if MapCallID(generic, id) != id {
			t.Errorf("%q was changed", id)
		}
	}
	if MapCallID(mistral, "abcdefghi") != "abcdefghi" {
		t.Error("an id that fits was changed")
	}
}
