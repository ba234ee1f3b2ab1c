package command

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/scripted"
	"zimoscope/e2e/stage"
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

const frame = `{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c0","visibleContent":[],"shortcuts":[],"handles":[]}`

// withBackend gives a home with a backend folder and a bun, so that the hub decides.
func withBackend(t *testing.T, hub http.HandlerFunc) *home {
	t.Helper()
	h := newHome(t)
	srv := httptest.NewServer(hub)
	t.Cleanup(srv.Close)
	for _, dir := range []string{"backend/src/mcp-primary", "bin"} {
		if err := os.MkdirAll(filepath.Join(h.dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.write("backend/src/mcp-primary/index.ts", "")
	if err := os.WriteFile(filepath.Join(h.dir, "bin", "bun"), []byte("#!/bin/sh\nexit 9\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.env = append(h.env, "MTEAM_HUB_URL="+srv.URL, "MTEAM_BACKEND_DIR="+filepath.Join(h.dir, "backend"), "PATH="+filepath.Join(h.dir, "bin")+":"+os.Getenv("PATH"))
	return h
}

// answer is a hub that says the same to every question.
func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// A hub that answers otherwise than a ready one is a skip that says what it answered, in the list and in both reports.
func TestE2EOnAHubThatIsNotReadyIsSkippedWithItsAnswer(t *testing.T) {
	silent := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done() // until the one who asks gives up
	}
	for name, c := range map[string]struct {
		hub  http.HandlerFunc
		want string
	}{
		"not ready":    {answer(503, `{"error":"starting"}`), "answered with HTTP status 503"},
		"unknown":      {answer(404, "404 page not found"), "answered with HTTP status 404"},
		"redirect":     {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, "answered with HTTP status 302"},
		"wrong shape":  {answer(200, `{"ok":true}`), "answered, but not with a ZimoOS frame"},
		"broken frame": {answer(200, strings.Replace(frame, `"c0"`, `""`, 1)), "answered with a frame that is none"},
		"no JSON":      {answer(200, "<html><script>alert(1)</script>"), "answered, but not with a ZimoOS frame"},
		"breaks off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, frame)
		}, "the answer broke off"},
		"silent": {silent, "no answer within 4s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := withBackend(t, c.hub)
			dir := filepath.Join(h.dir, "report")
			r := h.must(3, "e2e", "--report", dir)
			texts := map[string]string{"the list": r.out}
			for _, file := range []string{"report.html", "report.json"} {
				raw, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				texts[file] = string(raw)
			}
			for where, text := range texts {
				for _, want := range []string{"skipped: requires mteam backend (no answer at the address)", c.want, "/api/panel/zimoos/current", "Start mteam"} {
					if !strings.Contains(text, want) {
						t.Errorf("%q is missing in %s:\n%s", want, where, text)
					}
				}
			}
		})
	}
}

func TestE2EOnABackendWithoutAProviderFailsWithExitOne(t *testing.T) {
	h := withBackend(t, answer(200, frame))
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

// TestE2EThatPassesIsExitZero: stand-ins that hide who they are, so that the outcome of a good run is seen.
func TestE2EThatPassesIsExitZero(t *testing.T) {
	h := withBackend(t, answer(200, frame))
	bun := "#!/bin/sh\n'" + program + "' sim | sed -u s/zimoos-sim/mteam-primary/\n"
	if err := os.WriteFile(filepath.Join(h.dir, "bin", "bun"), []byte(bun), 0o700); err != nil {
		t.Fatal(err)
	}
	model, err := url.Parse(stage.Play(t, stage.Task(), scripted.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: model.Host}) }}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // whose its models are
			http.NotFound(w, r)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	defer front.Close()
	cfg := h.write("config.json", `{"model":{"baseURL":"`+front.URL+`/v1","model":"m","profile":"generic"}}`)
	dir := filepath.Join(h.dir, "report")
	r := h.must(0, "e2e", "--config", cfg, "--report", dir)
	for _, want := range []string{"\npassed: ", "report: " + dir} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is missing in\n%s", want, r.out)
		}
	}
	if out := h.must(0, "check", dir).out; out == "" {
		t.Error("nothing is said of the saved capture")
	}
	if r := h.must(2, "e2e", "--config", cfg, "--report", dir); !strings.Contains(r.err, "already holds a capture") {
		t.Error(r.err)
	}
}

func TestE2EWithAConfigurationThatCannotBeReadIsWrongUse(t *testing.T) {
	h := newHome(t)
	h.env = append(h.env, nowhere)
	if r := h.must(2, "e2e", "--config", "nowhere.json"); !strings.Contains(r.err, "nowhere.json") {
		t.Error(r.err)
	}
}
