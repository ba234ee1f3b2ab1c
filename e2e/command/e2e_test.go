package command

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The hub is never asked for on its usual port: a backend may run on the machine that tests.
const nowhere = "MTEAM_HUB_URL=http://127.0.0.1:1"

func TestE2EWithoutABackendIsSkippedWithExitThree(t *testing.T) {
	h := newHome(t)
	h.env = append(h.env, nowhere)
	dir := filepath.Join(h.dir, "report")
	r := h.must(3, "e2e", "--report", dir)
	for _, want := range []string{"\nskipped: requires mteam backend (no answer at the address, no backend folder", "http://127.0.0.1:1/api/panel/zimoos/current: no answer",
		"MTEAM_BACKEND_DIR", "report: " + dir} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is missing in\n%s", want, r.out)
		}
	}
	if strings.Contains(r.out, "\x1b") {
		t.Error("control sequences go to what is no terminal")
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil || !strings.Contains(string(page), "skipped: requires mteam backend") {
		t.Errorf("%v: %s", err, page)
	}
	var report struct {
		Outcome string
		Steps   []struct{ ID, State string }
	}
	out := h.must(3, "e2e", "--json").out
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Outcome != "skipped" || len(report.Steps) < 20 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestE2EOnABackendWithoutAProviderFailsWithExitOne(t *testing.T) {
	h := newHome(t)
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c0","visibleContent":[],"shortcuts":[],"handles":[]}`)
	}))
	defer hub.Close()
	for _, dir := range []string{"backend/src/mcp-primary", "bin"} {
		if err := os.MkdirAll(filepath.Join(h.dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.write("backend/src/mcp-primary/index.ts", "")
	if err := os.WriteFile(filepath.Join(h.dir, "bin", "bun"), []byte("#!/bin/sh\nexit 9\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.env = append(h.env, "MTEAM_HUB_URL="+hub.URL, "MTEAM_BACKEND_DIR="+filepath.Join(h.dir, "backend"), "PATH="+filepath.Join(h.dir, "bin")+":"+os.Getenv("PATH"))
	r := h.must(1, "e2e")
	if !strings.Contains(r.out, "\nfailed: provider\n") || !strings.Contains(r.out, "no provider is configured") {
		t.Error(r.out)
	}
	cfg := h.write("config.json", `{"model":{"baseURL":"http://127.0.0.1:1/v1","model":"m"}}`)
	r = h.must(1, "e2e", "--config", cfg)
	if !strings.Contains(r.out, "\nfailed: server\n") || !strings.Contains(r.out, "bun run src/mcp-primary/index.ts") {
		t.Error(r.out)
	}
}

func TestE2EWithAConfigurationThatCannotBeReadIsWrongUse(t *testing.T) {
	h := newHome(t)
	h.env = append(h.env, nowhere)
	if r := h.must(2, "e2e", "--config", "nowhere.json"); !strings.Contains(r.err, "nowhere.json") {
		t.Error(r.err)
	}
}
