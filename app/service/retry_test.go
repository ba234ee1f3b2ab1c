package service

import (
	"testing"

	"zimoscope/app/api"
)

// abandoned is a session with one prompt whose request was abandoned.
func abandoned(t *testing.T, text string) (*desk, string) {
	t.Helper()
	d := newDesk(t)
	info, err := d.s.create(api.NewSession{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	if snap, err := d.s.Snapshot(); err != nil || snap.State.Retryable {
		t.Fatalf("%v: nothing was asked that could be tried again: %+v", err, snap.State)
	}
	if err := d.s.SetBreakpoints(api.Breakpoints{BeforeRequest: true}); err != nil {
		t.Fatal(err)
	}
	if err := d.s.Prompt(text, nil); err != nil {
		t.Fatal(err)
	}
	if snap := d.until("the pause", func(s api.Snapshot) bool { return s.State.Staged }); snap.State.Retryable {
		t.Error("a turn that runs can be tried again")
	}
	if err := d.s.Abandon(); err != nil {
		t.Fatal(err)
	}
	d.until("the end", idle)
	if err := d.s.SetBreakpoints(api.Breakpoints{}); err != nil {
		t.Fatal(err)
	}
	return d, info.ID
}

// answered runs to the end and holds that the prompt was asked once.
func (d *desk) answered(id, text string) {
	d.t.Helper()
	if snap := d.until("the answer", idle); snap.State.Retryable || snap.State.Error != "" {
		d.t.Errorf("an answered prompt: %+v", snap.State)
	}
	tl, err := d.s.Timeline(id)
	if err != nil || len(tl.Rows) == 0 || len(tl.Turns) != 1 || tl.Turns[0].Prompt != text {
		d.t.Fatalf("%v %+v", err, tl.Turns)
	}
	view, err := d.s.Request(api.RequestRef{Session: id, N: 1})
	if err != nil {
		d.t.Fatal(err)
	}
	users := 0
	for _, m := range view.Messages {
		if m.Role == "user" {
			users++
		}
	}
	if users != 1 {
		d.t.Errorf("the first request holds %d messages of the user", users)
	}
}

func TestAnAbandonedPromptIsTriedAgainByRetry(t *testing.T) {
	d, id := abandoned(t, "Buy milk")
	if snap, err := d.s.Snapshot(); err != nil || !snap.State.Retryable || snap.State.Error != "" {
		t.Fatalf("%v %+v", err, snap.State)
	}
	if err := d.s.Retry(); err != nil {
		t.Fatal(err)
	}
	d.answered(id, "Buy milk")
}

func TestTheSameWordsAfterAStopAreNotAskedTwiceAlsoAfterReopening(t *testing.T) {
	d, id := abandoned(t, "Buy milk")
	other, err := d.s.create(api.NewSession{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	if snap, err := d.s.Snapshot(); err != nil || snap.Current != other.ID || snap.State.Retryable {
		t.Fatalf("%v: another session has nothing to try again: %+v", err, snap.State)
	}
	if _, err := d.s.Open(id); err != nil {
		t.Fatal(err)
	}
	if snap, err := d.s.Snapshot(); err != nil || !snap.State.Retryable {
		t.Fatalf("%v: it was forgotten: %+v", err, snap.State)
	}
	if err := d.s.Prompt("Buy milk", nil); err != nil {
		t.Fatal(err)
	}
	d.answered(id, "Buy milk")
}
