package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A person corrects a server's entry and goes on with the same session, as the message about the entry says.
func TestACorrectedServerComesWithTheNextTurnAnnounced(t *testing.T) {
	h := newHome(t)
	script := h.write("script.json", `{"steps":[{"text":"One."},{"text":"Two."},{"text":"Three."}]}`)
	address, stop := h.listen("provider", "--script", script)
	defer stop()
	const shape = `{"model":{"baseURL":%q,"model":"scripted"},"mcpServers":{"os":{"command":%q,"args":["sim"]}}}`
	wrong := h.write("wrong.json", fmt.Sprintf(shape, address, "no-such-command-here"))
	right := h.write("right.json", fmt.Sprintf(shape, address, program))
	if r := h.must(0, "run", "--config", wrong, "--session", "s", "--prompt", "one"); !strings.Contains(r.err, "did not start") {
		t.Error(r.err)
	}
	h.must(0, "run", "--config", right, "--resume", "s", "--prompt", "two")
	h.must(0, "run", "--resume", "s", "--prompt", "three")
	// What goes missing once stays offered: its calls are answered with an error.
	h.must(0, "run", "--config", wrong, "--resume", "s", "--prompt", "four")
	var report struct {
		Requests []struct{ Parts []struct{ Kind string } }
		Pairs    []struct {
			Verdict string
			Planned bool
		}
	}
	if err := json.Unmarshal([]byte(h.must(0, "check", "--json", "s").out), &report); err != nil || len(report.Requests) != 4 {
		t.Fatalf("%v: %d requests", err, len(report.Requests))
	}
	var tools []int
	for _, r := range report.Requests {
		n := 0
		for _, p := range r.Parts {
			if p.Kind == "tool" {
				n++
			}
		}
		tools = append(tools, n)
	}
	if tools[1] <= tools[0] || tools[2] != tools[1] || tools[3] != tools[1] {
		t.Errorf("tools of the requests: %v", tools)
	}
	if p := report.Pairs; p[0].Verdict != "tools-changed" || !p[0].Planned || p[1].Verdict != "extended" || p[2].Verdict != "extended" {
		t.Errorf("%+v", p)
	}
}

func TestAStopWhileServersStartLeavesNoSessionWithoutThem(t *testing.T) {
	h := newHome(t)
	started := filepath.Join(h.dir, "started")
	cfg := h.write("config.json", fmt.Sprintf(`{"model":{"baseURL":"http://127.0.0.1:9/v1","model":"m"},"mcpServers":{"slow":{"command":"sh","args":["-c","touch '%s'; exec sleep 60"]}}}`, started))
	cmd, cancel := h.command("run", "--config", cfg, "--prompt", "go")
	defer cancel()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(limit); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(started); err == nil {
			break
		}
		if time.Now().After(until) {
			t.Fatal("the server was not started")
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%v", err)
	}
	if out := h.must(0, "sessions", "--json").out; strings.TrimSpace(out) != "[]" {
		t.Errorf("a session stayed: %s", out)
	}
}
