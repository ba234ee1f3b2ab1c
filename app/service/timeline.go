package service

import (
	"zimoscope/app/api"
	"zimoscope/backend/agent"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
)

// Timeline implements api.Service.
func (s *Service) Timeline(session string) (api.Timeline, error) {
	b, err := s.current(session)
	if err != nil {
		return api.Timeline{}, err
	}
	recs, prompts, last := b.all()
	t := api.Timeline{Session: b.sess.ID, Rows: make([]api.RequestRow, 0, len(recs)), Turns: []api.Turn{}}
	s.mu.Lock()
	t.Rev = s.rev
	s.mu.Unlock()
	turn := 0
	for _, r := range recs {
		if r.Turn > turn {
			turn = r.Turn
			prompt := ""
			if turn <= len(prompts) {
				prompt = prompts[turn-1]
			}
			t.Turns = append(t.Turns, api.Turn{Number: turn, Request: r.N, Prompt: prompt})
		}
		t.Rows = append(t.Rows, rowOf(r))
	}
	t.Figures = figures(recs)
	t.Figures.StoreBytes = b.sess.Summary().Bytes
	t.Redlines = sessionRedlines(recs, last)
	return t, nil
}

func rowOf(r *agent.Record) api.RequestRow {
	kind := "main"
	if r.Meta.Kind == verdict.KindSide {
		kind = "side"
	}
	row := api.RequestRow{N: r.N, Kind: kind, Verdict: string(r.Verdict.Verdict), Planned: r.Verdict.Planned, Staged: r.Status == agent.StatusStaged, Proof: r.Proof,
		Status: r.Status, SentAt: r.SentAt, Millis: r.Millis, Attempts: r.Attempts, Tools: r.Tools, Bytes: r.Sizes.Bytes, Prefix: r.Sizes.Prefix,
		Equal: r.Sizes.Equal, New: r.Sizes.New, Tail: r.Sizes.Tail, Lost: r.Verdict.HistoryLost, Usage: usageOf(r), Error: r.Error, Violations: []string{}}
	if r.Tools == nil {
		row.Tools = []string{}
	}
	if p := r.Predicted; p != nil {
		row.Predicted = &api.Predict{Class: p.Class, Reused: p.Reused, Total: p.Total, Exact: p.Exact}
	}
	for _, l := range r.Redlines {
		if l.OK != nil && !*l.OK {
			row.Violations = append(row.Violations, l.ID)
		}
	}
	return row
}

func usageOf(r *agent.Record) api.Usage {
	if len(r.Usage) == 0 {
		return api.Usage{}
	}
	u := cachemodel.ParseUsage(r.Usage)
	return api.Usage{Reported: u.HasTotal || u.Reported, Prompt: u.PromptTotal, Cached: u.Cached, CachedSaid: u.Reported, Completion: completionOf(r.Usage)}
}

// figures sums a session. Predicted and reported are separate facts: each has its own requests to stand on.
func figures(recs []*agent.Record) (f api.Figures) {
	f.PredictedExact = true
	for _, r := range recs {
		if r.Status == agent.StatusStaged {
			continue
		}
		f.Requests++
		if r.Proof == agent.ProofHolds {
			f.Proved++
		}
		if r.Violation() {
			f.Violations++
		}
		if r.Meta.Predecessor > 0 {
			f.Pairs++
			switch r.Verdict.Verdict {
			case verdict.Extended, verdict.Sealed, verdict.RestChanged:
				f.PrefixEqual++
			default:
				if r.Verdict.Planned != nil && *r.Verdict.Planned {
					f.PlannedBreaks++
				}
			}
		}
		if p := r.Predicted; p != nil {
			f.PredictedReuse += int64(p.Reused)
			f.PredictedTotal += int64(p.Total)
			f.PredictedExact = f.PredictedExact && p.Exact
		}
		if u := usageOf(r); u.CachedSaid {
			f.ReportedReuse += int64(u.Cached)
			f.ReportedTotal += int64(u.Prompt)
		} else {
			f.NotReported++
		}
	}
	return f
}

// sessionRedlines gives each rule's state over the whole session: its first failure, else what it counted, else how it
// stands on the last request.
func sessionRedlines(recs []*agent.Record, last []verdict.Redline) []api.Redline {
	out := make([]api.Redline, 0, len(last))
	for _, l := range last {
		line := redline(l)
		line.Request = 0
		for _, r := range recs {
			for _, x := range r.Redlines {
				if x.ID != l.ID || r.Status == agent.StatusStaged {
					continue
				}
				if x.OK != nil && !*x.OK && (line.OK == nil || *line.OK) {
					line = redline(x)
					line.Request = r.N
				}
				if x.Degraded && line.Degraded == 0 {
					line.Degraded = 1
				}
			}
		}
		out = append(out, line)
	}
	return out
}

func redline(l verdict.Redline) api.Redline {
	r := api.Redline{ID: l.ID, OK: l.OK, Detail: l.Detail}
	if l.Degraded {
		r.Degraded = 1
	}
	return r
}
