package service

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
	"zimoscope/backend/store"
	"zimoscope/backend/zimoos/sim"
)

// TestMain plays the simulator's processes when a demo session starts this test binary as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "sim" {
		o := sim.Options{Seed: 1, Server: sim.ServerZimoOS}
		if len(os.Args) > 3 {
			o.Server = os.Args[3]
		}
		if err := sim.ServeStdio(context.Background(), o, os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if err := os.Setenv("ZIMOSCOPE_DEMO_FAST", "1"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// desk is a service with a front end's view of its events.
type desk struct {
	t   *testing.T
	s   *Service
	hub *bridge.Hub
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	st, err := store.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	hub := bridge.NewHub()
	d := &desk{t: t, hub: hub, s: New(Options{Store: st, Events: hub, Shell: "serve", Program: self})}
	t.Cleanup(func() {
		hub.Close()
		if err := d.s.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// until waits for an event after which cond holds. Events are published after what they tell of can be read.
func (d *desk) until(what string, cond func(api.Snapshot) bool) api.Snapshot {
	d.t.Helper()
	deadline := time.After(time.Minute)
	events, stop := d.hub.Subscribe(d.hub.Seq())
	defer stop()
	for {
		snap, err := d.s.Snapshot()
		if err != nil {
			d.t.Fatal(err)
		}
		if cond(snap) {
			return snap
		}
		select {
		case _, ok := <-events:
			if !ok {
				d.t.Fatalf("the hub closed while waiting for %s", what)
			}
		case <-deadline:
			d.t.Fatalf("waiting for %s: %+v", what, snap.State)
		}
	}
}

func idle(s api.Snapshot) bool { return s.State.Phase == "idle" }

func (d *desk) demo() string {
	d.t.Helper()
	info, err := d.s.Create(api.NewSession{Demo: true, Lang: "en"})
	if err != nil {
		d.t.Fatal(err)
	}
	return info.ID
}

func TestADemoSessionAnswersEveryQuestionOfTheWindow(t *testing.T) {
	d := newDesk(t)
	id := d.demo()
	snap := d.until("the end of the demo", idle)
	if snap.State.Error != "" || snap.Current != id || snap.State.ZimoOS != "simulator" || !snap.State.Provider.Scripted || len(snap.State.Servers) != 2 {
		t.Fatalf("%+v", snap.State)
	}
	tl, err := d.s.Timeline(id)
	if err != nil || len(tl.Rows) < 10 || len(tl.Turns) != 2 || tl.Figures.Violations != 0 || tl.Figures.Proved != len(tl.Rows) {
		t.Fatalf("%v %+v", err, tl.Figures)
	}
	for _, r := range tl.Rows {
		if sum := r.Prefix + r.Equal + r.New + r.Tail; sum < r.Bytes-2 || sum > r.Bytes {
			t.Errorf("request %d: segments make %d of %d bytes", r.N, sum, r.Bytes)
		}
		d.lookAt(id, r)
	}
	red := map[string]*bool{}
	for _, l := range tl.Redlines {
		red[l.ID] = l.OK
	}
	for _, rule := range []string{"A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A11", "A12"} {
		if red[rule] == nil || !*red[rule] {
			t.Errorf("%s is not held", rule)
		}
	}
	if red["A13"] != nil {
		t.Error("a simulated session claims A13")
	}
	d.reopened(id, tl)
}

// lookAt asks for everything that the window shows of one request.
func (d *desk) lookAt(id string, r api.RequestRow) {
	t, ref := d.t, api.RequestRef{Session: id, N: r.N}
	t.Helper()
	v, err := d.s.Request(ref)
	if err != nil || v.Row.N != r.N || len(v.Tools) < 8 || len(v.Messages) == 0 {
		t.Fatalf("request %d: %v", r.N, err)
	}
	if r.N > 1 && (!v.Carrier.Present || v.Carrier.Frame == nil || v.Carrier.Frame.Cursor == "" || len(v.Carrier.Frame.Lists) == 0) {
		t.Errorf("request %d: carrier %+v", r.N, v.Carrier)
	}
	for _, m := range v.Messages {
		if strings.Contains(m.Text, "<zimoos") {
			t.Errorf("request %d shows the block in message %d", r.N, m.Index)
		}
		if m.Role == "tool" && m.Record != nil && m.Record.Tool == "" {
			t.Errorf("request %d: a record without its tool: %+v", r.N, m.Record)
		}
	}
	body, err := d.s.Body(ref, 0)
	if err != nil || body.Total != r.Bytes || len(body.SHA256) != 64 || !json.Valid([]byte(body.Text)) {
		t.Fatalf("body %d: %v", r.N, err)
	}
	if _, err := d.s.Response(ref, 0); err != nil {
		t.Errorf("response %d: %v", r.N, err)
	}
	if curl, err := d.s.Curl(ref); err != nil || !strings.Contains(curl, "$OPENAI_API_KEY") || !strings.Contains(curl, "/v1/chat/completions") {
		t.Errorf("curl %d: %v %.80s", r.N, err, curl)
	}
	if v.Row.Base > 0 {
		diff, err := d.s.Diff(api.RequestRef{Session: id, N: v.Row.Base}, ref)
		if err != nil || len(diff.Rungs) == 0 || len(diff.Hunks) == 0 || diff.Verdict.Verdict != r.Verdict {
			t.Errorf("diff of %d: %v %+v", r.N, err, diff.Verdict)
		}
		if v.Diff == nil || !reflect.DeepEqual(*v.Diff, diff) {
			t.Errorf("request %d comes with another diff than is given when it is asked for: %+v, %+v", r.N, v.Diff, diff)
		}
	}
}

// reopened closes the session, opens it again and expects the same timeline, from the store alone.
func (d *desk) reopened(id string, before api.Timeline) {
	t := d.t
	t.Helper()
	if err := d.s.Rename(id, "Renamed"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.s.create(api.NewSession{Demo: true, Lang: "zh"}); err != nil {
		t.Fatal(err)
	}
	info, err := d.s.Open(id)
	if err != nil || info.Name != "Renamed" || info.Requests != len(before.Rows) {
		t.Fatalf("%+v %v", info, err)
	}
	after, err := d.s.Timeline(id)
	if err != nil {
		t.Fatal(err)
	}
	newest := after.Rows[len(after.Rows)-1]
	if live, err := d.s.Live(id); err != nil || live.Request != newest.N || !live.Done || !strings.Contains(live.Text, "Weekend shopping") {
		t.Errorf("the answer to the newest request is not shown after reopening: %v %+v", err, live)
	}
	a, b := before, after
	a.Rev, b.Rev, a.Figures.StoreBytes, b.Figures.StoreBytes, a.Redlines, b.Redlines = 0, 0, 0, 0, nil, nil
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		t.Errorf("the timeline differs after reopening:\n%s\n%s", x, y)
	}
	if err := d.s.Delete(id); err != nil {
		t.Fatal(err)
	}
	if snap, _ := d.s.Snapshot(); len(snap.Sessions) != 1 || snap.Current != "" {
		t.Errorf("%+v", snap)
	}
}

func TestSteppingHoldsARequestUntilItIsLetGo(t *testing.T) {
	d := newDesk(t)
	info, err := d.s.create(api.NewSession{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.s.SetBreakpoints(api.Breakpoints{BeforeRequest: true}); err != nil {
		t.Fatal(err)
	}
	if err := d.s.Prompt("What is on the screen?", nil); err != nil {
		t.Fatal(err)
	}
	paused := func(s api.Snapshot) bool { return s.State.Phase == "paused" && s.State.Staged }
	snap := d.until("the first pause", paused)
	if snap.State.PausedAt != "request" || snap.State.Request != 1 {
		t.Fatalf("%+v", snap.State)
	}
	v, err := d.s.Request(api.RequestRef{Session: info.ID, N: 1})
	if err != nil || !v.Row.Staged || !v.Model.Claimed {
		t.Fatalf("%v %+v", err, v.Row)
	}
	if err := d.s.Prompt("again", nil); err == nil {
		t.Fatal("a second prompt was taken while one runs")
	}
	res, err := d.s.CallTool(context.Background(), "zimoos", "zimoos.current", "{}")
	if err != nil || res.State != "ok" || res.Frame == nil {
		t.Fatalf("%v %+v", err, res)
	}
	d.until("the request to be staged anew", func(s api.Snapshot) bool {
		v, err := d.s.Request(api.RequestRef{Session: info.ID, N: 1})
		return err == nil && paused(s) && v.Carrier.Present
	})
	if err := d.s.Continue(); err != nil {
		t.Fatal(err)
	}
	d.until("the second pause", func(s api.Snapshot) bool { return paused(s) && s.State.Request == 2 })
	if err := d.s.Abandon(); err != nil {
		t.Fatal(err)
	}
	d.until("the end", idle)
	tl, err := d.s.Timeline(info.ID)
	if err != nil || len(tl.Rows) != 1 || tl.Rows[0].Staged {
		t.Fatalf("%v %+v", err, tl.Rows)
	}
	rows, err := d.s.Traffic(0)
	if err != nil || len(rows) < 6 {
		t.Fatalf("%v %d", err, len(rows))
	}
	if text, err := d.s.TrafficText(rows[0].Seq); err != nil || !strings.Contains(text, "jsonrpc") {
		t.Fatalf("%v %q", err, text)
	}
}

func TestPagesCutBetweenCharacters(t *testing.T) {
	long := []byte(strings.Repeat("中", api.PageSize/3+100))
	first := page(long, 0)
	second := page(long, len(first.Text))
	if first.Text+second.Text != string(long) || first.Binary || second.Offset != len(first.Text) {
		t.Fatal("the pages don't join to the text")
	}
	if p := page([]byte{0xff, 0xfe, 'a'}, 0); !p.Binary || !strings.HasSuffix(p.Text, "a") {
		t.Fatalf("%+v", p)
	}
	if p := page(nil, 99); p.Total != 0 || p.Text != "" {
		t.Fatalf("%+v", p)
	}
}
