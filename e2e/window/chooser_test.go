//go:build window

package window

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"zimoscope/backend/store"
)

const (
	// chooserName is the title of the dialog that WebKit opens for a page's input.
	chooserName = "^Select File"
	// clickEvery is after how many looks without a dialog the mouse presses again: a page that is not drawn yet hears nothing.
	clickEvery = 20
)

// middle is where an element stands in the window.
func (s *stage) middle(testid string) (x, y string) {
	s.t.Helper()
	s.there(testid)
	var at [2]int
	s.run(`const r = document.querySelector('[data-testid="' + arguments[0] + '"]').getBoundingClientRect();
		return [Math.round(r.left + r.width / 2), Math.round(r.top + r.height / 2)]`, &at, testid)
	return strconv.Itoa(at[0]), strconv.Itoa(at[1])
}

// TestTheComposersButtonOpensTheDialogOfTheDesktop drives the program by mouse and keyboard alone: a page that a driver
// holds opens no dialog. Where things stand is learned from a window of the same size before.
func TestTheComposersButtonOpensTheDialogOfTheDesktop(t *testing.T) {
	s := open(t)
	s.played()
	x, y := s.middle("attach")
	fieldX, fieldY := s.middle("composer")
	closeWindow(s)

	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(program(t), "--demo", "--data", data)
	cmd.Env = environment(s.dir, s.display)
	start(t, cmd)
	before := 0
	until(t, demoTime, "the demo session is played to its end", func() bool {
		_, before = toldOf(data)
		return before > 0
	})
	looks := 0
	until(t, startTime, "the button opens a dialog", func() bool {
		if looks++; looks%clickEvery == 1 {
			s.x("xdotool", "mousemove", x, y, "click", "1")
		}
		return s.chooser() != ""
	})
	dialog := s.chooser()
	empty := s.above(x, y)
	s.x("xdotool", "windowraise", dialog, "windowfocus", "--sync", dialog)
	s.shoot(strings.Replace(picture, "window.png", "window-choose.png", 1))
	s.answer(dialog, point(t, "chosen.png"), "Return")
	s.x("xdotool", "windowfocus", "--sync", s.window(), "mousemove", fieldX, fieldY, "click", "1")
	until(t, startTime, "the picture stands over the composer", func() bool { return s.above(x, y) != empty })
	s.x("xdotool", "type", "--delay", "20", "What is this?")
	s.x("xdotool", "key", "Return")
	id, after := "", 0
	until(t, demoTime, "the message is answered", func() bool {
		id, after = toldOf(data)
		return after > before
	})
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // a signal is no failure of what is tested here
	if got := sentPictures(t, storedBody(t, data, id, before+1)); len(got) != 1 || got[0] != "data:image/png;base64,"+dot {
		t.Errorf("the body holds %d pictures: %.100v", len(got), got)
	}
}

// chooser is the dialog of a page's input, "" when there is none.
func (s *stage) chooser() string {
	cmd := exec.Command("xdotool", "search", "--onlyvisible", "--name", chooserName)
	cmd.Env = append(os.Environ(), "DISPLAY="+s.display)
	out, _ := cmd.Output() // it fails when it finds none
	id, _, _ := strings.Cut(string(out), "\n")
	return id
}

// above is what is drawn over the composer, where its pictures stand.
func (s *stage) above(x, y string) string {
	s.t.Helper()
	left, _ := strconv.Atoi(x)
	top, _ := strconv.Atoi(y)
	return s.x("import", "-window", s.window(), "-crop", "120x24+"+strconv.Itoa(left)+"+"+strconv.Itoa(top-48), "txt:-")
}

// toldOf reads the line that a session gets at the end of each turn: its id and its requests, 0 before there is one.
func toldOf(data string) (id string, requests int) {
	lines, _ := filepath.Glob(filepath.Join(data, "*.json"))
	for _, path := range lines {
		var m store.Summary
		raw, err := os.ReadFile(path)
		if err == nil && json.Unmarshal(raw, &m) == nil && m.Requests > 0 {
			return m.ID, m.Requests
		}
	}
	return "", 0
}

// storedBody reads a request from the store of a program that has ended.
func storedBody(t *testing.T, data, id string, n int) []byte {
	t.Helper()
	st, err := store.New(data)
	if err != nil {
		t.Fatal(err)
	}
	sess, err := st.Read(id)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sess.Close() }()
	body, err := sess.Body(n)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
