package service

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"zimoscope/app/api"
	"zimoscope/backend/agent"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/zimoos"
)

const (
	// firstMessages is how many messages of a history a view carries: more than a pane shows. The others are asked for
	// when a person goes there, so that a view costs what is seen of it, however long the history is.
	firstMessages = 120
	// leadMessages stand before the place that a view is about, when that is not the end.
	leadMessages = 30
	// maxMessages bounds one answer of Messages.
	maxMessages = 1000
)

// previewBytes is how much of a part's text a view carries; the rest is asked for when a person opens it.
const previewBytes = 4 << 10

// viewer builds one RequestView.
type viewer struct {
	b    *book
	rec  *agent.Record
	body *wire.Body
	base *wire.Body    // of the predecessor, nil when there is none
	prev *agent.Record // the predecessor

	was, is map[wire.Hash]bool // leaves of base and body, of another agent's request
}

// Request implements api.Service.
func (s *Service) Request(ref api.RequestRef) (api.RequestView, error) {
	b, err := s.current(ref.Session)
	if err != nil {
		return api.RequestView{}, err
	}
	if rec, err := b.record(ref.N); err == nil && rec.Meta.Kind == record.KindOther {
		return s.stamped(notCompared(rec)), nil
	}
	v, err := b.viewer(ref.N)
	if err != nil {
		return api.RequestView{}, err
	}
	out := v.view()
	if v.base != nil && differsLittle(out.Row) {
		d := diffView(sides{api.RequestRef{Session: b.sess.ID, N: out.Row.Base}, api.RequestRef{Session: b.sess.ID, N: ref.N}, v.prev.Request(v.base), v.rec.Request(v.body), v.rec})
		out.Diff = &d
	}
	return s.stamped(out), nil
}

// Messages implements api.Service.
func (s *Service) Messages(ref api.RequestRef, from, count int) ([]api.MessageView, error) {
	b, err := s.current(ref.Session)
	if err != nil {
		return nil, err
	}
	v, err := b.viewer(ref.N)
	if err != nil {
		return nil, err
	}
	h := v.history()
	return v.messages(h, max(0, from), min(count, maxMessages)), nil
}

// viewer reads a request and its predecessor, both at once.
func (b *book) viewer(n int) (*viewer, error) {
	b.touch()
	rec, err := b.record(n)
	if err != nil {
		return nil, err
	}
	v := &viewer{b: b, rec: rec}
	var before sync.WaitGroup
	var baseErr error
	if p := rec.Meta.Predecessor; p > 0 {
		if v.prev, err = b.record(p); err != nil {
			return nil, err
		}
		before.Go(func() {
			baseErr = safely(func() (err error) { v.base, err = b.body(p); return err })
		})
	}
	v.body, err = b.body(n)
	before.Wait()
	if err := errors.Join(err, baseErr); err != nil {
		return nil, err
	}
	return v, nil
}

// stamped gives a view the revision it is of.
func (s *Service) stamped(v api.RequestView) api.RequestView {
	s.mu.Lock()
	defer s.mu.Unlock()
	v.Rev = s.rev
	return v
}

func (v *viewer) view() api.RequestView {
	row, classes := v.b.shown(v.rec)
	out := api.RequestView{Row: row, Predictions: classes, Model: v.model(), Tools: []api.PartView{}, Rest: v.rest(),
		Messages: []api.MessageView{}, Hidden: v.hidden(), Verdict: verdictView(v.rec.Verdict), Redlines: []api.Redline{}, Unchanged: v.unchanged(), Foreign: foreignView(v.rec)}
	for i := range v.body.Tools.Len() {
		out.Tools = append(out.Tools, v.tool(i))
	}
	for _, l := range v.rec.Redlines {
		out.Redlines = append(out.Redlines, redline(l))
	}
	h := v.history()
	out.System, out.Carrier = v.system(), v.carrier()
	from := v.shownFrom(h)
	out.History = api.HistoryPart{From: from, Total: h.end - h.from, Index: h.from, Bytes: v.bytesOf(h)}
	out.Messages = v.messages(h, from, firstMessages)
	return out
}

// part describes one part of the chain. text is its decoded text; the view carries its start.
func (v *viewer) part(k wire.Kind, i int, text string) api.PartView {
	from, to := v.body.Range(k, i)
	p := v.body.Model
	if k != wire.KindModel {
		p = v.body.Region(k).Part(i)
	}
	shown := zimoos.Cut(text, previewBytes)
	return api.PartView{Kind: string(k), Index: i, Text: shown, Whole: len(shown) == len(text), Bytes: to - from, Offset: from,
		Leaf: p.Leaf.String(), Link: p.Link.String(), Changed: v.changed(k, i), Claimed: v.claimed(k, i)}
}

// changed compares a part with the one in its place in the predecessor.
func (v *viewer) changed(k wire.Kind, i int) string {
	if v.base == nil {
		return ""
	}
	if k == wire.KindModel {
		return differs(v.base.Model.Leaf == v.body.Model.Leaf)
	}
	r := v.base.Region(k)
	switch {
	case k == wire.KindMessage && v.rec.Foreign != nil:
		return v.foreignChange(i)
	case i >= r.Len():
		return "new"
	case r.Part(i).Leaf == v.body.Region(k).Part(i).Leaf:
		return ""
	case k != wire.KindMessage:
		return "changed"
	case i == v.base.Messages.Len()-1 && v.prev.Carrier == requestview.OwnMessage:
		return "new" // a carrier stood there, which was never history
	}
	if _, ok := v.rec.Seals[i]; ok {
		return "grew"
	}
	if i == v.base.Messages.Len()-1 && v.prev.Carrier != requestview.NoCarrier || i == v.body.Messages.Len()-1 && v.rec.Carrier != requestview.NoCarrier {
		return "" // the same message with or without its tail
	}
	return "changed"
}

func differs(equal bool) string {
	if equal {
		return ""
	}
	return "changed"
}

func (v *viewer) model() api.PartView {
	text, _ := wire.String(v.body.Bytes(wire.KindModel, 0))
	p := v.part(wire.KindModel, 0, text)
	p.Name = text
	return p
}

func (v *viewer) tool(i int) api.PartView {
	raw := v.body.Bytes(wire.KindTool, i)
	p := v.part(wire.KindTool, i, string(raw))
	fn := wire.Get(raw, "function")
	if fn == nil {
		fn = raw
	}
	name, _ := wire.String(wire.Get(fn, "name"))
	p.Name, p.Server = v.b.public(name)
	return p
}

// chained are the members that stand in the chain, in one dialect or the other.
var chained = []string{"model", "tools", "messages", "system", "instructions", "input"}

// rest is everything beside the chain: parameters and layout.
func (v *viewer) rest() api.PartView {
	var names []string
	raw := v.withoutMessages()
	_ = wire.Members(raw, func(m wire.Member) error {
		if !slices.Contains(chained, m.Name) {
			names = append(names, m.Name+": "+zimoos.Cut(string(raw[m.Start:m.End]), previewBytes))
		}
		return nil
	})
	return api.PartView{Kind: string(wire.KindRest), Name: "rest", Text: strings.Join(names, "\n"), Whole: true, Leaf: v.body.Rest.String(), Link: v.body.Rest.String(),
		Changed: differs(v.base == nil || v.base.Rest == v.body.Rest), Claimed: v.claimed(wire.KindRest, 0)}
}

// withoutMessages is the body with an empty history, so that looking at what stands beside it costs no walk through a
// long one. Two messages or more always stand in a list.
func (v *viewer) withoutMessages() []byte {
	n := v.body.Messages.Len()
	if n < 2 {
		return v.body.Raw
	}
	from, _ := v.body.Range(wire.KindMessage, 0)
	_, to := v.body.Range(wire.KindMessage, n-1)
	return slices.Concat(v.body.Raw[:from], v.body.Raw[to:])
}

// unchanged counts for how many requests the stable prefix has stood.
func (v *viewer) unchanged() int {
	count := 1
	for n := v.rec.Meta.Predecessor; n > 0; count++ {
		r, err := v.b.record(n)
		if err != nil {
			break
		}
		next := r
		if count == 1 {
			next = v.rec
		}
		if movedPrefix(next.Verdict) {
			break
		}
		n = r.Meta.Predecessor
	}
	return count
}

func movedPrefix(v verdict.Verdict) bool {
	return v.Has(verdict.SystemChanged) || v.Has(verdict.ToolsChanged) || v.Has(verdict.ModelChanged)
}

// hidden says where groups left the window with this request or an earlier one: moves always leave at the same place,
// so they are one run.
func (v *viewer) hidden() []api.HiddenRun {
	run := api.HiddenRun{}
	for n := v.rec.N; n > 0; {
		r, err := v.b.record(n)
		if err != nil {
			break
		}
		for _, a := range r.Meta.Announcements {
			if a.Kind != verdict.AnnounceWindow {
				continue
			}
			run.Messages += a.To - a.From
			if run.Request == 0 {
				run.Before, run.Request = a.From, r.N
			}
			if r == v.rec && v.base != nil && a.To <= v.base.Messages.Len() {
				from, _ := v.base.Range(wire.KindMessage, a.From)
				_, to := v.base.Range(wire.KindMessage, a.To-1)
				run.Bytes += to - from
			}
		}
		n = r.Meta.Predecessor
	}
	if run.Messages == 0 {
		return []api.HiddenRun{}
	}
	return []api.HiddenRun{run}
}

func verdictView(v verdict.Verdict) api.VerdictView {
	out := api.VerdictView{Verdict: string(v.Verdict), Planned: v.Planned, Causes: []api.CauseView{}, Path: v.Path, PartOffset: v.PartOffset,
		BodyOffset: v.BodyOffset, HistoryLost: v.HistoryLost, Notes: append([]string{}, v.Notes...)}
	if v.Part != nil {
		out.PartKind, out.PartIndex = string(v.Part.Kind), v.Part.Index
	}
	if v.Context != nil {
		out.Before, out.After = v.Context.Before, v.Context.After
	}
	for _, w := range v.NoteWords {
		out.NoteWords = append(out.NoteWords, inWords(w))
	}
	for _, c := range v.Causes {
		cv := api.CauseView{Verdict: string(c.Kind), Planned: c.Planned, Detail: c.Detail, Words: inWords(c.Words), Path: c.Path, PartOffset: c.PartOffset, BodyOffset: c.BodyOffset}
		if c.Part != nil {
			cv.PartKind, cv.PartIndex = string(c.Part.Kind), c.Part.Index
		}
		out.Causes = append(out.Causes, cv)
	}
	return out
}
