package service

import (
	"errors"

	"zimoscope/app/api"
	"zimoscope/backend/agent"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/cachemodel"
)

// Timeline implements api.Service, also for a session that is not the open one: that is read from its file.
func (s *Service) Timeline(session string) (api.Timeline, error) {
	d, err := s.changesSince(session, 0)
	if errors.Is(err, api.ErrNotFound) || errors.Is(err, errNoSession) {
		d, err = s.storedTimeline(session)
	}
	return api.Timeline{Session: d.Session, Rev: d.Rev, Rows: d.rows, Turns: d.Turns, Figures: d.Figures, Redlines: d.Redlines}, err
}

func (s *Service) storedTimeline(id string) (changes, error) {
	sess, err := s.o.Store.Read(id)
	if err != nil {
		return changes{}, err
	}
	b, err := openBook(sess, s.sights.recall)
	if err != nil {
		return changes{}, errors.Join(err, sess.Close())
	}
	if err := b.judgeLast(); err != nil {
		return changes{}, errors.Join(err, sess.Close())
	}
	d := b.since(0)
	d.Session, d.Figures.StoreBytes = id, sess.Summary().Bytes
	return d, sess.Close()
}

// TimelineSince implements api.Service. It costs what changed, and one look at each row's revision.
func (s *Service) TimelineSince(session string, rev uint64) (api.TimelineDelta, error) {
	d, err := s.changesSince(session, rev)
	d.Rows = api.ColumnsOf(d.rows)
	return d.TimelineDelta, err
}

func (s *Service) changesSince(session string, rev uint64) (changes, error) {
	b, err := s.current(session)
	if err != nil {
		return changes{}, err
	}
	b.mu.Lock()
	d := b.since(rev)
	b.mu.Unlock()
	if d.Full {
		b.touch()
	}
	d.Session, d.Figures.StoreBytes = b.sess.ID, b.sess.Summary().Bytes
	return d, nil
}

func rowOf(r *agent.Record) api.RequestRow {
	row := api.RequestRow{N: r.N, Base: r.Meta.Predecessor, Kind: kindOf(r), Turn: r.Turn, Verdict: string(r.Verdict.Verdict), Planned: r.Verdict.Planned, Staged: r.Status == agent.StatusStaged, Proof: r.Proof,
		Status: r.Status, SentAt: r.SentAt, Millis: r.Millis, Attempts: r.Attempts, Tools: r.Tools, Bytes: r.Sizes.Bytes, Prefix: r.Sizes.Prefix,
		Equal: r.Sizes.Equal, New: r.Sizes.New, Tail: r.Sizes.Tail, Lost: r.Verdict.HistoryLost, Usage: usageOf(r), Error: r.Error, Violations: []string{}}
	if r.Tools == nil {
		row.Tools = []string{}
	}
	if f := r.Foreign; f != nil && row.Kind == record.KindOther {
		row.Method, row.Path, row.HTTP = f.Method, pathOf(f.URL), f.HTTP
	} else if f != nil {
		row.Thread = r.Meta.Thread
		if r.Carrier == requestview.NoCarrier {
			row.Tail = 0 // the brackets that close the body
		}
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
