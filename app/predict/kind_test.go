package predict

import (
	"encoding/json"
	"testing"

	"zimoscope/backend/record"
)

func asked(dialect, url, usage string) *record.Record {
	return &record.Record{N: 1, Usage: json.RawMessage(usage), Foreign: &record.Foreign{Dialect: dialect, URL: url}}
}

func TestTheKindOfCacheIsThatOfWhoWasAsked(t *testing.T) {
	for _, c := range []struct {
		dialect, url, model, usage, class string
		exact                             bool
	}{
		{"chat", "https://api.openai.com/v1/chat/completions", "gpt-5", "", "minimum+step", true},
		{"responses", "", "openai/gpt-4o-mini", "", "minimum+step", true},
		{"chat", "", "gpt-x", "", "token", false},
		{"chat", "", "gpt-500", "", "token", false},
		{"chat", "", "o3", "", "minimum+step", true},
		{"messages", "https://api.anthropic.com/v1/messages", "claude-z", "", "anthropic-5m", false},
		{"messages", "", "claude-z", `{"input_tokens":3,"cache_read_input_tokens":9}`, "anthropic-5m", false},
		{"chat", "http://127.0.0.1:8000/v1/chat/completions", "m", `{"prompt_tokens":3,"prompt_tokens_details":{"cached_tokens":1}}`, "block", false},
		{"chat", "http://10.0.0.9/v1/chat/completions", "m", `{"prompt_tokens":3,"prompt_tokens_details":{"cached_tokens":1}}`, "minimum+step", false},
		{"chat", "http://127.0.0.1:8000/v1/chat/completions", "m", `{"prompt_tokens":3,"prompt_cache_hit_tokens":1}`, "deepseek", false},
		{"chat", "https://api.deepseek.com/chat/completions", "deepseek-chat", "", "deepseek", false},
		{"chat", "http://127.0.0.1:8080/v1/chat/completions", "m", "", "token", false},
	} {
		k, r := NewKinds(), asked(c.dialect, c.url, c.usage)
		k.Hear(r)
		if class, exact := k.Of(r, c.model); class != c.class || exact != c.exact {
			t.Errorf("%s %s %s %s: %s %v, want %s %v", c.dialect, c.url, c.model, c.usage, class, exact, c.class, c.exact)
		}
	}
}

func TestAReportSaysOfAllRequestsOfItsSenderWhatTheirCacheIs(t *testing.T) {
	const url, common = "http://10.0.0.9/v1", `{"prompt_tokens":3,"prompt_tokens_details":{"cached_tokens":1}}`
	k, silent := NewKinds(), asked("chat", url, "")
	if k.Hear(silent) {
		t.Error("no report said something")
	}
	for _, c := range []struct {
		usage, class string
		moved        bool
	}{{common, "minimum+step", true}, {common, "minimum+step", false}, {`{"prompt_tokens":3,"prompt_cache_hit_tokens":1}`, "deepseek", true}, {common, "deepseek", false}} {
		if moved := k.Hear(asked("chat", url, c.usage)); moved != c.moved {
			t.Errorf("%s moved the class: %v", c.usage, moved)
		}
		if class, _ := k.Of(silent, "m"); class != c.class {
			t.Errorf("after %s: %s, want %s", c.usage, class, c.class)
		}
	}
	if class, _ := k.Of(asked("chat", "http://10.0.0.8/v1", ""), "m"); class != "token" {
		t.Errorf("another sender: %s", class)
	}
}
