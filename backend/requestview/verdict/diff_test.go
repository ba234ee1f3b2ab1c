package verdict

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zimoscope/backend/requestview/wire"
)

func TestTheLadderShowsEachPart(t *testing.T) {
	p, n := before(), after()
	var got []string
	for _, r := range Ladder(p.request(t), n.request(t)) {
		got = append(got, string(r.Kind)+" "+string(r.State)+" "+strings.Repeat("|", r.Count))
	}
	want := []string{"model equal |", "tool equal |||", "message equal |||||||", "message grew |", "message new ||", "message request-only |", "rest equal |"}
	if !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	replace(3, "opened", "shut")(&p, &n)
	window(4, 6)(&p, &n)
	got = nil
	for _, r := range Ladder(p.request(t), n.request(t)) {
		if r.Kind == wire.KindMessage {
			got = append(got, string(r.State))
		}
	}
	if want := []string{"equal", "changed", "gone", "same-bytes", "grew", "new", "request-only"}; !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
}

func TestEveryPartOfBothRequestsStandsOnOneRung(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reqs := randomThread(t)
		a, b := reqs[0], reqs[len(reqs)-1]
		nextA, nextB := 0, 0
		for _, r := range Ladder(a, b) {
			if r.Kind != wire.KindMessage {
				continue
			}
			if r.Prev >= 0 {
				if r.Prev != nextA {
					t.Fatalf("%+v, want %d", r, nextA)
				}
				nextA += r.Count
			}
			if r.Next >= 0 {
				if r.Next != nextB {
					t.Fatalf("%+v, want %d", r, nextB)
				}
				nextB += r.Count
			}
		}
		if nextA != a.Body.Messages.Len() || nextB != b.Body.Messages.Len() {
			t.Fatalf("%d of %d, %d of %d", nextA, a.Body.Messages.Len(), nextB, b.Body.Messages.Len())
		}
	})
}

func TestDiffMarksTheChangedWords(t *testing.T) {
	p, n := before(), after()
	replace(5, "an ordinary result", "a plain result")(&p, &n)
	d := Diff(p.request(t), n.request(t))
	for _, part := range d.Parts {
		if part.Rung.Next != 5 {
			continue
		}
		var words []string
		for _, l := range part.Text.Hunks[0].Lines {
			for _, s := range l.Changed {
				words = append(words, l.Text[s.From:s.To])
			}
		}
		if !slices.Equal(words, []string{"an", "ordinary", "a", "plain"}) {
			t.Fatalf("%q", words)
		}
		return
	}
	t.Fatalf("%+v", d)
}

func TestAHugeTextIsPreviewedAroundItsFirstDifference(t *testing.T) {
	pad := strings.Repeat("a line of text\n", 100_000)
	d := DiffText(pad+"one\n"+pad, pad+"two\n"+pad)
	if d.Preview == "" || len(d.Hunks) != 1 || d.Hunks[0].PrevLine != 100_000-contextLines+1 {
		t.Fatalf("%q %d hunks, line %d", d.Preview, len(d.Hunks), d.Hunks[0].PrevLine)
	}
}
