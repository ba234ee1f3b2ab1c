package servers

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/agent/toolbox"
)

func TestServerEverythingOverStdio(t *testing.T) {
	m := modules(t)
	b := start(t, toolbox.ServerConfig{Command: "node", Args: []string{filepath.Join(m, "@modelcontextprotocol/server-everything/dist/index.js"), "stdio"}})
	b.ready("echo", "get-sum")
	everything(t, b)
}

func TestServerEverythingOverHTTP(t *testing.T) {
	m := modules(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := l.Addr().String()
	must(t, l.Close())
	_, port, err := net.SplitHostPort(address)
	must(t, err)
	loopback, err := filepath.Abs("testdata/loopback.cjs")
	must(t, err)
	cmd := exec.Command("node", "-r", loopback, filepath.Join(m, "@modelcontextprotocol/server-everything/dist/index.js"), "streamableHttp")
	cmd.Env = append(os.Environ(), "PORT="+port)
	listening(t, cmd)
	b := start(t, toolbox.ServerConfig{URL: "http://" + address + "/mcp"})
	b.ready("echo", "get-sum")
	everything(t, b)
}

func everything(t *testing.T, b *bench) {
	t.Helper()
	if got := texts(t, b.call("echo", `{"message":"é 买菜 <zimoos>"}`)); !strings.Contains(got, "é 买菜 <zimoos>") {
		t.Error(got)
	}
	if got := texts(t, b.call("get-sum", `{"b":2.50,"a":1e2}`)); !strings.Contains(got, "102.5") {
		t.Error(got)
	}
	if r := b.call("get-sum", `{"a":"x","b":1}`); !r.IsError {
		t.Errorf("a wrong argument is no error: %s", r.Raw)
	}
	if !strings.Contains(string(b.tool("get-sum").InputSchema), "$schema") {
		t.Error("the schema lost its $schema")
	}
}

func TestServerFilesystem(t *testing.T) {
	m, dir := modules(t), t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "note.txt"), []byte("Zebra\n阿尔法\n"), 0o600))
	b := start(t, toolbox.ServerConfig{Command: "node", Args: []string{filepath.Join(m, "@modelcontextprotocol/server-filesystem/dist/index.js"), dir}})
	b.ready("read_text_file", "list_directory")
	if got := texts(t, b.call("read_text_file", `{"path":"`+filepath.Join(dir, "note.txt")+`"}`)); got != "Zebra\n阿尔法\n" {
		t.Errorf("%q", got)
	}
	if r := b.call("read_text_file", `{"path":"/etc/hostname"}`); !r.IsError {
		t.Error("a file outside the folder is read")
	}
}

func TestPlaywrightWithABrowser(t *testing.T) {
	m := modules(t)
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("there is no Chromium or Chrome on this machine")
	}
	b := start(t, toolbox.ServerConfig{Command: "node", Args: []string{filepath.Join(m, "@playwright/mcp/cli.js"), "--headless", "--isolated", "--no-sandbox",
		"--executable-path", browser, "--output-dir", t.TempDir()}})
	b.ready("browser_navigate", "browser_snapshot")
	if got := texts(t, b.call("browser_navigate", `{"url":"data:text/html,<title>Zebra</title><h1>Alpha</h1>"}`)); !strings.Contains(got, "Zebra") {
		t.Error(got)
	}
	if got := texts(t, b.call("browser_snapshot", `{}`)); !strings.Contains(got, "Alpha") {
		t.Error(got)
	}
	if n := len(b.processes()); n < 2 {
		t.Errorf("%d processes: the browser is not among those that Close is held to", n)
	}
}

func TestBothSDKsOfTheProtocol(t *testing.T) {
	m := modules(t)
	for name, args := range map[string][]string{"v1.mjs": nil, "v2.mjs": {"serve"}} {
		t.Run(name, func(t *testing.T) {
			b := start(t, toolbox.ServerConfig{Command: "node", Args: append([]string{beside(t, m, name)}, args...)})
			b.ready("order")
			if got := b.box.Status()[0].Protocol; got != "2025-11-25" {
				t.Errorf("protocol %s", got)
			}
			raw := string(b.call("order", `{"zebra":1.50,"alpha":1e2}`).Raw)
			for _, want := range []string{`"zebra":1.5,"alpha":100`, `"9":1e+21,"10":1`, `"tiny":1e-7`} {
				if !strings.Contains(raw, want) {
					t.Errorf("%s is missing in %s", want, raw)
				}
			}
		})
	}
}

// A server that refuses the handshake of the versions before is spoken to without one.
func TestAServerOfTheNewestProtocolAlone(t *testing.T) {
	m := modules(t)
	b := start(t, toolbox.ServerConfig{Command: "node", Args: []string{beside(t, m, "v2.mjs"), "reject"}})
	b.ready("order")
	if got := b.box.Status()[0].Protocol; got != "2026-07-28" {
		t.Errorf("protocol %s", got)
	}
	b.call("order", `{"zebra":1.50,"alpha":1e2}`)
}
