package service

import (
	"time"

	"zimoscope/app/api"
	"zimoscope/app/predict"
	"zimoscope/backend/agent"
	"zimoscope/backend/requestview/verdict"
)

// ledger is what the timeline shows of a session: a row for each record, turns, sums and redlines, each brought up to
// date with the one record that changed. Records in it are copies, replaced whole. Its owner holds a lock around every
// method.
//
// Revisions start at the microsecond of opening and grow by one with each change, so that a revision of an earlier
// opening, or of an earlier run of the program, is never taken for one of this.
type ledger struct {
	first, rev uint64
	lines      []line // of request 1, 2, …
	staged     *line
	prompts    []string
	turns      []turnLine
	last       []verdict.Redline // of the last main request
	sums       sums
	rules      rules
	sight      *sight // what is predicted of another agent's requests; nil for our own
}

type line struct {
	rec *agent.Record
	row api.RequestRow
	rev uint64
}

type turnLine struct {
	turn api.Turn
	rev  uint64
}

func newLedger(recs []*agent.Record, prompts []string, s *sight) ledger {
	now := uint64(time.Now().UnixMicro())
	l := ledger{first: now, rev: now, prompts: prompts, rules: newRules(), sight: s}
	for _, r := range recs {
		s.hear(r) // all of them first: what one reports says of others how to show them
	}
	for _, r := range recs {
		l.enter(r)
	}
	l.first = l.rev
	return l
}

// enter replaces a record or appends the next one. Whatever was staged is no more.
func (l *ledger) enter(r *agent.Record) {
	l.rev++
	l.staged = nil
	if f := r.Foreign; f != nil && f.Prompt != "" && r.Turn > 0 {
		l.prompts = withPrompt(l.prompts, r.Turn, f.Prompt)
	}
	kindMoved := l.sight.hear(r)
	next := line{r, l.rowOf(r), l.rev}
	switch {
	case r.N >= 1 && r.N <= len(l.lines):
		old := l.lines[r.N-1]
		l.lines[r.N-1] = next
		l.sums.add(old, -1)
		l.rules.replace(r.N, old.rec.Redlines, r.Redlines, l.firstFailure)
	case r.N == len(l.lines)+1:
		l.lines = append(l.lines, next)
		l.turns = l.withTurn(l.turns, next)
		l.rules.replace(r.N, nil, r.Redlines, l.firstFailure)
	default:
		return // a record that doesn't follow would leave a hole
	}
	l.sums.add(next, 1)
	if r.Meta.Kind != verdict.KindSide && len(r.Redlines) > 0 {
		l.last = r.Redlines
	}
	if kindMoved {
		l.showAgain(predict.SenderOf(r))
	}
}

// hold shows a request that is staged, drop that it no longer is.
func (l *ledger) hold(r *agent.Record) {
	l.rev++
	l.staged = &line{r, rowOf(r), l.rev}
}

func (l *ledger) drop() {
	if l.staged != nil {
		l.rev++
		l.staged = nil
	}
}

// prompt adds the words that start the next turn, also when a request of it is known already.
func (l *ledger) prompt(text string) {
	l.rev++
	l.prompts = append(l.prompts, text)
	for i, t := range l.turns {
		if t.turn.Number == len(l.prompts) {
			l.turns[i].turn.Prompt, l.turns[i].rev = text, l.rev
		}
	}
	if l.staged != nil {
		l.staged.rev = l.rev
	}
}

// withTurn adds the turn that a line starts, if it starts one.
func (l *ledger) withTurn(turns []turnLine, at line) []turnLine {
	n := at.rec.Turn
	if n == 0 || len(turns) > 0 && turns[len(turns)-1].turn.Number >= n {
		return turns
	}
	t := api.Turn{Number: n, Request: at.rec.N}
	if n <= len(l.prompts) {
		t.Prompt = l.prompts[n-1]
	}
	return append(turns[:len(turns):len(turns)], turnLine{t, at.rev})
}

// firstFailure looks a rule's first failing request up; only when the one that was known holds again.
func (l *ledger) firstFailure(id string) (failure, bool) {
	for _, at := range l.lines {
		for _, x := range at.rec.Redlines {
			if x.ID == id && failed(x) {
				return failure{at.rec.N, x}, true
			}
		}
	}
	return failure{}, false
}

// changes is a delta with its rows one by one.
type changes struct {
	api.TimelineDelta // without Rows
	rows              []api.RequestRow
}

// since gives what changed after a revision; all of it when the revision is not one of this opening.
func (l *ledger) since(rev uint64) changes {
	d := changes{TimelineDelta: api.TimelineDelta{Rev: l.rev, Full: rev < l.first || rev > l.rev, Turns: []api.Turn{}, RowCount: len(l.lines),
		Figures: l.sums.figures(), Redlines: l.rules.session(l.last)}, rows: []api.RequestRow{}}
	turns := l.turns
	visit := func(at line) {
		if d.Full || at.rev > rev {
			d.rows = append(d.rows, at.row)
		}
	}
	for _, at := range l.lines {
		visit(at)
	}
	if l.staged != nil {
		visit(*l.staged)
		turns = l.withTurn(turns, *l.staged)
		d.RowCount++
	}
	d.TurnCount = len(turns)
	for _, t := range turns {
		if d.Full || t.rev > rev {
			d.Turns = append(d.Turns, t.turn)
		}
	}
	return d
}
