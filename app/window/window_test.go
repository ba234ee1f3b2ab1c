package window

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type fake struct{ api.Service }

func (fake) Tools() ([]api.ToolInfo, error)     { return nil, nil }
func (fake) Prompt(string, []api.Picture) error { return errors.New("The session is read-only.") }

func TestABuildWithoutTheWindowSaysSo(t *testing.T) {
	err := Run(context.Background(), fake{}, bridge.NewHub(), fstest.MapFS{}, Options{})
	if !errors.Is(err, ErrNoWindow) && !errors.Is(err, ErrNoDisplay) && !errors.Is(err, ErrNoFrontEnd) {
		t.Fatalf("got %v", err)
	}
}

func TestTheFacadeAnswersInJSONAndFailsInSentences(t *testing.T) {
	readied, logged := 0, ""
	f := &Facade{ctx: context.Background(), svc: fake{}, ready: func() { readied++ }, log: func(s string) { logged = s }}
	if got, err := f.Call("Tools", "[]"); got != "[]" || err != nil {
		t.Fatalf("%s %v", got, err)
	}
	if _, err := f.Call("Prompt", `["x",[]]`); err == nil || err.Error() != "The session is read-only." {
		t.Fatalf("got %v", err)
	}
	if _, err := f.Call("Nothing", `[]`); !errors.Is(err, bridge.ErrUnknownMethod) {
		t.Fatalf("got %v", err)
	}
	if _, err := f.Call("Stop", `[]`); err == nil || logged == "" {
		t.Fatalf("a panic gave %v and logged %q", err, logged)
	}
	if readied != 1 {
		t.Fatalf("made ready %d times", readied)
	}
	broken := &Facade{ctx: context.Background(), svc: fake{}}
	if _, err := broken.Call("Tools", "[]"); err == nil {
		t.Fatal("a panic of the façade itself came through as success")
	}
}

// startPump starts a pump on source; ticks are given by hand.
func startPump(t *testing.T, source Events, seq func() uint64) (tick chan time.Time, out chan api.Event, stop func()) {
	t.Helper()
	tick, out = make(chan time.Time), make(chan api.Event, 4096)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	p := pump{events: source, seq: seq, tick: tick, emit: func(text string) {
		var event api.Event
		if err := json.Unmarshal([]byte(text), &event); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		out <- event
	}}
	go func() { defer close(done); p.run(ctx) }()
	return tick, out, func() { cancel(); <-done }
}

// source is a scripted Events: each Subscribe takes the next channel and notes the number asked for.
type source struct {
	channels chan chan api.Event
	asked    chan uint64
}

func (s source) Subscribe(after uint64) (<-chan api.Event, func()) {
	s.asked <- after
	return <-s.channels, func() {}
}

// flood sends n events from number 1 between two ticks and returns the numbers that were told.
func flood(t *testing.T, n int) (seqs []uint64) {
	t.Helper()
	src := source{make(chan chan api.Event, 1), make(chan uint64, 1)}
	events := make(chan api.Event) // unbuffered: what was taken is known to be taken
	src.channels <- events
	tick, out, stop := startPump(t, src, func() uint64 { return 0 })
	for i := range n {
		events <- api.Event{Seq: uint64(i + 1), Topic: "live", ID: "s/1"}
	}
	if len(out) != 0 {
		t.Fatal("told before the tick")
	}
	tick <- time.Time{}
	tick <- time.Time{} // the first one is done
	stop()
	close(out)
	for event := range out {
		seqs = append(seqs, event.Seq)
	}
	return seqs
}

func TestEventsWaitForTheTickAndLeaveNoHoleInTheNumbers(t *testing.T) {
	seqs := flood(t, maxBatch)
	if len(seqs) != maxBatch {
		t.Fatalf("told %d", len(seqs))
	}
	for i, seq := range seqs {
		if seq != uint64(i+1) {
			t.Fatalf("place %d holds %d", i, seq)
		}
	}
}

func TestAFloodIsToldByAHoleAndItsNewestEvents(t *testing.T) {
	if seqs := flood(t, maxBatch+1); !slices.Equal(seqs, []uint64{maxBatch + 1}) {
		t.Fatalf("told %v", seqs)
	}
	if seqs := flood(t, 10*maxBatch+2); !slices.Equal(seqs, []uint64{10*maxBatch + 1, 10*maxBatch + 2}) {
		t.Fatalf("told %v", seqs)
	}
}

func TestAGapIsToldAndReadingGoesOn(t *testing.T) {
	src := source{make(chan chan api.Event, 2), make(chan uint64, 2)}
	first, second := make(chan api.Event), make(chan api.Event)
	src.channels <- first
	src.channels <- second
	seqs := make(chan uint64, 2)
	seqs <- 0
	seqs <- 50
	tick, out, stop := startPump(t, src, func() uint64 { return <-seqs })
	first <- api.Event{Seq: 1, Topic: "state"}
	close(first)
	second <- api.Event{Seq: 51, Topic: "state"}
	tick <- time.Time{}
	tick <- time.Time{}
	stop()
	close(out)
	var got []api.Event
	for event := range out {
		got = append(got, event)
	}
	want := []api.Event{{Seq: 1, Topic: "state"}, {Seq: 50, Topic: topicGap}, {Seq: 51, Topic: "state"}}
	if !slices.Equal(got, want) {
		t.Fatalf("got %v", got)
	}
	if a, b := <-src.asked, <-src.asked; a != 0 || b != 50 {
		t.Fatalf("asked from %d and %d", a, b)
	}
}

func TestAClosedHubEndsThePump(t *testing.T) {
	hub := bridge.NewHub()
	hub.Close()
	p := pump{events: hub, seq: hub.Seq, emit: func(text string) { t.Errorf("told %s", text) }}
	p.run(context.Background()) // returns
}
