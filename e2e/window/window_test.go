//go:build window

package window

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"zimoscope/app/api"
)

const (
	demoTime = 2 * time.Minute // for the whole demo session to be played
	picture  = "../../build/artifacts/window.png"
	width    = 1440 // px, of the screen and of the window as it opens
	height   = 900
)

// stage is one running window.
type stage struct {
	*driver
	display string
	dir     string // launcher's notes
	pid     int
}

// open starts the program with the demo, on a store of its own.
func open(t *testing.T) *stage {
	t.Helper()
	return openWith(t, "--demo", "--data", filepath.Join(t.TempDir(), "data"))
}

func openWith(t *testing.T, args ...string) *stage {
	t.Helper()
	binary := program(t)
	need(t, "Xvfb", "WebKitWebDriver", "gcc", "pkg-config", "xdotool", "import")
	dir := t.TempDir()
	s := &stage{display: display(t, width, height), dir: dir}
	settle(t, dir)
	port := freePort(t)
	command := exec.Command("WebKitWebDriver", "--host=127.0.0.1", "--port="+strconv.Itoa(port))
	command.Env = environment(dir, s.display)
	start(t, command)
	s.driver = newDriver(t, port)
	until(t, startTime, "the driver answers", s.ready)
	t.Cleanup(s.end)
	t.Cleanup(s.explain)
	s.open(launcher(t, dir, binary), args...)
	data, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	if s.pid, err = strconv.Atoi(strings.TrimSpace(string(data))); err != nil {
		t.Fatal(err)
	}
	return s
}

// end stops by its id what the test did not get to close.
func (s *stage) end() {
	if s.pid == 0 {
		return
	}
	for pid := range family(s.pid) {
		if process, err := os.FindProcess(pid); err == nil {
			_ = process.Kill()
		}
	}
}

// explain shows what the program said, when the test failed.
func (s *stage) explain() {
	if s.t.Failed() {
		text, _ := os.ReadFile(filepath.Join(s.dir, "stderr"))
		s.t.Logf("the program's standard error:\n%s", text)
		s.shoot(strings.Replace(picture, "window.png", "window-failed.png", 1))
	}
}

// x runs a program on the display and returns what it printed.
func (s *stage) x(name string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+s.display)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Errorf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *stage) shoot(path string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	s.x("import", "-window", "root", path)
}

// reads waits until an element's text holds all the words.
func (s *stage) reads(testid string, words ...string) {
	s.t.Helper()
	text := ""
	defer func() {
		if s.t.Failed() {
			s.t.Logf("%s reads:\n%s", testid, text)
		}
	}()
	until(s.t, startTime, fmt.Sprintf("%s reads %q", testid, words), func() bool {
		text = s.text(testid)
		for _, word := range words {
			if !strings.Contains(text, word) {
				return false
			}
		}
		return true
	})
}

// press clicks the element with the test id.
func (s *stage) press(testid string) {
	s.t.Helper()
	s.run(`document.querySelector('[data-testid="' + arguments[0] + '"]').click()`, nil, testid)
}

// played waits for the end of the demo and returns its timeline.
func (s *stage) played() api.Timeline {
	s.t.Helper()
	var snapshot api.Snapshot
	var line api.Timeline
	prompts := len(demoPrompts())
	until(s.t, demoTime, "the demo session is played to its end", func() bool {
		s.call(&snapshot, "Snapshot", "[]")
		if snapshot.Current == "" || snapshot.State.Phase != "idle" {
			return false
		}
		s.call(&line, "Timeline", fmt.Sprintf("[%q]", snapshot.Current))
		return len(line.Turns) == prompts && len(line.Rows) > 0 && line.Rows[len(line.Rows)-1].Status == "done"
	})
	if snapshot.State.Error != "" {
		s.t.Fatalf("the demo ended with: %s", snapshot.State.Error)
	}
	return line
}

// window is the id of the program's own window.
func (s *stage) window() string {
	s.t.Helper()
	id := strings.Fields(s.x("xdotool", "search", "--onlyvisible", "--name", "^ZimoScope"))
	if len(id) == 0 {
		s.t.Fatal("no window of that name on the display")
	}
	return id[len(id)-1]
}

// resize gives the window a size and waits until the page has it.
func (s *stage) resize(w, h int) {
	s.t.Helper()
	s.x("xdotool", "windowsize", s.window(), strconv.Itoa(w), strconv.Itoa(h))
	until(s.t, startTime, fmt.Sprintf("the page is %d px wide", w), func() bool {
		var got int
		s.run(`return window.innerWidth`, &got)
		return got == w
	})
}
