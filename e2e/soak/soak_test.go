//go:build linux

package soak

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/store"
	"zimoscope/backend/zimoos/sim"
)

const (
	// allSteps and someSteps are the main requests of the long and of the short run.
	allSteps  = 10_000
	someSteps = 240
	// workingDay is how far the session's clock goes in the long run.
	workingDay = 8 * time.Hour
	// window is the budget of history, in estimated tokens: it moves every few turns.
	window = 12_000
	// heapSlack is what the collector may leave between two samples, in bytes.
	heapSlack = 2 << 20
	// kept is how many bytes of the heap one byte of the conversation may cost: itself, its hashes, and where it stands.
	kept = 2
)

// sample is what the process holds after a number of steps.
type sample struct {
	steps                          int
	clock                          time.Duration
	heap                           uint64
	conversation                   int // bytes of the messages, which a session keeps
	files, goroutines, descendants int
	store                          int64
}

func (s sample) String() string {
	return fmt.Sprintf("%6d steps, %8s by the clock: heap %6.2f MB (conversation %6.2f MB), %d files, %d goroutines, %d processes, store %6.2f MB",
		s.steps, s.clock.Round(time.Minute), mb(s.heap), mb(uint64(s.conversation)), s.files, s.goroutines, s.descendants, mb(uint64(s.store)))
}

func mb(n uint64) float64 { return float64(n) / (1 << 20) }

func TestAWorkingDayLeavesNothingBehind(t *testing.T) {
	steps := someSteps
	if os.Getenv("ZIMOSCOPE_SLOW") == "1" {
		steps = allSteps
	}
	r := newRig(t, steps)
	defer r.close()
	samples := []sample{}
	for next := steps / 10; r.steps < steps; {
		if _, err := r.agent.Prompt(context.Background(), fmt.Sprintf("Look again, please: round %d.", r.steps), nil); err != nil {
			t.Fatalf("after %d steps: %v", r.steps, err)
		}
		if r.steps >= next {
			samples = append(samples, r.sample())
			t.Log(samples[len(samples)-1])
			next += steps / 10
		}
	}
	if r.bad != "" {
		t.Error(r.bad)
	}
	if r.moves == 0 {
		t.Error("the window never moved")
	}
	first, last := samples[1], samples[len(samples)-1]
	if last.files > first.files || last.goroutines > first.goroutines || last.descendants != first.descendants {
		t.Errorf("handles, goroutines or processes grew:\n%v\n%v", first, last)
	}
	allowed := first.heap + heapSlack + kept*uint64(last.conversation-first.conversation)
	if last.heap > allowed {
		t.Errorf("the heap grew from %.2f to %.2f MB, %.0f bytes a step", mb(first.heap), mb(last.heap), float64(last.heap-first.heap)/float64(last.steps-first.steps))
	}
	if steps == allSteps && last.clock < workingDay*9/10 {
		t.Errorf("only %v passed by the clock", last.clock)
	}
}

// rig is a session on real processes.
type rig struct {
	t       *testing.T
	dir     string
	began   time.Time
	now     time.Time
	steps   int
	moves   int
	bad     string
	cmd     *exec.Cmd
	client  *provider.Client
	box     *toolbox.Box
	journal *store.Session
	agent   *agent.Session
}

func newRig(t *testing.T, steps int) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), began: time.Date(2026, 3, 28, 20, 0, 0, 0, time.UTC)} // past midnight, and over a change of clocks
	r.now = r.began
	base := r.provider()
	profile, err := provider.ProfileFor("llamacpp", base, "scripted-soak")
	r.must(err)
	r.client, err = provider.New(provider.Config{BaseURL: base, Model: "scripted-soak", Profile: profile})
	r.must(err)
	self, err := os.Executable()
	r.must(err)
	server := func(name, which string) toolbox.ServerConfig {
		return toolbox.ServerConfig{Name: name, Command: self, Env: map[string]string{childVariable: which}}
	}
	var reports []toolbox.StartReport
	r.box, reports = toolbox.Start(context.Background(), []toolbox.ServerConfig{server("zimoos", sim.ServerZimoOS), server("files", sim.ServerFiles)}, toolbox.Options{})
	for _, x := range reports {
		if !x.OK {
			t.Fatalf("%s: %s\n%s", x.Server, x.Message, x.StderrTail)
		}
	}
	st, err := store.New(r.dir)
	r.must(err)
	r.journal, err = st.Create(store.Info{Name: "soak"})
	r.must(err)
	tick := workingDay / time.Duration(3*steps) // the clock is asked a little more than twice a request
	r.agent, err = agent.New(agent.Options{Model: r.client, Tools: r.box, Journal: r.journal, Profile: profile, ModelName: "scripted-soak", Thread: r.journal.ID,
		ContextTokens: window, Observer: r.observe, Now: func() time.Time { r.now = r.now.Add(tick); return r.now }})
	r.must(err)
	return r
}

// provider starts the scripted model in a process of its own, so that its memory is not taken for ours.
func (r *rig) provider() (base string) {
	r.t.Helper()
	r.cmd = exec.Command(os.Args[0])
	r.cmd.Env = append(os.Environ(), childVariable+"="+childProvider)
	r.cmd.Stderr = os.Stderr
	out, err := r.cmd.StdoutPipe()
	r.must(err)
	r.must(r.cmd.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		r.t.Fatal("the scripted model did not start")
	}
	return lines.Text()
}

func (r *rig) observe(e agent.Event) {
	switch e.Kind {
	case agent.EventWindow:
		r.moves++
	case agent.EventResponse:
		if e.Record.Meta.Kind == verdict.KindMain {
			r.steps++
		}
		if e.Record.Violation() || e.Record.Proof != agent.ProofHolds || e.Err != nil {
			r.bad = fmt.Sprintf("request %d: %s, %s, %v", e.Record.N, e.Record.Verdict.Verdict, e.Record.Proof, e.Err)
		}
	}
}

func (r *rig) close() {
	r.must(r.box.Close())
	r.client.Close()
	r.must(r.journal.Close())
	r.must(r.cmd.Process.Kill())
	_ = r.cmd.Wait() // killed is what it is to be
	if n := descendants(r.t, os.Getpid()); n != 0 {
		r.t.Errorf("%d processes are left", n)
	}
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) sample() sample {
	r.t.Helper()
	s := sample{steps: r.steps, clock: r.now.Sub(r.began), conversation: len(r.agent.Transcript().JSONL()), descendants: descendants(r.t, os.Getpid())}
	files, err := os.ReadDir("/proc/self/fd")
	r.must(err)
	s.files = len(files) - 1 // but for the one that reads the folder
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one found to be finalised
	runtime.ReadMemStats(&m)
	s.heap, s.goroutines = m.HeapAlloc, runtime.NumGoroutine()
	info, err := os.Stat(filepath.Join(r.dir, r.journal.ID+".zimo"))
	r.must(err)
	s.store = info.Size()
	return s
}

// descendants counts the processes below one.
func descendants(t *testing.T, pid int) (n int) {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		raw, _ := os.ReadFile(list) // a thread that ended meanwhile has none
		for _, child := range strings.Fields(string(raw)) {
			var id int
			if _, err := fmt.Sscan(child, &id); err == nil {
				n += 1 + descendants(t, id)
			}
		}
	}
	return n
}
