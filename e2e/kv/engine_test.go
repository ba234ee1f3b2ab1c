package kv

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zimoscope/e2e/kv/gguf"
)

const (
	// readyTimeout bounds the start of the engine, which loads half a megabyte.
	readyTimeout = 30 * time.Second
	// pollPause is how long to wait between two questions to a process that can't call back.
	pollPause = 20 * time.Millisecond
	// cannotBeMade is the script's status where a tool or a network is missing.
	cannotBeMade = 3
	// modelName is what the engine calls the model.
	modelName = "random"
)

// server is a running engine with one slot and no second store of prompts, so that what it holds is known.
type server struct {
	t    *testing.T
	base string // http://127.0.0.1:PORT
	http *http.Client
}

// startServer builds the engine when it is not there yet, and starts it on a model of random weights.
func startServer(t *testing.T) *server {
	t.Helper()
	out, err := exec.Command("../../scripts/kv/engine.sh").Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == cannotBeMade {
		t.Skipf("there is no engine to test against: %s", exit.Stderr)
	} else if exit != nil {
		t.Fatalf("the engine could not be made: %s", exit.Stderr)
	}
	must(t, err)
	model := filepath.Join(t.TempDir(), "random.gguf")
	f, err := os.Create(model)
	must(t, err)
	must(t, gguf.Write(f, gguf.Spec{Seed: 1}))
	must(t, f.Close())
	address := freeAddress(t)
	log, err := os.Create(filepath.Join(t.ArtifactDir(), "engine.log"))
	must(t, err)
	_, port, err := net.SplitHostPort(address)
	must(t, err)
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, strings.TrimSpace(string(out)), "-m", model, "-a", modelName, "--host", "127.0.0.1", "--port", port,
		"-t", "2", "--jinja", "--no-webui", "-np", "1", "--cache-ram", "0", "--slots")
	cmd.Env = append(os.Environ(), "LLAMA_SERVER_SLOTS_DEBUG=1") // /slots tells what was generated
	cmd.Stdout, cmd.Stderr = log, log
	must(t, cmd.Start())
	t.Cleanup(func() {
		stop() // it is killed: told to end, it would wait for clients
		_ = cmd.Wait()
		must(t, log.Close())
	})
	s := &server{t: t, base: "http://" + address, http: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	s.await("the engine to be ready", func() bool {
		resp, err := s.http.Get(s.base + "/health")
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	return s
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// await asks until the answer is yes.
func (s *server) await(what string, ask func() bool) {
	s.t.Helper()
	for end := time.Now().Add(readyTimeout); !ask(); time.Sleep(pollPause) {
		if time.Now().After(end) {
			s.t.Fatalf("waited %s for %s in vain", readyTimeout, what)
		}
	}
}

// slot is what the engine says of its one slot: of the request that ran last.
type slot struct {
	Busy      bool   `json:"is_processing"`
	Held      int    `json:"n_prompt_tokens"` // tokens in the cache now, generated ones included
	Prompt    string `json:"prompt"`
	Generated string `json:"generated"`
}

// idle waits until nothing runs, and tells what ran last.
func (s *server) idle() slot {
	s.t.Helper()
	var list []slot
	s.await("the engine to be idle", func() bool {
		resp, err := s.http.Get(s.base + "/slots")
		if err != nil {
			return false
		}
		defer func() { _ = resp.Body.Close() }()
		list = nil
		return json.NewDecoder(resp.Body).Decode(&list) == nil && len(list) == 1 && !list[0].Busy
	})
	return list[0]
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
