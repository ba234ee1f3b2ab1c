package service

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"zimoscope/app/api"
	"zimoscope/app/stored"
	"zimoscope/backend/agent"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// maxNewText bounds the text of a new or vanished part in a diff; the part itself opens whole elsewhere.
const maxNewText = 64 << 10

// Diff implements api.Service: any two requests, also of two sessions.
func (s *Service) Diff(base, next api.RequestRef) (api.DiffView, error) {
	a, _, err := s.find(base)
	if err != nil {
		return api.DiffView{}, err
	}
	b, bRec, err := s.find(next)
	if err != nil {
		return api.DiffView{}, err
	}
	return diffView(sides{base, next, a, b, bRec}), nil
}

// sides are two requests that are compared, and what is known of the later one.
type sides struct {
	base, next api.RequestRef
	a, b       *verdict.Request
	rec        *agent.Record
}

func (p sides) verdict() verdict.Verdict {
	v := p.rec.Verdict
	switch same := p.base.Session == p.next.Session && p.rec.Meta.Predecessor == p.base.N; {
	case !same || !known(p.rec):
		return verdict.Compare(p.a, p.b)
	case v.Context == nil:
		v.Context = verdict.ContextOf(v.Verdict, p.a, p.b)
	}
	return v
}

func diffView(p sides) api.DiffView {
	a, b, v := p.a, p.b, p.verdict()
	d := verdict.Diff(a, b)
	out := api.DiffView{Base: p.base, Next: p.next, Verdict: verdictView(v), Rungs: []api.Rung{}, Hunks: []api.Hunk{}, Cut: d.Omitted > 0}
	for _, r := range d.Rungs {
		out.Rungs = append(out.Rungs, rung(r, a.Body, b.Body, p.rec.Foreign == nil && p.rec.Proof != agent.ProofHolds))
	}
	texts := map[verdict.Rung]verdict.TextDiff{}
	for _, p := range d.Parts {
		texts[p.Rung] = p.Text
		out.Cut = out.Cut || p.Text.Preview != ""
	}
	for _, r := range d.Rungs {
		if t, ok := texts[r]; ok {
			out.Hunks = append(out.Hunks, hunk(r, b.Body, t))
		} else if r.State == verdict.RungNew || r.State == verdict.RungGone {
			out.Hunks = append(out.Hunks, wholeParts(r, a.Body, b.Body)...)
		}
	}
	return out
}

// littleDiff is how many bytes of two requests may differ for their diff to come with the later one at no cost that a
// person would see.
const littleDiff = 64 << 10

// differsLittle says that the diff of a request with its predecessor is quickly made.
func differsLittle(r api.RequestRow) bool {
	return r.Bytes-r.Equal-r.Prefix+r.Lost <= littleDiff && r.Verdict != "" && r.Verdict != string(verdict.Leaked)
}

// known says that what a request was judged when it was sent is all that a comparison would say, but for the text around
// the difference. A leak stands elsewhere, and where a secret was taken out, offsets moved.
func known(r *agent.Record) bool {
	return r.Verdict.Verdict != "" && r.Verdict.Verdict != verdict.Leaked && (r.Foreign == nil || len(r.Foreign.Claimed) == 0)
}

// find gives a request of the open session, or of a stored one that is read for it.
func (s *Service) find(ref api.RequestRef) (*verdict.Request, *agent.Record, error) {
	b, err := s.current("")
	if err == nil && (ref.Session == "" || ref.Session == b.sess.ID) {
		return b.request(ref.N)
	}
	sess, err := s.o.Store.Read(ref.Session)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = sess.Close() }() // only read
	recs, err := stored.Records(sess)
	if err != nil {
		return nil, nil, err
	}
	if ref.N < 1 || ref.N > len(recs) {
		return nil, nil, api.ErrNotFound
	}
	rec := recs[ref.N-1]
	if rec.Meta.Kind == record.KindOther {
		return nil, nil, fmt.Errorf("request %d: %w", ref.N, errNotCompared)
	}
	r, err := stored.Request(sess, rec)
	if err != nil {
		return nil, nil, err
	}
	r.Body = rec.Foreign.Sent(r.Body)
	return r, rec, nil
}

func rung(r verdict.Rung, a, b *wire.Body, claimed bool) api.Rung {
	out := api.Rung{Kind: string(r.Kind), Index: r.Prev, Count: r.Count, State: string(r.State), Delta: r.Bytes, Claimed: claimed}
	if r.Next >= 0 {
		out.Index = r.Next
	}
	out.BaseLink, _ = linkAt(a, r.Kind, r.Prev)
	out.NextLink, _ = linkAt(b, r.Kind, r.Next)
	switch {
	case r.Kind == wire.KindRest:
		out.State = "rest-" + string(r.State)
	case r.Kind == wire.KindMessage && r.Next >= 0:
		out.Role = roleOf(b.Bytes(r.Kind, r.Next))
	case r.Kind == wire.KindMessage && r.Prev >= 0:
		out.Role = roleOf(a.Bytes(r.Kind, r.Prev))
	}
	if (r.State == verdict.RungGrew || r.State == verdict.RungChanged) && r.Prev >= 0 && r.Next >= 0 && r.Kind != wire.KindRest {
		from, to := a.Range(r.Kind, r.Prev)
		start, end := b.Range(r.Kind, r.Next)
		out.Delta = (end - start) - (to - from)
	}
	return out
}

// linkAt is the link of a part; of a folded run, of its first part.
func linkAt(b *wire.Body, k wire.Kind, i int) (string, bool) {
	switch {
	case k == wire.KindRest:
		return b.Rest.String(), true
	case i < 0:
		return "", false
	case k == wire.KindModel:
		return b.Model.Link.String(), true
	case i >= b.Region(k).Len():
		return "", false
	}
	return b.Region(k).Part(i).Link.String(), true
}

func hunk(r verdict.Rung, b *wire.Body, t verdict.TextDiff) api.Hunk {
	h := api.Hunk{Kind: string(r.Kind), Index: r.Next, State: string(r.State), Lines: []api.HunkLine{}}
	if r.Next < 0 {
		h.Index = r.Prev
	}
	if r.Kind == wire.KindMessage && r.Next >= 0 {
		h.Role = roleOf(b.Bytes(r.Kind, r.Next))
	}
	for _, part := range t.Hunks {
		old, now := part.PrevLine, part.NextLine
		for _, l := range part.Lines {
			line := api.HunkLine{Sign: " ", Text: l.Text, Spans: spans(l.Text, l.Changed)}
			switch l.Op {
			case verdict.LineGone:
				line.Sign, line.Old = "-", old
				old++
			case verdict.LineAdded:
				line.Sign, line.New = "+", now
				now++
			default:
				line.Old, line.New = old, now
				old, now = old+1, now+1
			}
			h.Lines = append(h.Lines, line)
		}
	}
	return h
}

// spans turns byte offsets into UTF-16 units, as JavaScript counts.
func spans(text string, changed []verdict.Span) []api.Span {
	out := []api.Span{}
	for _, c := range changed {
		out = append(out, api.Span{From: units(text[:c.From]), To: units(text[:c.To])})
	}
	return out
}

func units(s string) (n int) {
	for _, r := range s {
		if w := utf16.RuneLen(r); w > 0 {
			n += w
		} else {
			n++
		}
	}
	return n
}

// wholeParts gives the text of parts that stand on one side only.
func wholeParts(r verdict.Rung, a, b *wire.Body) (list []api.Hunk) {
	body, first, sign := b, r.Next, "+"
	if r.State == verdict.RungGone {
		body, first, sign = a, r.Prev, "-"
	}
	for i := first; i < first+r.Count; i++ {
		h := api.Hunk{Kind: string(r.Kind), Index: i, State: string(r.State), Lines: []api.HunkLine{}}
		raw := body.Bytes(r.Kind, i)
		text := string(raw)
		if r.Kind == wire.KindMessage {
			h.Role = roleOf(raw)
			text = messageText(raw)
		}
		text = cutText(text, maxNewText)
		for n, l := range strings.Split(text, "\n") {
			line := api.HunkLine{Sign: sign, Text: l, Spans: []api.Span{}}
			if sign == "+" {
				line.New = n + 1
			} else {
				line.Old = n + 1
			}
			h.Lines = append(h.Lines, line)
		}
		list = append(list, h)
	}
	return list
}

func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
