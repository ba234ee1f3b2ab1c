package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDemoIsCapturedCheckedAndOneChangedByteIsFound(t *testing.T) {
	h := newHome(t)
	dir := filepath.Join(h.dir, "capture")
	run := h.must(0, "run", "--demo", "--capture", dir, "--session", "first")
	for _, want := range []string{"#1 ", "first", "sealed", "summary step", "proved", "scripted model"} {
		if !strings.Contains(run.out, want) {
			t.Errorf("%q is missing in\n%s", want, run.out)
		}
	}
	report := h.must(0, "check", "--json", dir)
	var parsed struct {
		Requests []struct {
			File  string
			Parts []struct{ SHA256, Link string }
		}
		Pairs []struct {
			Verdict    string
			Planned    *bool
			Part       struct{ Kind string }
			BodyOffset int `json:"body_offset"`
		}
		Redlines []struct {
			ID string
			OK *bool
		}
	}
	if err := json.Unmarshal([]byte(report.out), &parsed); err != nil || len(parsed.Requests) < 10 || len(parsed.Pairs) < 9 || len(parsed.Redlines) != 13*len(parsed.Requests) {
		t.Fatalf("%v: %d requests, %d pairs, %d redlines", err, len(parsed.Requests), len(parsed.Pairs), len(parsed.Redlines))
	}
	for _, p := range parsed.Pairs {
		if p.Planned == nil || !*p.Planned {
			t.Errorf("%+v", p)
		}
	}
	h.must(0, "check", "first")
	h.must(0, "check", "--strict", "latest")

	body := filepath.Join(dir, "req-006.body.json")
	raw, err := os.ReadFile(body)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(raw, []byte("Outcome: ok"))
	raw[at+9] = 'O'
	if err := os.WriteFile(body, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	broken := h.must(1, "check", dir)
	if place := fmt.Sprintf("%d of the body", at+9); !strings.Contains(broken.out, place) || !strings.Contains(broken.out, "rewritten") || !strings.Contains(broken.out, "$.messages[") {
		t.Errorf("the place (%s) is not named:\n%s", place, broken.out)
	}
	lines, err := os.ReadFile(filepath.Join(dir, "session.jsonl"))
	if err != nil || bytes.Contains(lines, []byte("<zimoos")) || bytes.Count(lines, []byte("\n")) < 20 {
		t.Errorf("session.jsonl: %v, %d lines", err, bytes.Count(lines, []byte("\n")))
	}
	if again := h.must(2, "run", "--demo", "--capture", dir); !strings.Contains(again.err, "already holds a capture") {
		t.Error(again.err)
	}
}

func TestResumeGoesOnWithTheSameBytes(t *testing.T) {
	h := newHome(t)
	h.must(0, "run", "--demo", "--session", "mine", "--prompt", "What is on the screen?")
	before := h.must(0, "check", "--json", "mine")
	h.must(0, "run", "--resume", "mine", "--prompt", "And now?")
	after := h.must(0, "check", "--json", "mine")
	type report struct {
		Requests []struct{ Link string }
		Pairs    []struct{ Verdict string }
	}
	var a, b report
	if json.Unmarshal([]byte(before.out), &a) != nil || json.Unmarshal([]byte(after.out), &b) != nil {
		t.Fatal("not JSON")
	}
	if len(b.Requests) <= len(a.Requests) {
		t.Fatalf("%d then %d requests", len(a.Requests), len(b.Requests))
	}
	for i := range a.Requests {
		if a.Requests[i] != b.Requests[i] {
			t.Errorf("request %d changed in the store", i)
		}
	}
}

// A run is killed in its middle, again and again: what was printed as done is in the store, and the session goes on.
func TestKilledRunsLoseNothingThatWasShown(t *testing.T) {
	for after := 1; after <= 9; after += 2 {
		h := newHome(t)
		cmd, cancel := h.command("run", "--demo", "--json", "--session", "killed")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		shown := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var e struct {
				Event string
				N     int
			}
			if json.Unmarshal(lines.Bytes(), &e) == nil && e.Event == "request" {
				if shown = e.N; shown >= after {
					_ = cmd.Process.Kill()
				}
			}
		}
		_ = cmd.Wait()
		cancel()
		var parsed struct{ Requests []json.RawMessage }
		if err := json.Unmarshal([]byte(h.must(0, "check", "--json", "killed").out), &parsed); err != nil || len(parsed.Requests) < shown {
			t.Fatalf("killed after %d: %v, %d requests are there", shown, err, len(parsed.Requests))
		}
		h.must(0, "run", "--resume", "killed", "--prompt", "Go on.")
		h.must(0, "check", "killed")
	}
}

func TestASecondProcessHearsAtOnceWhoHoldsTheSession(t *testing.T) {
	h := newHome(t)
	h.env = append(h.env, "ZIMOSCOPE_DEMO_FAST=") // played at its own pace, so that it is still running
	cmd, cancel := h.command("run", "--demo", "--session", "held")
	defer cancel()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	if !bufio.NewScanner(out).Scan() {
		t.Fatal("no output")
	}
	start := time.Now()
	r := h.must(2, "run", "--resume", "held", "--prompt", "x")
	if took := time.Since(start); took > 10*time.Second || !strings.Contains(r.err, fmt.Sprint("process ", cmd.Process.Pid)) {
		t.Fatalf("after %v: %s", took, r.err)
	}
}

func TestWrongUseIsExitTwoWithASentence(t *testing.T) {
	h := newHome(t)
	bad := h.write("bad.json", `{"model":"m","messages":[{"role":"us`)
	odd := h.write("odd.json", "{\"model\":\"m\",\"messages\":[\"a\xffb\"]}")
	typo := h.write("typo.json", "{\n  \"model\": {\"baseURL\": \"http://127.0.0.1:1/v1\", \"modle\": \"m\"}\n}")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"run"}, []string{"--prompt"}},
		{[]string{"run", "--prompt", "x", "--config", "nowhere.json"}, []string{"nowhere.json"}},
		{[]string{"run", "--prompt", "x"}, []string{"no configuration yet", "config.json", "--config", "--demo"}},
		{[]string{"run", "--demo", "--prompt", "x", "--prompt", " "}, []string{"--prompt number 2 is empty"}},
		{[]string{"run", "--resume", "", "--prompt", "x"}, []string{"--resume names no session"}},
		{[]string{"run", "--prompt", "x", "--config", typo}, []string{"typo.json:2:", "modle", "model"}},
		{[]string{"run", "--demo", "--session", "a", "--resume", "b", "--prompt", "x"}, []string{"resume", "session"}},
		{[]string{"check"}, []string{"arg"}},
		{[]string{"check", bad}, []string{"bad.json", "byte"}},
		{[]string{"check", odd}, []string{"odd.json", "byte 27", "not UTF-8"}},
		{[]string{"check", "no-such-thing"}, []string{"neither a file nor a session"}},
		{[]string{"frobnicate"}, []string{"frobnicate"}},
		{[]string{"run", "--frob"}, []string{"--frob"}},
		{[]string{"provider"}, []string{"--script"}},
		{[]string{"sim", "--http", "0.0.0.0:0"}, []string{"loopback"}},
		{[]string{"serve", "--listen", "0.0.0.0:0"}, []string{"loopback"}},
	} {
		r := h.do(c.args...)
		if r.exit != 2 || !strings.HasPrefix(r.err, "zimoscope: ") && !strings.Contains(r.err, "\nzimoscope: ") {
			t.Errorf("%v: exit %d, %q", c.args, r.exit, r.err)
		}
		for _, w := range c.want {
			if !strings.Contains(r.err, w) {
				t.Errorf("%v: %q does not name %q", c.args, r.err, w)
			}
		}
	}
	for _, name := range []string{"", "run", "check", "sessions", "serve", "sim", "provider", "e2e", "version"} {
		args := []string{"--help"}
		if name != "" {
			args = []string{name, "--help"}
		}
		if r := h.must(0, args...); !strings.Contains(r.out, "Usage:") {
			t.Errorf("%s --help: %q", name, r.out)
		}
	}
}

const testKey = "sk-test-0123456789abcdef"

// A provider that fails in every way a person meets; the key is in what it answers, and must not be in what is kept.
func TestProviderErrorsAreToldInItsWordsAndSecretsStayOut(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   string
	}{
		"401":       {401, `{"error":{"message":"bad key ` + testKey + `"}}`, "bad key"},
		"404 model": {404, `{"error":{"message":"no model named nope","code":"model_not_found"}}`, "no model named nope"},
		"500":       {500, `{"error":{"message":"the GPU is on fire"}}`, "the GPU is on fire"},
		"cut":       {200, "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if c.status == 200 {
					w.Header().Set("Content-Type", "text/event-stream")
				}
				w.Header().Set("x-should-retry", "false")
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			}))
			defer srv.Close()
			h := newHome(t)
			cfg := h.write("config.json", fmt.Sprintf(`{"model":{"baseURL":%q,"model":"m","apiKey":%q}}`, srv.URL+"/v1", testKey))
			r := h.must(1, "run", "--config", cfg, "--session", "s", "--prompt", "my key is "+testKey, "--capture", filepath.Join(h.dir, "cap"))
			if !strings.Contains(r.err, c.want) || strings.Contains(r.err+r.out, testKey) {
				t.Errorf("stderr: %s", r.err)
			}
			if strings.Count(r.err, "request 1: ") != 1 || c.want != "" && strings.Count(r.err, c.want) != 1 {
				t.Errorf("the error stands there not once: %s", r.err)
			}
			id, _, _ := strings.Cut(strings.TrimPrefix(r.out, "session "), "\n")
			if !strings.HasSuffix(strings.TrimSpace(r.err), "zimoscope run --resume "+id+" --prompt …") {
				t.Errorf("it does not say how to send again: %s", r.err)
			}
			messages := func() int { return strings.Count(h.must(0, "check", "--json", id).out, `"kind":"message"`) }
			asked := messages()
			if again := h.must(1, "run", "--resume", id, "--prompt", "my key is "+testKey, "--json"); strings.Count(again.err, c.want) != 1 && c.want != "" {
				t.Errorf("events on stdout, and once in words: %s", again.err)
			}
			if n := messages(); n != 2*asked {
				t.Errorf("the prompt was appended once more: %d mentions of messages, then %d", asked, n)
			}
			if err := os.Remove(cfg); err != nil {
				t.Fatal(err)
			}
			noSecrets(t, h.dir)
			if check := h.do("check", "s"); check.exit != 0 {
				t.Errorf("the session is not valid after the error:\n%s%s", check.out, check.err)
			}
		})
	}
}

// noSecrets looks into every file, compressed values of the store included: those are read back by check.
func noSecrets(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(testKey)) {
			t.Errorf("%s holds the key", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDeadServersAreNamedAndTheSessionLives(t *testing.T) {
	h := newHome(t)
	script := h.write("script.json", `{"turns":[{"prompt":"hi","steps":[{"text":"Hello there."}]}]}`)
	prov, cancel := h.command("provider", "--script", script)
	defer cancel()
	out, err := prov.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := prov.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = prov.Process.Kill(); _ = prov.Wait() }()
	lines := bufio.NewScanner(out)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "http://127.0.0.1:") {
		t.Fatalf("the provider printed %q", lines.Text())
	}
	cfg := h.write("config.json", fmt.Sprintf(`{"model":{"baseURL":%q,"model":"scripted"},"mcpServers":{"dead":{"command":"sh","args":["-c","echo broken pipe dream >&2; exit 7"]},"missing":{"command":"no-such-command-here"}}}`, lines.Text()))
	r := h.must(0, "run", "--config", cfg, "--prompt", "hi")
	for _, want := range []string{"dead did not start", "7", "broken pipe dream", "missing did not start"} {
		if !strings.Contains(r.err, want) {
			t.Errorf("%q is missing in %s", want, r.err)
		}
	}
	if !strings.Contains(r.out, "Hello there.") {
		t.Error(r.out)
	}
}
