package servers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"zimoscope/backend/agent/toolbox"
)

const (
	// startTimeout is long enough for a browser on a busy machine.
	startTimeout = 60 * time.Second
	callTimeout  = 60 * time.Second
	// mark is a variable that only the processes of one test have.
	mark = "ZIMOSCOPE_SERVERS_TEST"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// packages are what the tests run, at the versions they were written for.
func packages() []string {
	return []string{
		"@modelcontextprotocol/server-everything@2026.8.31", "@modelcontextprotocol/server-filesystem@2026.8.31", "@playwright/mcp@0.0.83",
		"@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/server@2.4.0", "bun@1.4.5",
	}
}

// modules gives the folder of the fetched packages, or skips.
func modules(t *testing.T) string {
	t.Helper()
	if os.Getenv("ZIMOSCOPE_SLOW") == "" {
		t.Skip("slow: it fetches MCP servers with npm; set ZIMOSCOPE_SLOW=1, or run make test-slow")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm to fetch the servers with")
	}
	cache, err := os.UserCacheDir()
	must(t, err)
	dir := filepath.Join(cache, "zimoscope", "servers")
	list := strings.Join(packages(), "\n")
	if have, err := os.ReadFile(filepath.Join(dir, "fetched")); err != nil || string(have) != list {
		must(t, os.MkdirAll(dir, 0o700))
		must(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`), 0o600))
		args := append([]string{"--prefix", dir, "install", "--save-exact", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"}, packages()...)
		if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
			t.Skipf("npm could not fetch the servers (is there a network?): %v\n%s", err, out)
		}
		must(t, os.WriteFile(filepath.Join(dir, "fetched"), []byte(list), 0o600))
	}
	return filepath.Join(dir, "node_modules")
}

// beside copies a server of ours to where its imports are found.
func beside(t *testing.T, modules, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	must(t, err)
	dir, err := os.MkdirTemp(filepath.Dir(modules), "run-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, name)
	must(t, os.WriteFile(path, text, 0o600))
	return path
}

// bench is a running server with all that passed.
type bench struct {
	t      *testing.T
	box    *toolbox.Box
	report toolbox.StartReport
	tag    string
	mu     sync.Mutex
	frames []toolbox.Frame
}

// start starts one server, which may fail; its box is closed with the test, and then none of its processes may be left.
func start(t *testing.T, cfg toolbox.ServerConfig) *bench {
	t.Helper()
	b := &bench{t: t, tag: fmt.Sprintf("%d-%s", os.Getpid(), t.Name())}
	cfg.Name, cfg.CallTimeout = "s", callTimeout
	if cfg.Command != "" {
		if cfg.Env == nil {
			cfg.Env = map[string]string{}
		}
		cfg.Env[mark] = b.tag
	}
	box, reports := toolbox.Start(context.Background(), []toolbox.ServerConfig{cfg}, toolbox.Options{StartTimeout: startTimeout, LoginShell: "-", OnTraffic: b.hear})
	b.box, b.report = box, reports[0]
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
		if left := b.processes(); len(left) > 0 {
			t.Errorf("after Close these run on: %q", left)
		}
	})
	return b
}

func (b *bench) hear(f toolbox.Frame) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f.Raw = bytes.Clone(f.Raw)
	b.frames = append(b.frames, f)
}

// processes lists what runs of this test's server, the server's children included: they inherit its variable.
func (b *bench) processes() (list []string) {
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	must(b.t, err)
	for _, path := range environs {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(env, []byte(mark+"="+b.tag+"\x00")) {
			continue // it ended meanwhile, or is another's
		}
		if line, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")); err == nil && len(line) > 0 {
			list = append(list, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return list
}

// ready fails unless the server started and offers these tools.
func (b *bench) ready(tools ...string) {
	b.t.Helper()
	if !b.report.OK {
		b.t.Fatalf("%s\n%s", b.report.Message, b.report.StderrTail)
	}
	for _, name := range tools {
		b.tool(name)
	}
	if b.box.Status()[0].Kind == "stdio" && len(b.processes()) == 0 {
		b.t.Fatal("the server's processes are not found, so that none would be missed after Close")
	}
}

func (b *bench) tool(name string) toolbox.Tool {
	b.t.Helper()
	list := b.box.Tools()
	at := slices.IndexFunc(list, func(t toolbox.Tool) bool { return t.Name == name })
	if at < 0 {
		b.t.Fatalf("%s is not offered", name)
	}
	return list[at]
}

// call calls a tool and checks that arguments and result are the very bytes that passed.
func (b *bench) call(name, args string) toolbox.Result {
	b.t.Helper()
	r := b.box.Call(context.Background(), "s", name, json.RawMessage(args))
	if r.State != toolbox.StateOK && r.State != toolbox.StateToolError {
		b.t.Fatalf("%s: %s: %s", name, r.State, r.Message)
	}
	if !b.passed(toolbox.DirOut, `"arguments":`+args) {
		b.t.Errorf("%s: the arguments did not leave as %s", name, args)
	}
	if !b.passed(toolbox.DirIn, string(r.Raw)) {
		b.t.Errorf("%s: the result is not what came: %s", name, r.Raw)
	}
	if schema := b.tool(name).InputSchema; !b.passed(toolbox.DirIn, string(schema)) {
		b.t.Errorf("%s: the schema is not what came: %s", name, schema)
	}
	return r
}

func (b *bench) passed(direction, text string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.frames, func(f toolbox.Frame) bool {
		return f.Direction == direction && bytes.Contains(f.Raw, []byte(text))
	})
}

// texts is all text of a result's parts.
func texts(t *testing.T, r toolbox.Result) string {
	t.Helper()
	var result struct {
		Content []struct{ Text string }
	}
	must(t, json.Unmarshal(r.Raw, &result))
	var all []string
	for _, c := range result.Content {
		all = append(all, c.Text)
	}
	return strings.Join(all, "\n")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
