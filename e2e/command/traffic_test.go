package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// listen starts a command that prints its address first, and gives that and how to end it.
func (h *home) listen(args ...string) (address string, stop func()) {
	h.t.Helper()
	cmd, cancel := h.command(args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	ended := false
	stop = func() {
		if ended {
			return
		}
		ended = true
		_ = cmd.Process.Signal(syscall.SIGINT)
		if err := cmd.Wait(); err != nil {
			h.t.Errorf("%v: %v\n%s", args, err, errs.String())
		}
		cancel()
	}
	h.t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		h.t.Fatalf("%v printed no address: %v\n%s", args, err, errs.String())
	}
	return strings.TrimSpace(line), stop
}

const agentKey = "sk-agent-key-0123456789"

// Another agent's traffic, from the proxy to a proof and back: the agent here is this program's own, which the proxy
// knows nothing of.
func TestAnotherAgentsTrafficFromTheProxyToAProof(t *testing.T) {
	h := newHome(t)
	provider, _ := h.listen("provider", "--demo", "--speed", "0")
	proxy, stop := h.listen("proxy", "--upstream", provider, "--session", "mine")
	config := h.write("config.json", fmt.Sprintf(`{"model":{"baseURL":%q,"model":"scripted-1","apiKey":%q},"mcpServers":{"os":{"command":%q,"args":["sim"]}}}`, proxy, agentKey, program))
	h.must(0, "run", "--config", config, "--session", "own", "--prompt", "What is on the screen?")
	stop()

	check := h.must(0, "check", "mine")
	if !strings.Contains(check.out, "sealed") || !strings.Contains(check.out, "foreign") {
		t.Error(check.out)
	}
	base := h.write("base.json", h.must(0, "check", "--json", "mine").out)
	h.must(0, "check", "--baseline", base, "--format", "junit", "mine")

	proof := filepath.Join(h.dir, "proof")
	h.must(0, "export", "mine", "--format", "proof", "--out", proof)
	h.must(0, "verify", proof)
	h.must(1, "export", "mine", "--format", "proof", "--out", proof)
	links := linksOf(t, h.must(0, "check", "--json", "mine").out)
	for _, format := range []string{"har", "otlp", "jsonl", "html"} {
		file := filepath.Join(h.dir, "mine."+format)
		h.must(0, "export", "mine", "--format", format, "--out", file)
		if format == "jsonl" || format == "html" {
			continue
		}
		h.must(0, "import", file, "--session", format)
		if back := linksOf(t, h.must(0, "check", "--json", format).out); back != links {
			t.Errorf("%s: other links came back\n%s\n%s", format, back, links)
		}
	}
	body := filepath.Join(proof, "bodies", "req-00003.body.json")
	raw, err := os.ReadFile(body)
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(body, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := h.must(1, "verify", proof); !strings.Contains(r.out, "req-00003") {
		t.Error(r.out)
	}
	h.must(0, "import", proof, "--session", "broken")
	if r := h.must(1, "check", "--baseline", base, "--format", "github", "broken"); !strings.Contains(r.out, "::error ") {
		t.Error(r.out)
	}
	lab := h.must(0, "lab", "mine", "--json")
	var parsed struct {
		Classes, Strategies []string
		Requests            []struct{ Predicted map[string]int }
	}
	if err := json.Unmarshal([]byte(lab.out), &parsed); err != nil || len(parsed.Classes) < 3 || len(parsed.Strategies) < 3 || len(parsed.Requests) < 8 {
		t.Errorf("%v: %.300s", err, lab.out)
	}
	h.noSecret(agentKey)
}

func linksOf(t *testing.T, report string) string {
	t.Helper()
	var r struct{ Requests []struct{ Link, Rest string } }
	if err := json.Unmarshal([]byte(report), &r); err != nil || len(r.Requests) < 8 {
		t.Fatalf("%v: %.200s", err, report)
	}
	return fmt.Sprint(r.Requests)
}

// noSecret looks through everything that was written but the configuration itself.
func (h *home) noSecret(value string) {
	h.t.Helper()
	err := filepath.WalkDir(h.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(p) == "config.json" {
			return err
		}
		raw, err := os.ReadFile(p)
		if bytes.Contains(raw, []byte(value)) {
			h.t.Errorf("%s holds the key", p)
		}
		return err
	})
	if err != nil {
		h.t.Error(err)
	}
}

func TestWhatCanNotBeImportedIsSaid(t *testing.T) {
	h := newHome(t)
	if r := h.must(2, "import", h.write("a.txt", "hello")); !strings.Contains(r.err, "format is not known") {
		t.Error(r.err)
	}
	if r := h.must(2, "import", filepath.Join(h.dir, "gone.har")); !strings.Contains(r.err, "can't be read") {
		t.Error(r.err)
	}
	if r := h.must(0, "sessions"); !strings.Contains(r.out, "No sessions") {
		t.Error(r.out)
	}
	if r := h.must(2, "verify", h.dir); !strings.Contains(r.err, "no proof bundle") {
		t.Error(r.err)
	}
	if r := h.must(2, "export", "nothing", "--format", "har", "--out", "x"); !strings.Contains(r.err, "no session") {
		t.Error(r.err)
	}
	if r := h.must(2, "proxy", "--upstream", "ftp://x"); !strings.Contains(r.err, "upstream") {
		t.Error(r.err)
	}
}
