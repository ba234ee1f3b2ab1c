package agent

import (
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/agent/toolbox"
)

// dieWhileStaged ends the program at the pause before the next request: what was announced for it is in memory only.
func (r *rig) dieWhileStaged(prompt string) {
	r.t.Helper()
	st := NewStepper()
	st.Set(Breakpoints{BeforeRequest: true})
	r.s.o.Stepper = st
	r.s.o.Observer = func(e Event) {
		r.observe(e)
		if e.Kind == EventPaused {
			st.Abandon()
		}
	}
	if _, err := r.prompt(prompt); err == nil {
		r.t.Fatal("the request was not abandoned")
	}
	r.reopen()
}

func TestToolsAnnouncedForARequestThatWasNeverSentAreAnnouncedAgain(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{text: "hello"}, {text: "again"}}
	r.must("one")
	r.tools.extra, r.tools.changed = []toolbox.Tool{{Server: "os", Name: "new.tool"}}, true
	r.dieWhileStaged("two")
	r.must("three")
	if got := r.audit(); !slices.Contains(got, "tools-changed") {
		t.Fatal(got)
	}
}

func TestAWindowMovedForARequestThatWasNeverSentIsAnnouncedAgain(t *testing.T) {
	r := newRig(t, Options{ContextTokens: 1500})
	for range 6 {
		r.model.replies = append(r.model.replies, reply{text: "Summary: " + strings.Repeat("word ", 30), calls: acts(`{}`)})
	}
	r.model.replies = append(r.model.replies, reply{text: "end"}, reply{text: "more"})
	r.must("go")
	r.dieWhileStaged(strings.Repeat("a long question ", 100))
	hidden := r.s.announce
	r.must("go on")
	if got := r.audit(); len(hidden) == 0 || got[len(got)-1] != "windowed" {
		t.Fatalf("%d announced, verdicts %v", len(hidden), got)
	}
}
