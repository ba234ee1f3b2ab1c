//go:build window

package window

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/scripted"
)

func demoPrompts() []string { return scripted.DemoPrompts() }

func TestWindowShowsTheDemoInItsThreePanes(t *testing.T) {
	s := open(t)
	s.reads("timeline", "1")
	line := s.played()
	last := len(line.Rows)
	if line.Figures.Violations != 0 || line.Figures.Proved != last {
		t.Errorf("the demo's figures: %+v of %d requests", line.Figures, last)
	}

	s.reads(fmt.Sprintf("row-%d", line.Rows[last-1].N), line.Rows[last-1].Verdict)
	s.reads("pane-prefix", "scripted-demo", "zimoos.act", "System", "You work inside ZimoOS")
	s.reads("pane-history", `zimoos.act {"frameCursor"`, "Outcome", "Frame audit", "Summary", "just sealed")
	s.reads("pane-carrier", "Weekend shopping")
	checkBlock(s, line.Session, line.Rows[last-1].N)

	s.resize(1000, 640)
	s.reads("pane-carrier", "Weekend shopping")
	checkFits(s)
	s.resize(width, height)
	s.reads("pane-history", "Summary")
	checkFits(s)
	checkSafe(s)
	s.shoot(picture)
	checkLooks(s)
	closeWindow(s)
}

// checkLooks: the other theme and the other language, in place, and back.
func checkLooks(s *stage) {
	s.t.Helper()
	s.press("theme")
	s.press("language")
	s.reads("timeline", "时间线", "个请求")
	s.reads("pane-prefix", "稳定前缀", "zimoos.act")
	var look struct{ Theme, Lang, Ground string }
	s.run(`const e = document.documentElement; return {Theme: e.dataset.theme, Lang: e.lang, Ground: getComputedStyle(document.body).backgroundColor}`, &look)
	if look.Theme != "dark" || !strings.HasPrefix(look.Lang, "zh") {
		s.t.Errorf("the window says %+v", look)
	}
	checkFits(s)
	s.shoot(strings.Replace(picture, "window.png", "window-dark-zh.png", 1))
	s.press("theme")
	s.press("language")
	s.reads("timeline", "Timeline")
}

// checkBlock holds the carrier pane against the bytes of the request it shows.
func checkBlock(s *stage, session string, n int) {
	s.t.Helper()
	var view struct {
		Carrier struct {
			Present bool
			Frame   struct{ Cursor string }
		}
	}
	s.call(&view, "Request", fmt.Sprintf(`[{"session":%q,"n":%d}]`, session, n))
	if !view.Carrier.Present || view.Carrier.Frame.Cursor == "" {
		s.t.Fatalf("the last request carries no frame: %+v", view)
	}
	s.reads("pane-carrier", view.Carrier.Frame.Cursor)
}

// checkFits: nothing of the page lies outside the window.
func checkFits(s *stage) {
	s.t.Helper()
	var over [2]int
	s.run(`const e = document.documentElement; return [e.scrollWidth - innerWidth, e.scrollHeight - innerHeight]`, &over)
	if over[0] > 0 || over[1] > 0 {
		s.t.Errorf("the page is %d px wider and %d px higher than the window", over[0], over[1])
	}
}

// checkSafe: script that came in as text would not run.
func checkSafe(s *stage) {
	s.t.Helper()
	var ran bool
	s.run(`const e = document.createElement('script'); e.textContent = 'window.inlineRan = true';
		document.head.append(e); e.remove(); return window.inlineRan === true`, &ran)
	if ran {
		s.t.Error("an inline script ran: the content security policy does not hold in the window")
	}
}

// closeWindow closes as the user does, and looks that nothing is left running.
func closeWindow(s *stage) {
	s.t.Helper()
	processes := family(s.pid)
	if len(processes) < 3 {
		s.t.Errorf("expected the program, its MCP servers and WebKit's processes, got %v", processes)
	}
	_ = s.try(`setTimeout(() => window.runtime.Quit(), 0)`, nil) // the window may be gone before the answer is
	status := filepath.Join(s.dir, "status")
	until(s.t, endTime, "the program ends", func() bool { _, err := os.Stat(status); return err == nil })
	code, err := os.ReadFile(status)
	if err != nil || strings.TrimSpace(string(code)) != "0" {
		s.t.Errorf("the program ended with status %s (%v)", code, err)
	}
	until(s.t, endTime, "no process is left behind", func() bool { return len(alive(processes)) == 0 })
	_, _ = s.send(http.MethodDelete, s.session, nil) // the session of a window that is gone
}
