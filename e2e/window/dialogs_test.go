//go:build window

package window

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"zimoscope/app/api"
)

const (
	importedFile = "conversation of tuesday.jsonl"
	firstBody    = `{"model":"m","messages":[{"role":"system","content":"You help."},{"role":"user","content":"Buy milk"}]}`
	secondBody   = `{"model":"m","messages":[{"role":"system","content":"You help."},{"role":"user","content":"Buy milk"},{"role":"assistant","content":"Done."},{"role":"user","content":"And bread"}]}`
)

// windows are the program's visible windows.
func (s *stage) windows() []string {
	s.t.Helper()
	var list []string
	until(s.t, startTime, "the windows are listed", func() bool { // a window that goes while they are gone through fails it
		cmd := exec.Command("xdotool", "search", "--onlyvisible", "--class", "zimoscope")
		cmd.Env = append(os.Environ(), "DISPLAY="+s.display)
		out, err := cmd.Output()
		list = strings.Fields(string(out))
		return err == nil
	})
	return list
}

// dialog waits for a window that was not there before, and gives it the keyboard: there is no window manager here.
func (s *stage) dialog(before []string) string {
	s.t.Helper()
	id := ""
	until(s.t, startTime, "the dialog of the desktop opens", func() bool {
		for _, w := range s.windows() {
			if !slices.Contains(before, w) {
				id = w
			}
		}
		return id != ""
	})
	s.x("xdotool", "windowmap", "--sync", id, "windowraise", id, "windowfocus", "--sync", id)
	return id
}

// answer types a path into a dialog, when there is one, and ends it with a key.
func (s *stage) answer(id, path, key string) {
	s.t.Helper()
	if path != "" {
		s.x("xdotool", "key", "ctrl+a") // a name that is offered, with its ending
		s.x("xdotool", "type", "--delay", "20", path)
	}
	s.x("xdotool", "key", key)
	until(s.t, startTime, "the dialog closes", func() bool { return !slices.Contains(s.windows(), id) })
}

func (s *stage) jobs() (list []api.Job) {
	s.t.Helper()
	s.call(&list, "Jobs", "[]")
	return list
}

// conversation writes the file that is imported.
func conversation(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), importedFile)
	if err := os.WriteFile(path, []byte(firstBody+"\n"+secondBody+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// imported waits for the session that the file became.
func (s *stage) imported() {
	s.t.Helper()
	var snapshot api.Snapshot
	until(s.t, startTime, "the file is a session", func() bool {
		s.call(&snapshot, "Snapshot", "[]")
		return slices.ContainsFunc(snapshot.Sessions, func(x api.SessionInfo) bool { return x.Requests == 2 && x.Foreign != "" })
	})
	jobs := s.jobs()
	if last := jobs[len(jobs)-1]; last.State != "done" || last.Name != importedFile {
		s.t.Errorf("the import: %+v", last)
	}
}

func TestFilesAreChosenInTheDialogsOfTheDesktop(t *testing.T) {
	s := open(t)
	s.played()
	before := s.windows()

	s.press("session-menu")
	s.press("import")
	s.answer(s.dialog(before), "", "Escape")
	if jobs := s.jobs(); len(jobs) != 0 {
		t.Errorf("a dialog that was given up: %+v", jobs)
	}

	s.press("session-menu")
	s.press("import")
	id := s.dialog(before)
	s.shoot(strings.Replace(picture, "window.png", "window-open.png", 1))
	s.answer(id, conversation(t), "Return")
	s.imported()

	s.reads("session-menu", importedFile)
	s.reads("timeline", "2 requests")
	target := filepath.Join(t.TempDir(), "report of tuesday.html")
	s.press("more")
	s.run(`[...document.querySelectorAll('.popover .menu-item')].find((e) => e.innerText.startsWith('Export')).click()`, nil)
	s.press("export-html")
	s.press("export-do")
	id = s.dialog(before)
	s.shoot(strings.Replace(picture, "window.png", "window-save.png", 1))
	s.answer(id, target, "Return")
	until(t, startTime, "the export stands where it was said to", func() bool {
		text, err := os.ReadFile(target)
		return err == nil && strings.Contains(string(text), "Buy milk")
	})
	jobs := s.jobs()
	if last := jobs[len(jobs)-1]; last.State != "done" || last.Path != target {
		t.Errorf("the export: %+v", last)
	}
	closeWindow(s)
}

func TestAFileDroppedOnTheWindowIsImported(t *testing.T) {
	s := open(t)
	s.played()
	s.resize(1000, 640)
	s.drop(conversation(t))
	s.imported()
	s.reads("timeline", "2 requests")
	closeWindow(s)
}

// drop drags a file from a window beside this one, which has to be narrower than the screen, and lets it go over it.
func (s *stage) drop(path string) {
	s.t.Helper()
	cmd := exec.Command(dragSource(s.t), path, "1100", "200")
	cmd.Env = environment(s.dir, s.display)
	start(s.t, cmd)
	until(s.t, startTime, "the drag source is there", func() bool {
		out, _ := exec.Command("env", "DISPLAY="+s.display, "xdotool", "search", "--onlyvisible", "--name", "^drag source$").Output()
		return len(strings.Fields(string(out))) > 0
	})
	s.x("xdotool", "mousemove", "1200", "300", "mousedown", "1")
	for x := 1190; x > 500; x -= 30 { // by steps, as a hand does: a drag begins some way from where the button went down
		s.x("xdotool", "mousemove", strconv.Itoa(x), "300")
	}
	until(s.t, startTime, "the window says what letting go does", func() bool {
		var over bool
		s.run(`return document.querySelector('.drop-zone') !== null`, &over)
		return over
	})
	s.shoot(strings.Replace(picture, "window.png", "window-drop.png", 1))
	s.x("xdotool", "mouseup", "1")
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			s.t.Errorf("the drag source: %v", err)
		}
	case <-time.After(startTime):
		s.t.Fatal("nobody took the file")
	}
}

// dragSource compiles the window that gives a file away.
func dragSource(t *testing.T) string {
	t.Helper()
	flags, err := exec.Command("pkg-config", "--cflags", "--libs", "gtk+-3.0").Output()
	if err != nil {
		t.Skip("skipped: dropping a file requires the development files of gtk+-3.0")
	}
	out := filepath.Join(t.TempDir(), "source")
	args := append([]string{"-o", out, "testdata/source.c"}, strings.Fields(string(flags))...)
	if text, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, text)
	}
	return out
}
