//go:build window

package window

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	startTime = 30 * time.Second // for the display, the driver or the window to be there
	endTime   = 15 * time.Second // for all processes to be gone after closing
	pollEvery = 100 * time.Millisecond
)

// need skips by name when a tool is missing.
func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: the window's smoke test requires %s (scripts/setup.sh test installs it)", tool)
		}
	}
}

// program is the built binary.
func program(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../build/bin/zimoscope")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("skipped: the window's smoke test requires build/bin/zimoscope (make build makes it)")
	}
	return path
}

// start runs a command until the test ends, in a process group of its own.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
}

// display starts an X server of its own and returns its name.
func display(t *testing.T, width, height int) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	start(t, cmd)
	write.Close()
	_ = read.SetReadDeadline(time.Now().Add(startTime))
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb gave no display: %v", err)
	}
	return ":" + strings.TrimSpace(line)
}

// shim compiles the preloaded library.
func shim(t *testing.T, dir string) string {
	t.Helper()
	flags, err := exec.Command("pkg-config", "--cflags", "--libs", "webkit2gtk-4.1").Output()
	if err != nil {
		t.Skip("skipped: the window's smoke test requires the development files of webkit2gtk-4.1")
	}
	out := filepath.Join(dir, "shim.so")
	args := append([]string{"-shared", "-fPIC", "-o", out, "testdata/shim.c"}, strings.Fields(string(flags))...)
	if text, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, text)
	}
	return out
}

// launcher is what the driver starts in the program's place: it preloads the shim into the program alone, and notes
// its process id and exit status.
func launcher(t *testing.T, dir, program string) string {
	t.Helper()
	path := filepath.Join(dir, "launch")
	script := fmt.Sprintf("#!/bin/sh\nLD_PRELOAD=%q %q \"$@\" 2>%q &\necho $! >%q\nwait $!\necho $? >%q\n",
		shim(t, dir), program, filepath.Join(dir, "stderr"), filepath.Join(dir, "pid"), filepath.Join(dir, "status"))
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// freePort is a port that was free a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// environment is this one with a home of its own, in English, on the display.
func environment(home, display string) []string {
	env := []string{"HOME=" + home, "DISPLAY=" + display, "LANG=C.UTF-8", "LANGUAGE=en", "TZ=UTC", "NO_AT_BRIDGE=1",
		"ZIMOSCOPE_DEMO_FAST=1", "XDG_RUNTIME_DIR=" + home, "GSETTINGS_BACKEND=keyfile"}
	for _, name := range []string{"PATH", "TMPDIR", "XAUTHORITY"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// desktopSettings make the file dialogs alike each time: they begin with a line for a path, in a folder that is read at
// once.
const desktopSettings = "[org/gtk/settings/file-chooser]\nstartup-mode='cwd'\nlocation-mode='filename-entry'\n"

// settle writes the settings of the desktop into a home.
func settle(t *testing.T, home string) {
	t.Helper()
	dir := filepath.Join(home, ".config", "glib-2.0", "settings")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "keyfile"), []byte(desktopSettings), 0o600); err != nil {
		t.Fatal(err)
	}
}

// until polls what is outside this process and can't tell: it fails the test when ok stays false.
func until(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for tick := time.NewTicker(pollEvery); ; {
		if ok() {
			tick.Stop()
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

// family is a process with all its descendants, by name.
func family(root int) map[int]string {
	parents, names := map[int]int{}, map[int]string{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		text := string(data)
		open, shut := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
		fields := strings.Fields(text[shut+1:])
		pid, _ := strconv.Atoi(strings.TrimSpace(text[:open]))
		parents[pid], _ = strconv.Atoi(fields[1])
		if fields[0] != "Z" {
			names[pid] = text[open+1 : shut]
		}
	}
	found := map[int]string{}
	for pid, name := range names {
		for at := pid; at > 1; at = parents[at] {
			if at == root {
				found[pid] = name
			}
		}
	}
	return found
}

// alive are those of the processes that still run.
func alive(processes map[int]string) (left []string) {
	for pid, name := range processes {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err == nil && strings.Contains(string(data), "("+name+") ") && !strings.Contains(string(data), "("+name+") Z") {
			left = append(left, fmt.Sprintf("%s (%d)", name, pid))
		}
	}
	return left
}
