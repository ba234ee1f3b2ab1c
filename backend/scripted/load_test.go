package scripted

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sample = `{
  // A script with everything in it.
  "model": "m",
  "rule": {"class": "minimum-step", "minimum": 2048, "step": 128},
  "turns": [
    {"prompt": "Go on.", "steps": [
      {
        "text": "hello {{cursor|c0}}", "delay_ms": 20, "chunk": 4,
        "tool_calls": [{"name": "zimoos.act", "arguments": {"cmd": "home", "frameCursor": "{{cursor}}"}}],
        "summary": "Summary: x", "usage": false,
      },
      {"error": {"status": 429, "type": "rate_limit_error", "message": "slow", "retry_after": 1}, "fail_times": 2},
    ]},
  ],
}
`

func TestLoadReadsCommentsAndTrailingCommas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(path, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	steps := s.steps()
	if s.Rule.Minimum != 2048 || len(steps) != 2 || *steps[0].DelayMS != 20 || *steps[0].Usage || steps[1].Error.Status != 429 || s.Prompts()[0] != "Go on." {
		t.Errorf("%+v", s)
	}
	if _, err := Load(path + ".nope"); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("missing file: %v", err)
	}
}

func TestMistakesAreNamedWithKeyLineAndWhatIsAllowed(t *testing.T) {
	for _, tc := range []struct {
		old, new string
		line     int
		key      string
		allowed  string // one of the allowed values, when there are any
	}{
		{`"text"`, `"txet"`, 8, "turns[0].steps[0].txet", "text"},
		{`"minimum-step"`, `"minimun-step"`, 4, "rule.class", ClassMinimumStep},
		{`"minimum": 2048`, `"minimum": -1`, 4, "rule.minimum", "0 to 1048576"},
		{`"delay_ms": 20`, `"delay_ms": "20"`, 8, "turns.steps.delay_ms", ""},
		{`"delay_ms": 20`, `"delay_ms": 90000`, 8, "turns[0].steps[0].delay_ms", "0 to 60000"},
		{`"chunk": 4`, `"chunk": 0`, 8, "turns[0].steps[0].chunk", ""},
		{`"usage": false`, `"quirks": ["crfl"]`, 10, "turns[0].steps[0].quirks[0]", QuirkCRLF},
		{`"usage": false`, `"quirks": ["error-in-stream"]`, 10, "turns[0].steps[0].quirks", ""},
		{`"usage": false`, `"summary": "twice"`, 10, "turns[0].steps[0].summary", ""},
		{`"usage": false`, `"cut_after": -2`, 10, "turns[0].steps[0].cut_after", ""},
		{`{{cursor|c0}}`, `{{curser}}`, 8, "turns[0].steps[0].text", "{{cursor}}"},
		{`"{{cursor}}"`, `"{{action}}"`, 9, "turns[0].steps[0].tool_calls[0].arguments", "{{action:PART}}"},
		{`"name": "zimoos.act"`, `"name": ""`, 9, "turns[0].steps[0].tool_calls[0]", ""},
		{`{"cmd": "home", "frameCursor": "{{cursor}}"}`, `7`, 9, "turns[0].steps[0].tool_calls[0].arguments", "an object"},
		{`"status": 429`, `"status": 200`, 12, "turns[0].steps[1].error", "400 to 599"},
		{`"fail_times": 2`, `"fail_times": -2`, 12, "turns[0].steps[1].fail_times", ""},
		{`"model": "m",`, `"steps": [{"text": "x"}],`, 3, "steps", ""},
		{`"model": "m",`, `"at_end": "stop",`, 3, "at_end", AtEndLoop},
		{`"model": "m",`, `"model": "m"`, 4, "", ""},
	} {
		_, err := Parse("script.json", []byte(strings.Replace(sample, tc.old, tc.new, 1)))
		var e *ScriptError
		if !errors.As(err, &e) || e.Line != tc.line || e.Key != tc.key || (tc.allowed != "" && !slices.Contains(e.Allowed, tc.allowed)) {
			t.Errorf("%s: %v, want line %d key %s", tc.new, err, tc.line, tc.key)
		}
	}
	if _, err := Parse("s", []byte(`{"model":"m"}`)); err == nil || !strings.Contains(err.Error(), "no step") {
		t.Errorf("no steps: %v", err)
	}
}
