package agent

import (
	"errors"
	"strings"
	"testing"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/safely"
)

type brokenPredictor struct{ asked int }

func (b *brokenPredictor) Predict(*verdict.Request) *Prediction {
	b.asked++
	panic("sk-secret")
}

// A prediction that panics costs the predictions, and says so; the turn goes on.
func TestAPredictionThatPanicsCostsNoTurn(t *testing.T) {
	p := &brokenPredictor{}
	r := newRig(t, Options{Predictor: p})
	r.model.replies = []reply{{text: "Summary: it looked.\nDone."}, {text: "Again."}}
	r.must("go")
	r.must("go on")
	notes := ""
	for _, e := range r.events {
		if e.Kind == EventNote {
			notes += e.Text + "\n"
		}
	}
	if p.asked != 1 || strings.Count(notes, "the program made a mistake (") != 1 || strings.Contains(notes, "secret") {
		t.Errorf("asked %d times: %q", p.asked, notes)
	}
}

// A call that panics ends the turn as its error. Each call of the response has its result, all of it is stored, and the
// next turn goes on from there.
func TestAPanicInATurnIsItsErrorAndLeavesAValidConversation(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{calls: append(acts(`{"cmd":"a"}`), acts(`{"cmd":"b"}`)...)}, {text: "Summary: it was cut.\nHere again."}}
	r.tools.hook = func(string) { panic("sk-secret") }
	_, err := r.prompt("go")
	var own *safely.Mistake
	if !errors.As(err, &own) || strings.Contains(err.Error(), "secret") {
		t.Fatal(err)
	}
	if open := r.s.t.Open(); len(open) != 0 {
		t.Errorf("%d calls have no result", len(open))
	}
	r.tools.hook = nil
	r.reopen()
	if got := r.must("go on"); !strings.Contains(got, "Here again.") {
		t.Errorf("%q", got)
	}
	for _, v := range r.audit() {
		if v != string(verdict.First) && v != string(verdict.Extended) && v != string(verdict.Sealed) {
			t.Errorf("%q", r.audit())
		}
	}
}

// What panics between two calls, here while the model's answer is read, ends its turn as its error too; the same prompt is
// tried again.
func TestAPanicOutsideACallIsTheTurnsError(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{hook: func() { panic("sk-secret") }}, {text: "Here again."}}
	_, err := r.prompt("go")
	var own *safely.Mistake
	if !errors.As(err, &own) || strings.Contains(err.Error(), "secret") || !r.s.Interrupted() {
		t.Fatal(err)
	}
	if got, err := r.s.Retry(t.Context()); err != nil || !strings.Contains(got, "Here again.") {
		t.Errorf("%q %v", got, err)
	}
}
