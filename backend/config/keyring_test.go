package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
)

// withRing puts a keyring in memory in the place of the system's.
func withRing(t *testing.T) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	keyring.MockInit()
}

func TestAKeyIsReadFromTheKeyringAndNeverStored(t *testing.T) {
	withRing(t)
	t.Setenv("OPENAI_API_KEY", "")
	if err := SaveKey("work", " hide-ring-key-1\n"); err != nil {
		t.Fatal(err)
	}
	if has, err := HasKey("work"); !has || err != nil {
		t.Fatal(has, err)
	}
	c := mustLoad(t, `{"model": {"baseURL": "https://h/v1", "model": "m", "apiKeyKeyring": "work"}, "system": "say hide-ring-key-1"}`)
	key, err := c.Key()
	if key != "hide-ring-key-1" || err != nil {
		t.Fatalf("%q %v", key, err)
	}
	if public := string(c.Public()); strings.Contains(public, "hide") || !strings.Contains(public, `"apiKeyKeyring":"work"`) {
		t.Errorf("stored: %s", public)
	}
	again, err := FromPublic(c.Public())
	if err != nil || again.Model.APIKeyKeyring != "work" {
		t.Fatalf("%v %+v", err, again.Model)
	}
	t.Setenv("ZS_KEY", "env-key")
	both := mustLoad(t, `{"model": {"baseURL": "https://h/v1", "model": "m", "apiKeyEnv": "ZS_KEY", "apiKeyKeyring": "work"}}`)
	if key, _ := both.Key(); key != "env-key" {
		t.Errorf("the environment comes first: %q", key)
	}
	t.Setenv("ZS_KEY", "")
	if key, _ := both.Key(); key != "hide-ring-key-1" {
		t.Errorf("then the keyring: %q", key)
	}
	if err := DeleteKey("work"); err != nil {
		t.Fatal(err)
	}
	if has, err := HasKey("work"); has || err != nil {
		t.Error(has, err)
	}
	if err := DeleteKey("work"); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
	if _, err := again.Key(); !errors.Is(err, ErrNoKey) || !errors.Is(err, ErrConfig) {
		t.Error(err)
	}
}

func TestWithoutAKeyringTheEnvironmentIsNamed(t *testing.T) {
	withRing(t)
	keyring.MockInitWithError(errors.New("The name org.freedesktop.secrets was not provided by any .service files"))
	for _, address := range []string{"unix:path=/nowhere", "autolaunch:"} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		for what, err := range map[string]error{"save": SaveKey("work", "hide-key-123"), "delete": DeleteKey("work"), "ask": func() error { _, err := HasKey("work"); return err }()} {
			if !errors.Is(err, ErrNoKeyring) || !strings.Contains(err.Error(), "environment variable") || strings.Contains(err.Error(), "hide") {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

func TestWhatIsNoKeyIsNotSaved(t *testing.T) {
	withRing(t)
	for name, key := range map[string]string{"": "k", "a b": "k", "-x": "k", strings.Repeat("a", 65): "k", "two-lines": "hide\nhide", "empty": " ", "long": strings.Repeat("hide", 600)} {
		if err := SaveKey(name, key); !errors.Is(err, ErrKeyForm) || strings.Contains(err.Error(), "hide") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
