package config

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// inService is set for the process that runs beside a keyring of its own.
const inService = "ZIMOSCOPE_TEST_KEYRING"

// serviceScript starts a keyring on a bus that are this test's alone, with its home: nobody's keys are touched. The keyring
// ends with the bus.
const serviceScript = `printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
exec "$0" -test.run '^TestAKeyInTheSystemsOwnKeyring$' -test.v`

func TestAKeyInTheSystemsOwnKeyring(t *testing.T) {
	if os.Getenv(inService) == "" {
		runBesideKeyring(t)
		return
	}
	if has, err := HasKey("real"); has || err != nil {
		t.Fatalf("an empty keyring: %v %v", has, err)
	}
	if err := SaveKey("real", "hide-real-1"); err != nil {
		t.Fatal(err)
	}
	c := mustLoad(t, `{"model": {"baseURL": "https://h/v1", "model": "m", "apiKeyKeyring": "real"}}`)
	if key, err := c.Key(); key != "hide-real-1" || err != nil {
		t.Fatalf("%q %v", key, err)
	}
	if err := SaveKey("real", "hide-real-2"); err != nil {
		t.Fatal(err)
	}
	c.ForgetKey()
	if key, err := c.Key(); key != "hide-real-2" || err != nil {
		t.Fatalf("a key that was replaced: %q %v", key, err)
	}
	if err := DeleteKey("real"); err != nil {
		t.Fatal(err)
	}
	if err := DeleteKey("real"); !errors.Is(err, ErrNoKey) {
		t.Fatalf("a key that is gone: %v", err)
	}
}

func runBesideKeyring(t *testing.T) {
	for _, tool := range []string{"dbus-run-session", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: the system's own keyring requires %s", tool)
		}
	}
	home := t.TempDir()
	cmd := exec.Command("dbus-run-session", "--", "sh", "-c", serviceScript, os.Args[0])
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "XDG_") && !strings.HasPrefix(e, "DBUS_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(cmd.Env, inService+"=1", "HOME="+home, "XDG_RUNTIME_DIR="+home, "XDG_DATA_HOME="+home)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestAKeyInTheSystemsOwnKeyring") {
		t.Fatalf("%v\n%s", err, out)
	}
}
