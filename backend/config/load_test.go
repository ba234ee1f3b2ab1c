package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// load writes text to a file of its own and loads it.
func load(t *testing.T, text string) (*Config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(path)
}

func mustLoad(t *testing.T, text string) *Config {
	t.Helper()
	c, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestReadsTheShapeOfOtherClients(t *testing.T) {
	t.Setenv("ZS_TOKEN", "tok-0123456789")
	home := t.TempDir()
	t.Setenv("HOME", home)
	c := mustLoad(t, `{
  // a comment
  "model": {
    "baseURL": "http://127.0.0.1:1234/v1", "model": "qwen3", "apiKey": "not-needed", "profile": "lmstudio",
    "temperature": 0.70, "maxTokens": 4096, "contextWindow": 128000,
    "topP": 0.9, "extraParams": {"z": 1, "a": {"n": 9007199254740993, "f": 1.0,},},
    "provider": "openai",
  },
  "mcpServers": {
    "mteam-primary": {"command": "bun", "args": ["run", "${env:ZS_TOKEN}"], "cwd": "../backend", "env": {"T": "${ZS_TOKEN}"}},
    "a": {"type": "http", "url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Bearer ${env:ZS_TOKEN}"}},
    "tool": {"command": "~/bin/tool", "disabled": false, "alwaysAllow": ["x"]},
    "off": {"command": "x", "disabled": true},
  },
  "theme": "dark", "models": [],
}`)
	m := c.Model
	if m.BaseURL != "http://127.0.0.1:1234/v1" || m.Model != "qwen3" || m.Profile != "lmstudio" || m.ContextWindow != 128000 {
		t.Errorf("model: %+v", m)
	}
	if string(m.Temperature) != "0.70" || string(m.MaxTokens) != "4096" {
		t.Errorf("numbers must keep their digits: %s %s", m.Temperature, m.MaxTokens)
	}
	want := []Param{{"top_p", []byte("0.9")}, {"z", []byte("1")}, {"a", []byte(`{"n":9007199254740993,"f":1.0}`)}}
	if !reflect.DeepEqual(m.ExtraParams, want) {
		t.Errorf("extra parameters: %s", m.ExtraParams)
	}
	if len(c.Servers) != 3 {
		t.Fatalf("servers: %+v", c.Servers)
	}
	first := c.Servers[0]
	if first.Name != "mteam-primary" || first.Args[1] != "tok-0123456789" || first.Env["T"] != "tok-0123456789" {
		t.Errorf("references must be followed: %+v", first)
	}
	if want := filepath.Join(filepath.Dir(filepath.Dir(c.Path)), "backend"); first.Cwd != want {
		t.Errorf("cwd %q, want %q", first.Cwd, want)
	}
	if c.Servers[1].Headers["Authorization"] != "Bearer tok-0123456789" {
		t.Errorf("headers: %+v", c.Servers[1].Headers)
	}
	if c.Servers[2].Command != filepath.Join(home, "bin/tool") {
		t.Errorf("home folder: %q", c.Servers[2].Command)
	}
	warned := strings.Join(c.Warnings, "\n")
	for _, w := range []string{"model.provider", `"theme"`, `"models"`, `"off" is switched off`, "alwaysAllow"} {
		if !strings.Contains(warned, w) {
			t.Errorf("no warning about %s in\n%s", w, warned)
		}
	}
}

func TestReadsServersOfVSCode(t *testing.T) {
	c := mustLoad(t, `{"inputs": [], "servers": {"b": {"type": "stdio", "command": "x"}, "a": {"type": "sse", "url": "https://h/mcp"}}}`)
	if len(c.Servers) != 2 || c.Servers[0].Name != "b" || c.HasModel() {
		t.Errorf("%+v", c)
	}
	if !strings.Contains(strings.Join(c.Warnings, "\n"), "sse") {
		t.Errorf("sse needs a warning: %q", c.Warnings)
	}
}

func TestMistakesAreNamedWithTheirPlace(t *testing.T) {
	const ok = `"baseURL": "http://h/v1", "model": "m"`
	cases := []struct {
		name, text string
		want       []string
	}{
		{"typo in model", "{\n \"model\": {" + ok + ",\n  \"temprature\": 1}}", []string{"config.json:3:3:", `"temprature"`, `did you mean "temperature"?`, "maxTokens"}},
		{"other spelling", `{"model": {"base_url": "http://h", "model": "m"}}`, []string{`did you mean "baseURL"?`}},
		{"typo at the top", `{"modle": {}}`, []string{"config.json:1:2:", `"modle"`, `did you mean "model"?`}},
		{"typo in a server", `{"mcpServers": {"s": {"comand": "x"}}}`, []string{"1:23", `"comand" in mcpServers.s`, `"command"`}},
		{"column in characters", `{"mcpServers": {"é中": {"comand": "x"}}}`, []string{"1:24"}},
		{"wrong type", "{\"model\": {" + ok + ",\n\"temperature\": \"warm\"}}", []string{"2:16", "model.temperature must be a number, not a text"}},
		{"not whole", `{"model": {` + ok + `, "maxTokens": 1.5}}`, []string{"model.maxTokens must be a whole number"}},
		{"args no list", `{"mcpServers": {"s": {"command": "x", "args": "-v"}}}`, []string{"mcpServers.s.args must be a list of texts, not a text"}},
		{"number in args", `{"mcpServers": {"s": {"command": "x", "args": ["-n", 1]}}}`, []string{"mcpServers.s.args[1] must be text"}},
		{"env value", `{"mcpServers": {"s": {"command": "x", "env": {"A": true}}}}`, []string{"mcpServers.s.env.A must be text in double quotes, not true or false"}},
		{"twice", "{\"model\": {" + ok + ",\n\"model\": \"n\"}}", []string{"2:1", `"model" occurs twice`, "1:38"}},
		{"same server", `{"mcpServers": {"s": {"command": "x"}}, "servers": {"s": {"command": "y"}}}`, []string{`"s" stands in mcpServers and in servers`}},
		{"command and url", `{"mcpServers": {"s": {"command": "x", "url": "http://h"}}}`, []string{"both a command and a url"}},
		{"neither", `{"mcpServers": {"s": {"args": []}}}`, []string{"needs a command"}},
		{"url", `{"mcpServers": {"s": {"url": "h/mcp"}}}`, []string{"must begin with http://"}},
		{"profile", "{\"model\": {" + ok + ",\n \"profile\": \"opnai\"}}", []string{"config.json:2:13:", `model.profile is "opnai"`, `did you mean "openai"?`, "mistral-template, generic, auto"}},
		{"address", `{"model": {"baseURL": "ftp://h/v1", "model": "m"}}`, []string{"1:23", "model.baseURL must begin with http://"}},
		{"images", `{"model": {` + ok + `, "toolImages": "yes"}}`, []string{`model.toolImages is "yes"`, "parts, note"}},
		{"type", `{"mcpServers": {"s": {"command": "x", "type": "pipe"}}}`, []string{"must be one of stdio, http"}},
		{"no address", `{"model": {"model": "m"}}`, []string{"model.baseURL is missing"}},
		{"reserved", `{"model": {` + ok + `, "extraParams": {"messages": []}}}`, []string{`can't set "messages"`}},
		{"parameter twice", `{"model": {` + ok + `, "temperature": 1, "extraParams": {"temperature": 2}}}`, []string{`"temperature" is set by`}},
		{"no object", `[]`, []string{"must hold one object", "a list"}},
		{"syntax", "{\n\"model\": {,}}", []string{"2:11", "not valid JSON"}},
		{"empty", "", []string{"1:1", "not valid JSON"}},
		{"not UTF-8", "{\"a\": \"\xff\"}", []string{"1:8", "not UTF-8"}},
		{"deep", strings.Repeat("[", 1<<20), []string{"not a configuration file"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			_, err := load(t, tc.text)
			if !errors.Is(err, ErrConfig) {
				t.Fatalf("error %v must wrap ErrConfig", err)
			}
			for _, w := range tc.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q is missing in: %v", w, err)
				}
			}
		})
	}
}

func TestAllMistakesAreReportedAtOnceInFileOrder(t *testing.T) {
	_, err := load(t, `{"mcpServers": {"s": {"comand": "x"}}, "model": {"baseURL": 1, "modle": "m"}}`)
	text := err.Error()
	a, b, c := strings.Index(text, "comand"), strings.Index(text, "baseURL must"), strings.Index(text, `"modle"`)
	if a < 0 || b < a || c < b || strings.Contains(text, "missing") {
		t.Error(text)
	}
}

func TestErrorsHoldNoValues(t *testing.T) {
	const hidden = "hush-hush-0123456789"
	for _, text := range []string{
		`{"model": {"apiKey": "` + hidden + `", "x": "` + hidden + `"}}`,
		`{"model": {"apiKey": ` + hidden + `}}`,
		"{\"model\": {\"apiKey\": \"" + hidden + "\n\"}}",
		`{"mcpServers": {"s": {"command": "x", "env": "` + hidden + `"}}}`,
		`{"mcpServers": {"s": {"command": "x", "type": "` + hidden + `"}}}`,
		`{"mcpServers": {"s": {"command": "x", "timeout": "` + hidden + `", "url": "` + hidden + `"}}}`,
		`{"model": {"baseURL": "http://h", "model": "m", "maxTokens": "` + hidden + `"}} ` + hidden,
	} {
		if _, err := load(t, text); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("error %v for %s", err, text)
		}
	}
}

func TestAMissingFileIsNotFound(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.json"))
	if !errors.Is(err, ErrConfig) || !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestByteOrderMarkIsSkipped(t *testing.T) {
	if _, err := load(t, "\xef\xbb\xbf{}"); err != nil {
		t.Error(err)
	}
}

func TestDefaultPathFollowsXDG(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "/cfg")
	if got := DefaultPath(); got != "/cfg/zimoscope/config.json" {
		t.Error(got)
	}
	t.Setenv("XDG_CONFIG_HOME", "relative")
	t.Setenv("HOME", "/home/u")
	if got := DefaultPath(); got != "/home/u/.config/zimoscope/config.json" {
		t.Error(got)
	}
}

func TestImagesOfToolsAreKeptOrNotedByChoice(t *testing.T) {
	c := mustLoad(t, `{"model": {"baseURL": "http://127.0.0.1:1/v1", "model": "m", "toolImages": "note", "profile": " OpenAI "}}`)
	again, err := FromPublic(c.Public())
	if err != nil || c.Model.ToolImages != "note" || again.Model.ToolImages != "note" {
		t.Errorf("%v %q %q", err, c.Model.ToolImages, again.Model.ToolImages)
	}
	s := c.Settings()
	s.Model = "n"
	if with, err := c.With(s); err != nil || with.Model.ToolImages != "note" {
		t.Errorf("%v %+v", err, with)
	}
}

func TestACacheMarkIsAskedForByName(t *testing.T) {
	c := mustLoad(t, `{"model": {"baseURL": "http://127.0.0.1:1/v1", "model": "m", "cacheMark": "cache_control"}}`)
	again, err := FromPublic(c.Public())
	if err != nil || c.Model.CacheMark != "cache_control" || again.Model.CacheMark != "cache_control" {
		t.Errorf("%v %q %q", err, c.Model.CacheMark, again.Model.CacheMark)
	}
	s := c.Settings()
	s.Model = "n"
	if with, err := c.With(s); err != nil || with.Model.CacheMark != "cache_control" || with.Model.Model != "n" {
		t.Errorf("%v %+v", err, with)
	}
	if c := mustLoad(t, `{"model": {"baseURL": "http://127.0.0.1:1/v1", "model": "m", "cacheMark": "none"}}`); c.Model.CacheMark != "" {
		t.Error(c.Model.CacheMark)
	}
	if _, err := load(t, `{"model": {"baseURL": "http://127.0.0.1:1/v1", "model": "m", "cacheMark": "cache-control"}}`); err == nil || !strings.Contains(err.Error(), "prompt_cache_breakpoint") {
		t.Error(err)
	}
}
