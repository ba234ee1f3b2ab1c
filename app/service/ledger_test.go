package service

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"zimoscope/app/api"
	"zimoscope/backend/agent"
	"zimoscope/backend/requestview/verdict"
)

func some[T any](v T) *T { return &v }

// drawRecord is any record that a run can tell of.
func drawRecord(t *rapid.T, n int, status string) *agent.Record {
	r := &agent.Record{N: n, Status: status, Turn: (n + 2) / 3, Proof: rapid.SampledFrom([]string{agent.ProofPending, agent.ProofHolds, agent.ProofBroken}).Draw(t, "proof"),
		Verdict: verdict.Verdict{Verdict: rapid.SampledFrom([]verdict.Kind{verdict.Extended, verdict.Windowed, verdict.Rewritten}).Draw(t, "verdict"), Planned: some(rapid.Bool().Draw(t, "planned"))}}
	r.Meta.Predecessor = n - 1
	if rapid.Bool().Draw(t, "usage") {
		r.Usage = json.RawMessage(fmt.Sprintf(`{"prompt_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}`, 100+n, n))
	}
	if rapid.Bool().Draw(t, "predicted") {
		r.Predicted = &agent.Prediction{Reused: n, Total: 2 * n, Exact: rapid.Bool().Draw(t, "exact")}
	}
	for _, id := range []string{"A1", "A6"} {
		if l := (verdict.Redline{ID: id, OK: some(rapid.Bool().Draw(t, id)), Degraded: rapid.Bool().Draw(t, "degraded"), Detail: fmt.Sprint(id, " of ", n)}); rapid.Bool().Draw(t, "judged") {
			r.Redlines = append(r.Redlines, l)
		}
	}
	return r
}

// counted is the figures of a session summed up from nothing.
func counted(l *ledger) api.Figures {
	s := sums{}
	for _, at := range l.lines {
		s.add(at, 1)
	}
	return s.figures()
}

// judged is the session's redlines read from nothing: the first failure of each rule.
func judged(l *ledger) []api.Redline {
	out := []api.Redline{}
	for _, last := range l.last {
		one := redline(last)
		for i := len(l.lines) - 1; i >= 0; i-- {
			for _, x := range l.lines[i].rec.Redlines {
				if x.ID == last.ID && x.OK != nil && !*x.OK {
					degraded := one.Degraded
					one = redline(x)
					one.Request, one.Degraded = i+1, max(degraded, one.Degraded)
				}
				if x.ID == last.ID && x.Degraded {
					one.Degraded = 1
				}
			}
		}
		out = append(out, one)
	}
	return out
}

// merged does what the front end does with an answer.
func merged(have changes, d changes) changes {
	if d.Full {
		return d
	}
	rows := append([]api.RequestRow{}, have.rows[:min(len(have.rows), d.RowCount)]...)
	for _, r := range d.rows {
		if r.N <= len(rows) {
			rows[r.N-1] = r
		} else {
			rows = append(rows, r)
		}
	}
	turns := append([]api.Turn{}, have.Turns[:min(len(have.Turns), d.TurnCount)]...)
	for _, t := range d.Turns {
		if t.Number <= len(turns) {
			turns[t.Number-1] = t
		} else {
			turns = append(turns, t)
		}
	}
	d.rows, d.Turns, d.Full = rows, turns, true
	return d
}

func TestWhatChangedAddsUpToTheWholeTimelineAtAnyMoment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLedger(nil, nil, nil)
		have := l.since(0)
		for range rapid.IntRange(1, 40).Draw(t, "changes") {
			next := len(l.lines) + 1
			switch rapid.IntRange(0, 4).Draw(t, "change") {
			case 0:
				l.hold(drawRecord(t, next, agent.StatusStaged))
			case 1:
				l.drop()
			case 2:
				l.prompt(fmt.Sprint("prompt ", len(l.prompts)+1))
			case 3:
				l.enter(drawRecord(t, next, agent.StatusSending))
			default:
				if next > 1 {
					l.enter(drawRecord(t, rapid.IntRange(1, next-1).Draw(t, "again"), agent.StatusDone))
				}
			}
			if rapid.Bool().Draw(t, "ask") {
				have = merged(have, l.since(have.Rev))
			}
		}
		have = merged(have, l.since(have.Rev))
		whole := l.since(0)
		if !reflect.DeepEqual(have, whole) {
			t.Fatalf("put together it is\n%+v\nbut the whole is\n%+v", have, whole)
		}
		if len(whole.rows) != whole.RowCount || len(whole.Turns) != whole.TurnCount {
			t.Fatalf("%d rows of %d, %d turns of %d", len(whole.rows), whole.RowCount, len(whole.Turns), whole.TurnCount)
		}
		if f := counted(&l); whole.Figures != f {
			t.Fatalf("figures %+v, summed up anew %+v", whole.Figures, f)
		}
		if r := judged(&l); !reflect.DeepEqual(whole.Redlines, r) {
			t.Fatalf("redlines %+v, read anew %+v", whole.Redlines, r)
		}
	})
}

func TestOnlyWhatChangedIsGiven(t *testing.T) {
	l := newLedger([]*agent.Record{{N: 1, Turn: 1}, {N: 2, Turn: 1}, {N: 3, Turn: 2}}, []string{"a", "b"}, nil)
	whole := l.since(0)
	if !whole.Full || len(whole.rows) != 3 || len(whole.Turns) != 2 {
		t.Fatalf("%+v", whole)
	}
	if d := l.since(whole.Rev); d.Full || len(d.rows)+len(d.Turns) != 0 || d.RowCount != 3 {
		t.Fatalf("nothing changed, yet %+v", d)
	}
	l.enter(&agent.Record{N: 2, Turn: 1, Status: agent.StatusDone})
	l.hold(&agent.Record{N: 4, Turn: 2, Status: agent.StatusStaged})
	d := l.since(whole.Rev)
	if d.Full || len(d.rows) != 2 || d.rows[0].N != 2 || !d.rows[1].Staged || d.RowCount != 4 || len(d.Turns) != 0 {
		t.Fatalf("%+v", d)
	}
	l.drop()
	if after := l.since(d.Rev); len(after.rows) != 0 || after.RowCount != 3 {
		t.Fatalf("the staged row stays: %+v", after)
	}
}

func TestARevisionOfAnotherOpeningIsAnsweredWhole(t *testing.T) {
	recs := []*agent.Record{{N: 1}, {N: 2}}
	before := newLedger(recs, nil, nil)
	before.enter(&agent.Record{N: 3})
	after := newLedger(recs, nil, nil)
	for _, rev := range []uint64{1, before.first - 3, after.rev + 1} {
		if d := after.since(rev); !d.Full || len(d.rows) != 2 {
			t.Errorf("revision %d: %+v", rev, d)
		}
	}
}

func BenchmarkOneChangeOf10000Requests(b *testing.B) {
	recs := make([]*agent.Record, 10_000)
	for i := range recs {
		recs[i] = &agent.Record{N: i + 1, Usage: json.RawMessage(`{"prompt_tokens":1000,"prompt_tokens_details":{"cached_tokens":900}}`)}
	}
	l := newLedger(recs, nil, nil)
	for b.Loop() {
		rev := l.rev
		l.enter(recs[len(recs)-1])
		if d := l.since(rev); len(d.rows) != 1 {
			b.Fatal(len(d.rows))
		}
	}
}
