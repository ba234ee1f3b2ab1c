package toolbox

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// pathMark frames the shell's answer: login scripts print greetings.
const pathMark = "<zimoscope-path>"

// searchPath knows the PATH that servers are started with: that of a terminal,
// which a program started from a desktop does not have. It is worked out once.
type searchPath struct {
	shell string
	once  sync.Once
	value string
}

func newSearchPath(shell string) *searchPath {
	if shell == "" {
		shell = os.Getenv("SHELL")
	}
	return &searchPath{shell: shell}
}

func (s *searchPath) get(ctx context.Context) string {
	s.once.Do(func() { s.value = mergePaths(os.Getenv("PATH"), s.ask(ctx)) })
	return s.value
}

// ask returns the login shell's PATH, empty when it cannot be had.
func (s *searchPath) ask(ctx context.Context) string {
	if s.shell == "" || s.shell == "-" || runtime.GOOS == "windows" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, shellTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.shell, "-lc", `printf %s '`+pathMark+`'"$PATH"'`+pathMark+`'`)
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = drainGrace
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	parts := strings.Split(string(out), pathMark)
	if len(parts) < 3 {
		return ""
	}
	return parts[1]
}

// mergePaths: a PATH that has all of the login shell's entries is that of a
// terminal and stays; else the login shell's come first, as they would there.
func mergePaths(own, login string) string {
	mine, theirs := filepath.SplitList(own), filepath.SplitList(login)
	if containsAll(mine, theirs) {
		return own
	}
	merged := append([]string(nil), theirs...)
	for _, dir := range mine {
		if !contains(merged, dir) {
			merged = append(merged, dir)
		}
	}
	return strings.Join(merged, string(filepath.ListSeparator))
}

func containsAll(list, wanted []string) bool {
	for _, w := range wanted {
		if !contains(list, w) {
			return false
		}
	}
	return true
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// lookUp finds a command in path; a command with a separator is taken as it is.
func lookUp(command, path string) (string, bool) {
	if strings.ContainsRune(command, filepath.Separator) || strings.Contains(command, "/") {
		return command, true
	}
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			continue // the working directory is not searched
		}
		for _, suffix := range suffixes() {
			file := filepath.Join(dir, command+suffix)
			if info, err := os.Stat(file); err == nil && runnable(info) {
				return file, true
			}
		}
	}
	return "", false
}
