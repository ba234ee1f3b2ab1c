package requestview

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
	"zimoscope/backend/zimoos"
)

var cacheMarks = []transcript.CacheMark{transcript.CacheControl, transcript.PromptBreakpoint}

func marking(t *testing.T, p transcript.Placement, e transcript.EmptyContent, m transcript.CacheMark) *transcript.Transcript {
	t.Helper()
	h := session(t, p, e).Header()
	h.Rules.CacheMark = m
	tr, err := transcript.New(h)
	must(t, err)
	return tr
}

func withoutMark(t *testing.T, msg []byte) string {
	t.Helper()
	plain, _ := verdict.WithoutMarks(msg)
	return string(plain)
}

func TestMarkByPlacementEmptyContentAndLastRole(t *testing.T) {
	for _, m := range cacheMarks {
		for _, e := range []transcript.EmptyContent{transcript.ContentNull, transcript.ContentEmpty, transcript.ContentAbsent} {
			for _, p := range placements {
				for _, last := range []string{"user", "pending", "ordinary behind pending", "assistant"} {
					tr := marking(t, p, e, m)
					must(t, tr.AppendUser("Open \"Notes\"", nil))
					switch last {
					case "pending", "assistant":
						operate(t, tr, "", "c1")
					case "ordinary behind pending":
						calls, err := tr.AppendReply(transcript.Reply{Calls: []transcript.Call{{ID: "a", Function: "f", Arguments: "{}"}, {ID: "b", Function: "f", Arguments: "{}"}}})
						must(t, err)
						must(t, tr.AppendOperation(transcript.Operation{CallID: calls[0].ID, Tool: "zimoos.act", Arguments: "{}", Outcome: transcript.OK}))
						must(t, tr.AppendResult(calls[1].ID, "notes", "three", nil))
					}
					want := 1 // the user's message
					if last == "assistant" {
						must(t, tr.Seal("s", transcript.FromNarration))
						_, err := tr.AppendReply(transcript.Reply{Text: "done"})
						must(t, err)
						want = 3 // the sealed record
					}
					if last == "user" && p != transcript.Separate {
						want = 0 // the user's message carries the block
					}
					checkMark(t, fmt.Sprint(m, "/", e, "/", p, "/", last), tr, m, want)
				}
			}
		}
	}
}

// checkMark builds a request and looks at its one mark.
func checkMark(t *testing.T, name string, tr *transcript.Transcript, m transcript.CacheMark, want int) {
	t.Helper()
	before := tr.View()
	frozen := bytes.Clone(bytes.Join(messagesIn(before), []byte("\n")))
	v := Build(Input{Transcript: before, Slot: slotWith("c1"), Notices: []string{"n"}})
	scanned, err := wire.Scan(v.Body.Raw)
	must(t, err)
	if scanned.Last() != v.Body.Last() || scanned.Rest != v.Body.Rest {
		t.Errorf("%s: claimed chain differs from the scanned one", name)
	}
	if !bytes.Equal(frozen, bytes.Join(messagesIn(before), []byte("\n"))) {
		t.Errorf("%s: the frozen log changed", name)
	}
	for i := range scanned.Messages.Len() {
		msg := scanned.Bytes(wire.KindMessage, i)
		if marked := bytes.Contains(msg, []byte(`"`+m+`"`)); marked != (i == want) {
			t.Errorf("%s: message %d, marked %v: %s", name, i, marked, msg)
		}
		if i < before.Frozen && i != scanned.Messages.Len()-1 && withoutMark(t, msg) != string(before.Log.Message(i)) {
			t.Errorf("%s: the mark changed more than itself: %s", name, msg)
		}
	}
	if strings.Count(string(v.Body.Raw[v.TailOffset:]), string(m)) != 0 {
		t.Errorf("%s: a mark in the tail", name)
	}
	events := func(i int) (int, int) { return i + 1, 0 }
	for i := range scanned.Messages.Len() {
		if n, _ := v.Source(events)(i); (n == 0) != (i == want) {
			t.Errorf("%s: message %d is said to be kept as event %d", name, i, n)
		}
	}
	side := SummaryStep(v)
	if s, err := wire.Scan(side.Body.Raw); err != nil || s.Last() != side.Body.Last() || side.TailOffset != v.TailOffset || !bytes.HasPrefix(side.Body.Raw, v.Body.Raw[:v.TailOffset]) {
		t.Errorf("%s: the summary step differs before its tail: %v", name, err)
	}
}

func messagesIn(v transcript.View) (list [][]byte) {
	for i := range v.Frozen {
		list = append(list, v.Log.Message(i))
	}
	return list
}

// Random sessions with and without marks say the same, message by message; with marks every request is planned, extends
// or seals the one before, and breaks no redline.
func TestRandomSessionsWithMarksAreTheSameSessions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		place := rapid.SampledFrom(placements).Draw(rt, "placement")
		mark := rapid.SampledFrom(cacheMarks).Draw(rt, "mark")
		plain, marked := session(t, place, ""), marking(t, place, "", mark)
		checker := verdict.NewChecker()
		slot := zimoos.Slot{}
		n := 0
		send := func() {
			n++
			a := Build(Input{Transcript: plain.View(), Slot: slot})
			b := Build(Input{Transcript: marked.View(), Slot: slot})
			saysTheSame(rt, a, b)
			holds(rt, checker, b, n)
		}
		both := func(do func(*transcript.Transcript) error) {
			for _, tr := range []*transcript.Transcript{plain, marked} {
				if err := do(tr); err != nil {
					rt.Fatal(err)
				}
			}
		}
		seal := func() {
			if _, pending := plain.Pending(); pending {
				both(func(tr *transcript.Transcript) error { return tr.Seal("did it", transcript.FromNarration) })
			}
		}
		for turn := range rapid.IntRange(1, 3).Draw(rt, "turns") {
			both(func(tr *transcript.Transcript) error { return tr.AppendUser(fmt.Sprint("prompt ", turn, ` "<`), nil) })
			send()
			for step := range rapid.IntRange(0, 4).Draw(rt, "steps") {
				seal()
				calls := rapid.IntRange(1, 3).Draw(rt, "calls")
				kinds := rapid.SliceOfN(rapid.Bool(), calls, calls).Draw(rt, "operations")
				cursor := fmt.Sprint("c", turn, "-", step)
				both(func(tr *transcript.Transcript) error { return stepOf(tr, kinds, cursor) })
				for _, op := range kinds {
					if op {
						slot.Remember()
						slot.Offer(&zimoos.Frame{Cursor: cursor}, "zimoos.act", "c", uint64(n+1))
					}
				}
				send()
			}
			seal()
			both(func(tr *transcript.Transcript) error {
				_, err := tr.AppendReply(transcript.Reply{Text: "done"})
				return err
			})
		}
	})
}

// saysTheSame compares a request with its marked twin.
func saysTheSame(rt *rapid.T, plain, marked *View) {
	if plain.Body.Messages.Len() != marked.Body.Messages.Len() {
		rt.Fatalf("%d messages, %d with marks", plain.Body.Messages.Len(), marked.Body.Messages.Len())
	}
	for i := range plain.Body.Messages.Len() {
		x, y := plain.Body.Bytes(wire.KindMessage, i), marked.Body.Bytes(wire.KindMessage, i)
		if verdict.TextOf(x) != verdict.TextOf(y) || string(verdict.OneText(y)) != string(verdict.OneText(x)) {
			rt.Fatalf("message %d:\n%s\n%s", i, x, y)
		}
	}
}

// holds judges request n by its bytes alone.
func holds(rt *rapid.T, checker *verdict.Checker, v *View, n int) {
	tail := v.TailOffset
	if v.Carrier == NoCarrier {
		tail = -1
	}
	body, err := wire.Scan(v.Body.Raw)
	if err != nil {
		rt.Fatal(err)
	}
	res := checker.Add(&verdict.Request{Body: body, Number: n, Meta: &verdict.Meta{Thread: "t", Kind: verdict.KindMain, Predecessor: n - 1, TailOffset: tail}})
	if res.Verdict.Violation() || n > 1 && res.Verdict.Verdict != verdict.Extended && res.Verdict.Verdict != verdict.Sealed {
		rt.Fatalf("request %d: %s %+v\n%s", n, res.Verdict.Verdict, res.Verdict.Causes, body.Raw)
	}
	for _, l := range res.Redlines {
		if l.OK != nil && !*l.OK {
			rt.Fatalf("request %d breaks %s: %s", n, l.ID, l.Detail)
		}
	}
}

// stepOf appends a response of several calls with their results: operations and ordinary ones.
func stepOf(tr *transcript.Transcript, operations []bool, cursor string) error {
	var r transcript.Reply
	for i, op := range operations {
		fn := "notes"
		if op {
			fn = "zimoos_x2e_act"
		}
		r.Calls = append(r.Calls, transcript.Call{ID: fmt.Sprint("c", i), Function: fn, Arguments: "{}"})
	}
	calls, err := tr.AppendReply(r)
	for i, op := range operations {
		if err != nil {
			return err
		}
		if !op {
			err = tr.AppendResult(calls[i].ID, "notes", "three notes", nil)
			continue
		}
		err = tr.AppendOperation(transcript.Operation{CallID: calls[i].ID, Tool: "zimoos.act", Arguments: "{}", Outcome: transcript.OK, Frame: &zimoos.Frame{Cursor: cursor, Title: "T"}})
	}
	return err
}
