//go:build window

package window

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// longSession names the folder with the session that is measured; make bench-ui writes it and sets this.
const longSession = "ZIMOSCOPE_LONG_SESSION"

// times is how often a figure is taken; the middle one is told.
const times = 7

// first waits for the first row after the session of that name is opened, and gives the milliseconds.
const first = `
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
const button = [...document.querySelectorAll('[data-testid=first-run] button')].find((b) => b.textContent === 'Long');
const from = performance.now();
button.click();
return (async () => {
  while (!document.querySelector('.tl-line .row')) await painted();
  await painted();
  return performance.now() - from;
})()`

// choose clicks a row and gives the milliseconds until its request is painted.
const choose = `
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
const rows = [...document.querySelectorAll('.tl-line .row')];
const row = rows[Math.floor(rows.length / 2) + arguments[0]];
const want = '#' + row.id.slice(4);
const from = performance.now();
row.click();
return (async () => {
  while (document.querySelector('[data-testid=request-head] .number')?.textContent !== want) await painted();
  await painted();
  return performance.now() - from;
})()`

// scroll goes through the timeline and counts the heights at which no row stood.
const scroll = `
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
const box = document.querySelector('.rows');
return (async () => {
  let holes = 0;
  box.scrollTop = 0; // a jump over all rows, not scrolling: what is counted begins when it has been drawn
  for (let i = 0; i < 3; i++) await painted();
  for (let last = -1; box.scrollTop !== last; ) {
    last = box.scrollTop;
    box.scrollTop += box.clientHeight * 0.9;
    await painted();
    const r = box.getBoundingClientRect();
    for (let y = r.top + 30; y < r.bottom - 4; y += 20) if (!document.elementFromPoint(r.left + 40, y)?.closest('.tl-line, .turn-holder')) holes++;
  }
  return holes;
})()`

// TestFiguresOfTheRealWindow prints how the window does on a session of 10,000 requests. Only the empty rows can fail it:
// times depend on the machine.
func TestFiguresOfTheRealWindow(t *testing.T) {
	data := os.Getenv(longSession)
	if _, err := os.Stat(filepath.Join(data, "done")); data == "" || err != nil {
		t.Skip("skipped: the figures of the window require a long session (make bench-ui writes one)")
	}
	s := openWith(t, "--data", data)
	s.reads("first-run", "Long")
	var opened float64
	s.run(first, &opened)
	s.reads("statusbar", "10,000")
	took := make([]float64, times)
	for i := range took {
		s.run(choose, &took[i], (i%2*2-1)*(i/2+1))
	}
	slices.Sort(took)
	var holes int
	s.run(scroll, &holes)
	t.Logf("in WebKitGTK: the session opens in %.0f ms (target 1 s), a request of 50,000 messages in %.0f ms (target 50 ms), %d empty rows while scrolling (target 0), the web process holds %d MB",
		opened, took[times/2], holes, s.webMemory()>>20)
	if holes > 0 {
		t.Errorf("%d heights without a row while scrolling", holes)
	}
	s.press("help") // the page still answers
	s.reads("help-sheet", "Command palette")
	closeReadOnly(s)
}

// closeReadOnly ends the program by its window.
func closeReadOnly(s *stage) {
	s.t.Helper()
	processes := family(s.pid)
	_ = s.try(`setTimeout(() => window.runtime.Quit(), 0)`, nil)
	until(s.t, endTime, "no process is left behind", func() bool { return len(alive(processes)) == 0 })
}
