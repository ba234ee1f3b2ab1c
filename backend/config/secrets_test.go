package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

const withSecrets = `{
  "model": {"baseURL": "https://user:hide-basic-pw@h/v1?api_key=hide-query-1", "model": "m", "apiKey": "hide-key-123",
    "headers": {"X-Api-Key": "hide-header-1", "X-Title": "plain title"}},
  "mcpServers": {
    "s": {"command": "x", "args": ["--api-key", "hide-arg-00001", "--token=hide-arg-00002", "-H", "Authorization: Bearer hide-arg-00003", "--name", "plain-argument", "sk-hide0123456789"],
          "env": {"DB_PASSWORD": "hide-env-00001", "MODE": "plain-mode", "REF_TOKEN": "${env:ZS_REF}", "OTHER": "${ZS_SECRET}"}},
    "h": {"url": "https://h/mcp?token=hide-query-2&q=plain-query", "headers": {"Authorization": "Bearer hide-bearer-1", "Ref": "Bearer ${ZS_SECRET}"}}
  },
  "system": "never say hide-key-123"
}`

func TestSecretsAreFoundWhereverTheyStand(t *testing.T) {
	t.Setenv("ZS_REF", "hide-reference-1")
	t.Setenv("ZS_SECRET", "hide-reference-2")
	got := mustLoad(t, withSecrets).Secrets()
	for _, want := range []string{
		"hide-basic-pw", "hide-query-1", "hide-key-123", "hide-header-1", "hide-arg-00001", "hide-arg-00002",
		"hide-arg-00003", "sk-hide0123456789", "hide-env-00001", "hide-reference-1", "hide-reference-2", "hide-query-2",
		"hide-bearer-1",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among the secrets %q", want, got)
		}
	}
	for _, plain := range got {
		if strings.Contains(plain, "plain") || plain == "m" {
			t.Errorf("%q is no secret", plain)
		}
	}
}

func TestWhatIsStoredHoldsNoSecret(t *testing.T) {
	t.Setenv("ZS_REF", "hide-reference-1")
	t.Setenv("ZS_SECRET", "hide-reference-2")
	public := string(mustLoad(t, withSecrets).Public())
	if i := strings.Index(public, "hide"); i >= 0 {
		t.Errorf("stored: …%s", public[i:min(i+20, len(public))])
	}
	for _, kept := range []string{"${env:ZS_REF}", "Bearer ${ZS_SECRET}", "plain title", "plain-argument", "plain-mode", "plain-query"} {
		if !strings.Contains(public, kept) {
			t.Errorf("%q must be kept in %s", kept, public)
		}
	}
}

func TestAStoredFormIsResumed(t *testing.T) {
	t.Setenv("ZS_REF", "hide-reference-1")
	t.Setenv("ZS_SECRET", "hide-reference-2")
	before := mustLoad(t, withSecrets)
	after, err := FromPublic(before.Public())
	if err != nil {
		t.Fatal(err)
	}
	if after.Servers[0].Env["REF_TOKEN"] != "hide-reference-1" {
		t.Error("references must be followed again")
	}
	missing := strings.Join(after.Missing(), " ")
	for _, m := range []string{"model.apiKey", "mcpServers.s.args[1]", "mcpServers.s.env.DB_PASSWORD", "mcpServers.h.url", "mcpServers.h.headers.Authorization"} {
		if !strings.Contains(missing, m) {
			t.Errorf("%s must be named as missing: %s", m, missing)
		}
	}
	if string(after.Public()) != string(before.Public()) {
		t.Errorf("stored again it differs:\n%s\n%s", before.Public(), after.Public())
	}
	after.Borrow(before)
	if len(after.Missing()) != 0 || !reflect.DeepEqual(after.Servers, before.Servers) {
		t.Errorf("after borrowing: missing %q\n%+v\n%+v", after.Missing(), after.Servers, before.Servers)
	}
	if after.Model.APIKey != "hide-key-123" || after.Model.BaseURL != before.Model.BaseURL {
		t.Errorf("after borrowing: %+v", after.Model)
	}
}

func TestStoredFormKeepsOrderAndDigits(t *testing.T) {
	c := mustLoad(t, `{"model": {"baseURL": "http://h", "model": "m", "temperature": 0.10, "maxTokens": 5, "contextWindow": 9,
		"apiKeyEnv": "ZS_KEY", "extraParams": {"z": 1.0, "a": [true]}}, "servers": {"z": {"command": "c"}, "a": {"command": "d", "cwd": "w"}}, "maxSteps": 7}`)
	again, err := FromPublic(c.Public())
	if err != nil {
		t.Fatal(err)
	}
	c.source, again.source = nil, nil
	if !reflect.DeepEqual(c, again) {
		t.Errorf("\n%+v\n%+v", c, again)
	}
}

func TestAConfigMadeByHandCanBeStored(t *testing.T) {
	c := &Config{Model: Model{BaseURL: "http://127.0.0.1:1/v1", Model: "m"}, Servers: []Server{{Name: "s", Command: "c", Env: map[string]string{"A_TOKEN": "hide-by-hand"}}}}
	again, err := FromPublic(c.Public())
	if err != nil || again.Servers[0].Command != "c" || len(again.Missing()) != 1 {
		t.Errorf("%v %+v", err, again)
	}
}

func TestKeyIsFoundInOrder(t *testing.T) {
	const model = `"baseURL": "https://h/v1", "model": "m"`
	t.Setenv("OPENAI_API_KEY", "default-key")
	t.Setenv("ZS_KEY", "named-key")
	t.Setenv("ZS_EMPTY", "")
	cases := []struct{ name, text, key, err string }{
		{"own", `, "apiKey": "own-key", "apiKeyEnv": "ZS_KEY"`, "own-key", ""},
		{"reference", `, "apiKey": "${env:ZS_KEY}"`, "named-key", ""},
		{"empty reference", `, "apiKey": "${env:ZS_EMPTY}"`, "", "ZS_EMPTY"},
		{"unset reference", `, "apiKey": "${env:ZS_UNSET}"`, "", "ZS_UNSET"},
		{"named", `, "apiKeyEnv": "ZS_KEY"`, "named-key", ""},
		{"named and empty", `, "apiKeyEnv": "ZS_EMPTY"`, "", "ZS_EMPTY, named by model.apiKeyEnv"},
		{"default for nobody", ``, "", ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			key, err := mustLoad(t, `{"model": {`+model+tc.text+`}}`).Key()
			if key != tc.key || (err == nil) != (tc.err == "") {
				t.Errorf("%q, %v", key, err)
			}
			if err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Error(err)
			}
		})
	}
	for address, want := range map[string]string{
		"https://api.openai.com/v1": "default-key", "https://eu.api.openai.com/v1": "default-key",
		"http://api.openai.com/v1": "", "https://openai.com.evil.example/v1": "", "https://notopenai.com/v1": "", "http://127.0.0.1:1/v1": "",
	} {
		if key, err := mustLoad(t, `{"model": {"baseURL": "`+address+`", "model": "m"}}`).Key(); key != want || err != nil {
			t.Errorf("%s is sent %q (%v), not %q", address, key, err, want)
		}
	}
	t.Setenv("OPENAI_API_KEY", "")
	if key, err := mustLoad(t, `{"model": {"baseURL": "http://127.0.0.1:1/v1", "model": "m"}}`).Key(); key != "" || err != nil {
		t.Errorf("a server on this machine needs no key: %q %v", key, err)
	}
}

func TestAKeyThatWasNotStoredIsAskedFor(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	c, err := FromPublic(mustLoad(t, `{"model": {"baseURL": "https://h/v1", "model": "m", "apiKey": "hide-key-123"}}`).Public())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Key(); err == nil || !strings.Contains(err.Error(), "not stored") {
		t.Error(err)
	}
}
