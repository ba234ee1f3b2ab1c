package toolbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestConfigurationKeepsItsOrder(t *testing.T) {
	list, err := ParseServers([]byte(`{"model":{},"mcpServers":{"z":{"command":"npx","args":["-y"],"env":{"A":"b"},"cwd":"/tmp"},"a":{"url":"http://127.0.0.1/mcp","headers":{"H":"v"}}}}`))
	if err != nil || len(list) != 2 || list[0].Name != "z" || list[1].Name != "a" || list[0].Env["A"] != "b" || list[1].Headers["H"] != "v" {
		t.Errorf("%v %+v", err, list)
	}
	for _, bad := range []string{``, `[]`, `{"a":{"command":5}}`, `{"a":{},"a":{}}`, `{" ":{}}`, `{"a":`, `{"a":{"env":{"K":{"secret-value":1}}}}`} {
		if _, err := ParseServers([]byte(bad)); !errors.Is(err, ErrConfig) || strings.Contains(err.Error(), "secret-value") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestThePathOfATerminalIsMerged(t *testing.T) {
	for _, tc := range [][3]string{
		{"/usr/bin:/bin", "/nvm:/usr/bin:/bin", "/nvm:/usr/bin:/bin"},
		{"/venv:/nvm:/usr/bin", "/nvm:/usr/bin", "/venv:/nvm:/usr/bin"},
		{"/usr/bin:/own", "/nvm:/usr/bin", "/nvm:/usr/bin:/own"},
		{"/usr/bin", "", "/usr/bin"},
	} {
		if got := mergePaths(tc[0], tc[1]); got != tc[2] {
			t.Errorf("%v: %s", tc, got)
		}
	}
}

func TestAServerIsFoundOnTheLoginShellsPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no login shell to ask on Windows")
	}
	dir := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "my-server")); err != nil {
		t.Fatal(err)
	}
	shell := filepath.Join(dir, "shell")
	script := "#!/bin/sh\necho Welcome\nPATH=" + dir + ":$PATH\neval \"$2\"\n"
	if err := os.WriteFile(shell, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	cfg := child("plain")
	cfg.Command = "my-server"
	b, reports := Start(context.Background(), []ServerConfig{cfg}, Options{LoginShell: shell})
	defer func() { _ = b.Close() }()
	if !reports[0].OK || !strings.HasPrefix(reports[0].Path, dir+":") {
		t.Errorf("%+v", reports[0])
	}
}

func TestALoginShellThatFailsLeavesOurOwnPath(t *testing.T) {
	for _, shell := range []string{"/no/such/shell", "/bin/false", "-"} {
		if got := newSearchPath(shell).get(context.Background()); got != os.Getenv("PATH") {
			t.Errorf("%s: %s", shell, got)
		}
	}
}
