package service

import (
	"zimoscope/app/api"
	"zimoscope/backend/agent"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
)

// sums are the figures of a session, kept by adding and taking away one request at a time. Predicted and reported are
// separate facts: each has its own requests to stand on.
type sums struct {
	api.Figures
	inexact int // predictions that are estimates
}

// add counts a line once more (by 1) or takes it out (by -1).
func (s *sums) add(at line, by int) {
	r, u := at.rec, at.row.Usage
	s.Requests += by
	if r.Meta.Kind == record.KindOther {
		s.Others += by
		return
	}
	switch r.Proof {
	case record.ProofImported:
		s.Imported += by
	case record.ProofClaimed:
		s.Claimed += by
	}
	if r.Proof == agent.ProofHolds {
		s.Proved += by
	}
	if r.Violation() {
		s.Violations += by
	}
	if r.Meta.Predecessor > 0 {
		s.Pairs += by
		switch r.Verdict.Verdict {
		case verdict.Extended, verdict.Sealed, verdict.RestChanged:
			s.PrefixEqual += by
		default:
			if r.Verdict.Planned != nil && *r.Verdict.Planned {
				s.PlannedBreaks += by
			}
		}
	}
	if p := at.row.Predicted; p != nil {
		s.PredictedReuse += int64(by * p.Reused)
		s.PredictedTotal += int64(by * p.Total)
		if !p.Exact {
			s.inexact += by
		}
	}
	if u.CachedSaid {
		s.ReportedReuse += int64(by * u.Cached)
		s.ReportedTotal += int64(by * u.Prompt)
	} else {
		s.NotReported += by
	}
}

func (s *sums) figures() api.Figures {
	f := s.Figures
	f.PredictedExact = s.inexact == 0
	return f
}

// rules give each redline's state over the whole session: its first failure, else what it counted, else how it stands
// on the last request.
type rules struct {
	fails    map[string]failure
	degraded map[string]int // requests by rule
}

type failure struct {
	n    int
	line verdict.Redline
}

func newRules() rules { return rules{map[string]failure{}, map[string]int{}} }

func failed(l verdict.Redline) bool { return l.OK != nil && !*l.OK }

// replace puts a request's redlines in the place of its old ones. lookUp finds a rule's first failure anew; it is asked
// only when the one that was known is gone.
func (r *rules) replace(n int, old, next []verdict.Redline, lookUp func(id string) (failure, bool)) {
	gone := map[string]bool{}
	for _, x := range old {
		if x.Degraded {
			r.degraded[x.ID]--
		}
		if f, ok := r.fails[x.ID]; ok && f.n == n {
			delete(r.fails, x.ID)
			gone[x.ID] = true
		}
	}
	for _, x := range next {
		if x.Degraded {
			r.degraded[x.ID]++
		}
		if f, ok := r.fails[x.ID]; failed(x) && (!ok || n < f.n) {
			r.fails[x.ID] = failure{n, x}
		}
	}
	for id := range gone {
		if f, ok := lookUp(id); ok {
			r.fails[id] = f
		} else {
			delete(r.fails, id)
		}
	}
}

func (r *rules) session(last []verdict.Redline) []api.Redline {
	out := make([]api.Redline, 0, len(last))
	for _, l := range last {
		one := redline(l)
		if f, ok := r.fails[l.ID]; ok {
			one = redline(f.line)
			one.Request = f.n
		}
		if r.degraded[l.ID] > 0 || l.Degraded {
			one.Degraded = 1
		}
		out = append(out, one)
	}
	return out
}

func redline(l verdict.Redline) api.Redline {
	r := api.Redline{ID: l.ID, OK: l.OK, Detail: l.Detail, Words: inWords(l.Words)}
	if l.Degraded {
		r.Degraded = 1
	}
	return r
}
