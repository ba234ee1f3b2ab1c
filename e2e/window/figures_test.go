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

// places are the rows that are chosen, counted from the middle of those in view: each once at the session's end, once at its
// half and once between.
var places = []int{-3, 2, -1, 3, -2, 1, 0}

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

// choose clicks a row that is in view and gives the milliseconds until the frame is painted that shows its request and
// the diff with the one before: from the change of the page on, that is the next frame. Before the click the pointer rests
// on the row for so many milliseconds, if any.
const choose = `
const box = document.querySelector('.rows').getBoundingClientRect();
const rows = [...document.querySelectorAll('.tl-line .row')].filter((r) => r.getBoundingClientRect().top > box.top + 30 && r.getBoundingClientRect().bottom < box.bottom);
const row = rows[Math.floor(rows.length / 2) + arguments[0]];
const want = '#' + row.id.slice(4);
const shown = () => document.querySelector('[data-testid=request-head] .number')?.textContent === want && document.querySelector('.rung.top')?.textContent.includes(want);
const afterPaint = (done) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = done;
  port2.postMessage(null);
});
const shownAfter = () => new Promise((done) => {
  const from = performance.now();
  const watch = new MutationObserver(() => {
    if (!shown()) return;
    watch.disconnect();
    afterPaint(() => done(performance.now() - from));
  });
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  row.click();
});
return (async () => {
  if (arguments[1] > 0) {
    row.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    await new Promise((done) => setTimeout(done, arguments[1]));
  }
  return shownAfter();
})()`

// pause lets the program do what it does once behind an opening: it judges the last request and replays the transcript.
const pause = `return new Promise((done) => setTimeout(() => done(true), 3000))`

// toShare brings the timeline to a share of its height.
const toShare = `
const box = document.querySelector('.rows');
box.scrollTop = box.scrollHeight * arguments[0];
return new Promise((done) => setTimeout(() => done(true), 500))`

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
	s.reads("request-head", "#10000") // it stands before a person chooses another
	s.run(pause, nil)
	end := s.chosen(0)
	s.run(toShare, nil, 0.5)
	half := s.chosen(0)
	s.run(toShare, nil, 0.75)
	rested := s.chosen(rest)
	var holes int
	s.run(scroll, &holes)
	t.Logf("in WebKitGTK: the session opens in %.0f ms (target 1 s), a request of 50,000 messages with its diff in %.0f ms, %.0f to %.0f, of 25,000 in %.0f ms, %.0f to %.0f, and of 37,500 where the pointer rested on its row before in %.0f ms, %.0f to %.0f (target 50 ms), %d empty rows while scrolling (target 0), the web process holds %d MB",
		opened, middle(end), end[0], end[len(end)-1], middle(half), half[0], half[len(half)-1], middle(rested), rested[0], rested[len(rested)-1], holes, s.webMemory()>>20)
	if holes > 0 {
		t.Errorf("%d heights without a row while scrolling", holes)
	}
	s.press("help") // the page still answers
	s.reads("help-sheet", "Command palette")
	closeReadOnly(s)
}

// rest is how long a person's pointer stands on a row before it is clicked, at least, in milliseconds.
const rest = 100

// chosen is how long each of the places took, sorted.
func (s *stage) chosen(rest int) []float64 {
	s.t.Helper()
	took := make([]float64, len(places))
	for i, place := range places {
		s.run(choose, &took[i], place, rest)
	}
	slices.Sort(took)
	return took
}

func middle(sorted []float64) float64 { return sorted[len(sorted)/2] }

// closeReadOnly ends the program by its window.
func closeReadOnly(s *stage) {
	s.t.Helper()
	processes := family(s.pid)
	_ = s.try(`setTimeout(() => window.runtime.Quit(), 0)`, nil)
	until(s.t, endTime, "no process is left behind", func() bool { return len(alive(processes)) == 0 })
}
