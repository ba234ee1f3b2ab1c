package config

import (
	"errors"
	"strings"
	"testing"
)

const forEditing = `{
  "model": {"baseURL": "https://h/v1", "model": "m", "apiKey": "hide-key-123", "temperature": 0.10, "topP": 0.9, "headers": {"X-Api-Key": "hide-header-1", "X-Title": "plain"}},
  "mcpServers": {
    "z": {"command": "run", "args": ["--fast"], "env": {"DB_PASSWORD": "hide-env-00001", "MODE": "plain-mode"}},
    "a": {"url": "https://h/mcp", "headers": {"Authorization": "Bearer hide-bearer-1"}}
  },
  "system": "Be brief.", "maxSteps": 9
}`

func TestSettingsShowNoSecretAndChangeNothingWhenGivenBack(t *testing.T) {
	c := mustLoad(t, forEditing)
	s := c.Settings()
	for _, text := range []string{s.BaseURL, s.Params, s.Servers, s.System, s.APIKeyEnv} {
		if strings.Contains(text, "hide") {
			t.Errorf("settings hold a secret: %s", text)
		}
	}
	if s.Temperature != "0.10" || s.System != "Be brief." || s.MaxSteps != 9 || !strings.Contains(s.Params, `"top_p": 0.9`) || strings.Index(s.Servers, `"z"`) > strings.Index(s.Servers, `"a"`) {
		t.Errorf("%+v", s)
	}
	same, err := c.With(s)
	if err != nil {
		t.Fatal(err)
	}
	if string(same.Public()) != string(c.Public()) || same.Model.APIKey != "hide-key-123" || same.Servers[0].Env["DB_PASSWORD"] != "hide-env-00001" || len(same.Missing()) != 0 {
		t.Errorf("given back it differs:\n%s\n%s\n%+v", c.Public(), same.Public(), same)
	}
}

func TestChangedSettingsAreTakenAndSecretsStay(t *testing.T) {
	c := mustLoad(t, forEditing)
	s := c.Settings()
	s.Model, s.System, s.Temperature, s.MaxSteps = "other", "Be long.", "", 0
	s.Params = `{"seed": 7, /* why */ "min_p": 0.10,}`
	s.Servers = `{"mcpServers": {"z": {"command": "run", "env": {"DB_PASSWORD": "", "REF": "${env:ZS_X}"}}}}`
	next, err := c.With(s)
	if err != nil {
		t.Fatal(err)
	}
	if next.Model.Model != "other" || next.System != "Be long." || next.Model.Temperature != nil || next.MaxSteps != 0 || len(next.Model.ExtraParams) != 2 || string(next.Model.ExtraParams[1].Raw) != "0.10" {
		t.Errorf("%+v", next)
	}
	if len(next.Servers) != 1 || next.Servers[0].Env["DB_PASSWORD"] != "hide-env-00001" || next.Model.APIKey != "hide-key-123" {
		t.Errorf("secrets: %+v %+v", next.Servers, next.Model)
	}
	if c.Model.Model != "m" || len(c.Servers) != 2 {
		t.Error("the configuration itself was changed")
	}
}

func TestSecretsDontFollowToAnotherHost(t *testing.T) {
	c := mustLoad(t, forEditing)
	s := c.Settings()
	s.BaseURL = "https://elsewhere/v1"
	s.Servers = strings.ReplaceAll(s.Servers, "https://h/mcp", "https://elsewhere/mcp")
	next, err := c.With(s)
	if err != nil {
		t.Fatal(err)
	}
	if next.Model.APIKey != "" || next.Model.Headers["X-Api-Key"] != "" || next.Model.Headers["X-Title"] != "plain" || next.Servers[1].Headers["Authorization"] != "" {
		t.Errorf("%+v %+v", next.Model, next.Servers)
	}
	if next.Servers[0].Env["DB_PASSWORD"] != "hide-env-00001" {
		t.Error("a server that did not change lost its secret")
	}
}

func TestSettingsThatCanNotBeAreRefusedInWords(t *testing.T) {
	c := mustLoad(t, forEditing)
	for name, tc := range map[string]struct {
		change func(*Settings)
		want   string
	}{
		"no model":       {func(s *Settings) { s.Model = " " }, "model.model is missing"},
		"no number":      {func(s *Settings) { s.Temperature = "warm" }, "the temperature is not a number"},
		"not whole":      {func(s *Settings) { s.MaxTokens = "1.5" }, "whole number"},
		"no object":      {func(s *Settings) { s.Params = "[1]" }, "the extra parameters must be a JSON object"},
		"reserved":       {func(s *Settings) { s.Params = `{"messages": []}` }, `can't set "messages"`},
		"typo":           {func(s *Settings) { s.Servers = `{"s": {"comand": "x"}}` }, `did you mean "command"?`},
		"secret":         {func(s *Settings) { s.Servers = `{"s": {"command": "x", "env": {"A_TOKEN": "hush-hush-123"}}}` }, "mcpServers.s.env.A_TOKEN looks like a secret"},
		"secret address": {func(s *Settings) { s.BaseURL = "https://u:hush-hush-123@h/v1" }, "looks like a secret"},
		"name of key":    {func(s *Settings) { s.APIKeyKeyring = "no spaces" }, "up to 64 letters"},
	} {
		s := c.Settings()
		tc.change(&s)
		_, err := c.With(s)
		if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "1:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAKeyOfTheEnvironmentTakesThePlaceOfTheFilesOwn(t *testing.T) {
	t.Setenv("ZS_KEY", "named-key")
	c := mustLoad(t, forEditing)
	s := c.Settings()
	s.APIKeyEnv = "ZS_KEY"
	next, err := c.With(s)
	if err != nil {
		t.Fatal(err)
	}
	if key, err := next.Key(); key != "named-key" || err != nil {
		t.Errorf("%q %v", key, err)
	}
}
