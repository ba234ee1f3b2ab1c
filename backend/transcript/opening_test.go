package transcript

import (
	"reflect"
	"testing"
)

// What a list of requests shows of a stored transcript is what a replay knows: the header that holds, and whether the last
// message is an answer. Calls are none.
func TestAnOpeningSaysWhatAReplayKnows(t *testing.T) {
	tr, err := New(testHeader(Rules{}))
	if err != nil {
		t.Fatal(err)
	}
	var stored [][]byte
	opened := func(when string, open bool) {
		t.Helper()
		for _, e := range tr.Drain() {
			stored = append(stored, e.Encode())
		}
		o, err := Opening(stored)
		if err != nil || o.TurnOpen != open || tr.TurnOpen() != open || !reflect.DeepEqual(o.Header, tr.Header()) || len(o.Prompts) != tr.Turns() {
			t.Errorf("%s: %+v %v, it is %+v", when, o, err, tr.Header())
		}
	}
	opened("new", false)
	_ = tr.AppendUser(`say "t":"header" and "r":"user"`, nil)
	opened("asked", true)
	cs, err := tr.AppendReply(Reply{Calls: []Call{{ID: "a", Function: "f", Arguments: `{}`}}})
	if err != nil {
		t.Fatal(err)
	}
	opened("calls", true)
	_ = tr.AppendResult(cs[0].ID, "f", "done", nil)
	opened("a result", true)
	_, _ = tr.AppendReply(Reply{Text: "the answer"})
	opened("an answer", false)
	other := tr.Header()
	other.System += " Another one."
	if err := tr.Rehead(other); err != nil {
		t.Fatal(err)
	}
	opened("another header", false)
	if tr.Header().System != other.System {
		t.Error("the header did not change: the case is not tested")
	}
}
