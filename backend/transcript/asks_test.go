package transcript

import "testing"

func TestTheSamePromptIsKnownAgainOnlyWhileItsTurnIsOpen(t *testing.T) {
	const text = "look at <zimoos> and \xff"
	tr, err := New(testHeader(Rules{}))
	if err != nil {
		t.Fatal(err)
	}
	ask := func(want bool, when string) {
		t.Helper()
		if got := tr.Asks(text); got != want {
			t.Errorf("%s: %v", when, got)
		}
	}
	ask(false, "nothing was asked")
	_ = tr.AppendUser(text, nil)
	ask(true, "it failed before an answer")
	cs, err := tr.AppendReply(Reply{Calls: []Call{{ID: "a", Function: "f", Arguments: `{}`}}})
	if err != nil {
		t.Fatal(err)
	}
	_ = tr.AppendResult(cs[0].ID, "f", "done", nil)
	ask(true, "it failed after a call")
	_, _ = tr.AppendReply(Reply{Text: "the answer"})
	ask(false, "it was answered")
	_ = tr.AppendUser("another", nil)
	ask(false, "another turn is open")
}
