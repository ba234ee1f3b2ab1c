package transcript

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"zimoscope/backend/requestview/wire"
)

// step appends a call and its result, sealed.
func step(t *testing.T, tr *Transcript, n int) {
	t.Helper()
	calls, err := tr.AppendReply(Reply{Text: fmt.Sprintf("Step %d.", n), Calls: []Call{{Function: "zimoos_x2e_act", Arguments: "{}"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.AppendOperation(Operation{CallID: calls[0].ID, Tool: "zimoos.act", Arguments: "{}", Outcome: OK, Result: strings.Repeat("word ", 60)}); err != nil {
		t.Fatal(err)
	}
	if err := tr.Seal(fmt.Sprintf("Did %d.", n), FromNarration); err != nil {
		t.Fatal(err)
	}
}

func roles(tr *Transcript) (list []string, firstUser string) {
	v := tr.View()
	b := wire.Assemble(v.Head, v.Log, v.Frozen, v.Loose)
	for i := range b.Messages.Len() {
		r, _ := wire.String(wire.Get(b.Bytes(wire.KindMessage, i), "role"))
		list = append(list, r)
		if r == "user" && firstUser == "" {
			firstUser, _ = wire.String(wire.Get(b.Bytes(wire.KindMessage, i), "content"))
		}
	}
	return list, firstUser
}

func TestWindowMovesInBlocksAndKeepsGroupsWhole(t *testing.T) {
	tr, err := New(testHeader(Rules{ContextTokens: 3000}))
	if err != nil {
		t.Fatal(err)
	}
	moves, steps := 0, 0
	for turn := range 8 {
		if err := tr.AppendUser(fmt.Sprintf("Prompt %d", turn), nil); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			step(t, tr, steps)
			steps++
			if tr.NeedsWindow() {
				before := tr.Cost()
				cuts, err := tr.MoveWindow(false)
				if err != nil || len(cuts) == 0 {
					t.Fatalf("no move at cost %d: %v", before, err)
				}
				moves++
				if c := tr.Cost(); c > 2000 {
					t.Fatalf("moved only to %d of 3000", c)
				}
			}
			list, first := roles(tr)
			if list[0] != "system" || list[1] != "user" || first != "Prompt 0" {
				t.Fatalf("the first user message left: %v", list[:3])
			}
			for i, r := range list {
				if r == "tool" && list[i-1] != "assistant" {
					t.Fatalf("an orphan result at %d: %v", i, list)
				}
			}
		}
		if _, err := tr.AppendReply(Reply{Text: "Done."}); err != nil {
			t.Fatal(err)
		}
	}
	if moves == 0 || moves > steps/5 {
		t.Fatalf("%d moves in %d steps: the prefix must break once per many steps", moves, steps)
	}
}

func TestOneEndlessTurnCanBeWindowed(t *testing.T) {
	tr, _ := New(testHeader(Rules{ContextTokens: 2000}))
	_ = tr.AppendUser("first", nil)
	_, _ = tr.AppendReply(Reply{Text: "ok"})
	_ = tr.AppendUser("the endless one", nil)
	for i := range 60 {
		step(t, tr, i)
		if tr.NeedsWindow() {
			if _, err := tr.MoveWindow(false); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tr.Cost() > 2000 {
		t.Fatalf("cost %d", tr.Cost())
	}
	if list, _ := roles(tr); strings.Count(strings.Join(list, " "), "user") != 2 {
		t.Fatalf("the current turn's user message left: %v", list)
	}
}

func TestForcedMoveFreesSomethingBelowTheBudget(t *testing.T) {
	tr, _ := New(testHeader(Rules{}))
	_ = tr.AppendUser("first", nil)
	for i := range 20 {
		step(t, tr, i)
	}
	before := tr.Cost()
	cuts, err := tr.MoveWindow(true)
	if err != nil || len(cuts) == 0 || tr.Cost() > before*7/10 {
		t.Fatalf("%v %v: %d of %d", cuts, err, tr.Cost(), before)
	}
}

// Replaying the events of random windowed sessions gives the same bytes: cuts are recorded, never recomputed.
func TestWindowedSessionsReplayToTheSameBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tr, _ := New(testHeader(Rules{ContextTokens: rapid.IntRange(300, 3000).Draw(rt, "budget")}))
		var stored [][]byte
		for turn := range rapid.IntRange(1, 4).Draw(rt, "turns") {
			_ = tr.AppendUser(fmt.Sprint("p", turn), nil)
			for i := range rapid.IntRange(0, 12).Draw(rt, "steps") {
				step(t, tr, i)
				if tr.NeedsWindow() {
					if _, err := tr.MoveWindow(rapid.Bool().Draw(rt, "force")); err != nil {
						rt.Fatal(err)
					}
				}
			}
			_, _ = tr.AppendReply(Reply{Text: "done"})
		}
		for _, e := range tr.Drain() {
			stored = append(stored, e.Encode())
		}
		again, err := Replay(stored)
		if err != nil || string(viewOf(again)) != string(viewOf(tr)) || string(again.JSONL()) != string(tr.JSONL()) {
			rt.Fatalf("replay differs: %v", err)
		}
	})
}
