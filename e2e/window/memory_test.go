//go:build window

package window

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

const (
	// warm and sweeps are how often everything that scrolls is scrolled through before and after memory is first looked
	// at; longSweeps is the long form, ZIMOSCOPE_SLOW=1.
	warm       = 40
	sweeps     = 120
	longSweeps = 4000
	// webGrowth is what the web process may hold more after that, in bytes: its caches, not what it scrolled past.
	webGrowth = 64 << 20
)

// sweep scrolls every part of the page that scrolls from end to end, and opens rows of the timeline on the way.
const sweep = `
const boxes = [...document.querySelectorAll('*')].filter((e) => e.scrollHeight > e.clientHeight + 40);
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
return (async () => {
  for (let i = 0; i < arguments[0]; i++) {
    for (const b of boxes) b.scrollTop = i % 2 ? 0 : b.scrollHeight;
    const rows = document.querySelectorAll('.row');
    if (rows.length) rows[i % rows.length].click();
    await painted();
  }
  return document.querySelectorAll('*').length;
})()`

// TestScrollingForLongLeavesNothingBehind holds the real web process to a ceiling, and the page to its number of nodes.
func TestScrollingForLongLeavesNothingBehind(t *testing.T) {
	s := open(t)
	s.played()
	s.reads("pane-history", "Summary")
	times := sweeps
	if os.Getenv("ZIMOSCOPE_SLOW") == "1" {
		times = longSweeps
	}
	var before, after int
	s.run(sweep, &before, warm)
	first := s.webMemory()
	for done := 0; done < times; done += warm {
		s.run(sweep, &after, warm)
	}
	last := s.webMemory()
	t.Logf("%d sweeps: the web process holds %d MB, then %d MB; the page has %d nodes, then %d", times, first>>20, last>>20, before, after)
	if last > first+webGrowth {
		t.Errorf("the web process grew from %d to %d MB", first>>20, last>>20)
	}
	if after > before*3/2 {
		t.Errorf("the page grew from %d to %d nodes", before, after)
	}
	closeWindow(s)
}

// TestTheWebProcessIsTheOneThatPaintsEverywhere: with some drivers the renderer that WebKit prefers shows an empty window,
// so it is off unless the user said otherwise. The drivers themselves are not at hand.
func TestTheWebProcessIsTheOneThatPaintsEverywhere(t *testing.T) {
	s := open(t)
	s.reads("timeline", "1")
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", s.web()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(env, []byte("WEBKIT_DISABLE_DMABUF_RENDERER=1\x00")) {
		t.Error("the web process runs with the renderer that leaves windows white on some drivers")
	}
	closeWindow(s)
}

// web is the process that holds the page.
func (s *stage) web() int {
	s.t.Helper()
	for pid, name := range family(s.pid) {
		if strings.HasPrefix(name, "WebKitWebProces") {
			return pid
		}
	}
	s.t.Fatalf("there is no web process: %v", family(s.pid))
	return 0
}

// webMemory is what the web process holds for itself alone, in bytes.
func (s *stage) webMemory() int64 {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", s.web()))
	if err != nil {
		s.t.Fatal(err)
	}
	var total int64
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, "Private_Dirty: %d kB", &kilobytes); err == nil {
			total += kilobytes << 10
		}
	}
	return total
}
