package mteam

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const frame = `{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c1","visibleContent":[],"shortcuts":[],"handles":[]}`

const (
	first  = "/api/panel/zimoos/current"
	second = "/api/zimoos/current"
)

// complete makes a backend folder and a bun, so that only the hub decides.
func complete(t *testing.T, hub string) Settings {
	t.Helper()
	dir, bin := t.TempDir(), t.TempDir()
	entry := filepath.Join(dir, filepath.FromSlash(entryPoint))
	for path, mode := range map[string]os.FileMode{entry: 0o600, filepath.Join(bin, "bun"): 0o700} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	return Settings{HubURL: hub, BackendDir: dir, Path: bin}
}

func hub(t *testing.T, answers map[string]string) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.Path]
		if !ok || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		status := http.StatusOK
		if code, rest, found := strings.Cut(answer, "|"); found {
			answer, status = rest, map[string]int{"500": 500, "302": 302}[code]
			w.Header().Set("Location", second)
		}
		w.WriteHeader(status)
		io.WriteString(w, answer)
	}))
	t.Cleanup(srv.Close)
	return srv
}

func TestReadyOnlyWhenTheAnswerIsAFrame(t *testing.T) {
	cases := []struct {
		name     string
		answers  map[string]string
		ready    bool
		attempts int
		sentence string // of the last attempt
	}{
		{"first way", map[string]string{first: frame}, true, 1, "answered with a ZimoOS frame"},
		{"pretty", map[string]string{first: "\n" + strings.ReplaceAll(frame, ",", ",\n  ") + "\n"}, true, 1, "answered with a ZimoOS frame"},
		{"second way only", map[string]string{second: frame}, true, 2, "answered with a ZimoOS frame"},
		{"error status with a frame", map[string]string{first: "500|" + frame}, false, 2, "status 404"},
		{"redirect", map[string]string{first: "302|"}, false, 2, "status 404"},
		{"wrong shape", map[string]string{second: `{"ok":true}`}, false, 2, "not with a ZimoOS frame"},
		{"frame without cursor", map[string]string{second: strings.Replace(frame, `"c1"`, `""`, 1)}, false, 2, "a frame that is none"},
		{"garbage", map[string]string{first: "<html>", second: "<html>"}, false, 2, "not with a ZimoOS frame"},
		{"empty", map[string]string{first: "", second: ""}, false, 2, "not with a ZimoOS frame"},
		{"list", map[string]string{second: "[" + frame + "]"}, false, 2, "not with a ZimoOS frame"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			r := Probe(context.Background(), complete(t, hub(t, tc.answers).URL), "zimoscope-1")
			if r.Ready != tc.ready || r.Complete() != tc.ready || len(r.Attempts) != tc.attempts {
				t.Fatalf("%+v", r)
			}
			if last := r.Attempts[len(r.Attempts)-1]; !strings.Contains(last.Sentence, tc.sentence) {
				t.Errorf("%q", last.Sentence)
			}
			if want := !tc.ready; slices.Contains(r.Missing, NoAnswer) != want {
				t.Errorf("missing: %q", r.Missing)
			}
		})
	}
}

func TestProbesAskForAnInstanceOfOurOwn(t *testing.T) {
	var asked []map[string]string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]string
		json.NewDecoder(r.Body).Decode(&body)
		body["path"] = r.URL.Path
		asked = append(asked, body)
	}))
	Probe(context.Background(), complete(t, srv.URL+"/"), "zimoscope-7")
	srv.Close()
	want := []map[string]string{
		{"path": first, "teamId": "local", "agentId": "zimoscope-7", "instanceId": "zimoscope-7"},
		{"path": second, "instanceId": "zimoscope-7"},
	}
	if !reflect.DeepEqual(asked, want) {
		t.Errorf("%v", asked)
	}
}

func TestAHubThatHangsIsGivenUp(t *testing.T) {
	release := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer srv.Close()
	defer close(release)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	r := Probe(ctx, complete(t, srv.URL), "zimoscope-1")
	if r.Ready || r.Attempts[0].Status != 0 || !strings.Contains(r.Attempts[0].Sentence, "no answer") {
		t.Errorf("%+v", r)
	}
}

func TestSkipNamesEveryMissingPiece(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	live := hub(t, map[string]string{first: frame})
	all := complete(t, live.URL)
	cases := []struct {
		name     string
		settings Settings
		want     string
	}{
		{"no hub", Settings{gone.URL, all.BackendDir, all.Path}, "skipped: requires mteam backend (no answer at the address)"},
		{"no folder named", Settings{live.URL, "", all.Path}, "skipped: requires mteam backend (no backend folder)"},
		{"another folder", Settings{live.URL, t.TempDir(), all.Path}, "skipped: requires mteam backend (no backend folder)"},
		{"no bun", Settings{live.URL, all.BackendDir, t.TempDir()}, "skipped: requires mteam backend (no bun)"},
		{"nothing", Settings{"ftp://h", "", t.TempDir()}, "skipped: requires mteam backend (no answer at the address, no backend folder, no bun)"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			r := Probe(context.Background(), tc.settings, "zimoscope-1")
			if got := SkipSentence(r); got != tc.want || r.Complete() {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestAttemptsShowNoPassword(t *testing.T) {
	r := Probe(context.Background(), Settings{HubURL: "http://u:hide-password@127.0.0.1:1"}, "zimoscope-1")
	for _, a := range r.Attempts {
		if strings.Contains(a.URL+a.Sentence, "hide") {
			t.Errorf("%+v", a)
		}
	}
}

func TestLaunchIsThatOfTheBackend(t *testing.T) {
	t.Setenv("MTEAM_HUB_URL", "")
	t.Setenv("MTEAM_BACKEND_DIR", "/b")
	s := FromEnv()
	if s.HubURL != "http://127.0.0.1:58590" {
		t.Error(s.HubURL)
	}
	want := Launch{
		Name: "mteam-primary", Command: "bun", Args: []string{"run", "src/mcp-primary/index.ts"}, Dir: "/b",
		Env: map[string]string{"ROLE_INSTANCE_ID": "zimoscope-5", "V2_SERVER_URL": "http://127.0.0.1:58590"},
	}
	if got := s.Launch(Instance(time.Unix(5, 0))); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	t.Setenv("MTEAM_HUB_URL", "http://h:1")
	if got := FromEnv().HubURL; got != "http://h:1" {
		t.Error(got)
	}
}
