package toolbox

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

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
