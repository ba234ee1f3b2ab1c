package agent

import (
	"context"
	"fmt"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/safely"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

// stage builds the next main request and passes the points before it. What it depends on may change while it waits;
// then it is built again, and what goes out is exactly what stood there last.
func (s *Session) stage(ctx context.Context) (*Record, error) {
	for held := Point(""); ; {
		if err := stopError(ctx); err != nil {
			return nil, err
		}
		stale := s.o.Stepper.now()
		rec := s.record(s.build(), verdict.KindMain, s.last(), s.announce)
		if held == "" {
			held = s.pausePoint(rec)
		} else {
			s.judgeStaged(rec)
		}
		if held == "" {
			return rec, nil
		}
		// What led here is kept before anyone looks at it; the staged request itself is not: it may be abandoned.
		if err := s.keep(); err != nil {
			return nil, err
		}
		switch s.pause(ctx, held, rec, "", stale) {
		case passed:
			return rec, nil
		case abandoned:
			return nil, ErrAbandoned
		case stopped:
			return nil, stopError(ctx)
		}
	}
}

// pausePoint says at which point a staged request waits, "" when at none.
func (s *Session) pausePoint(rec *Record) Point {
	st := s.o.Stepper
	if st.wants(BeforeRequest, "") {
		s.judgeStaged(rec)
		return BeforeRequest
	}
	if !st.wants(OnVerdict, "") && !st.wants(OnRedline, "") {
		return ""
	}
	s.judgeStaged(rec)
	if st.wants(OnVerdict, "") && rec.Verdict.Violation() {
		return OnVerdict
	}
	for _, l := range rec.Redlines {
		if st.wants(OnRedline, "") && l.OK != nil && !*l.OK {
			return OnRedline
		}
	}
	return ""
}

func (s *Session) judgeStaged(rec *Record) {
	j := s.checker.Peek(s.judged(rec))
	rec.Verdict, rec.Redlines = j.Verdict, j.Redlines
}

// pause stops at a point. stale ends the pause when what was built no longer holds; nil never does.
func (s *Session) pause(ctx context.Context, p Point, rec *Record, tool string, stale <-chan struct{}) answer {
	h := s.o.Stepper.arm(p, stale)
	if rec != nil {
		s.tell(Event{Kind: EventStaged, Record: rec})
	}
	s.tell(Event{Kind: EventPaused, Text: string(p), Record: rec, Tool: tool})
	a := h.wait(ctx)
	s.tell(Event{Kind: EventResumed, Text: string(p)})
	return a
}

// record makes the record of a built request that is not sent yet.
func (s *Session) record(v *requestview.View, kind string, predecessor int, ann []verdict.Announcement) *Record {
	tail := v.TailOffset
	if v.Carrier == requestview.NoCarrier {
		tail = -1
	}
	seals := map[int]string{}
	for i, source := range s.seals {
		seals[i] = source
	}
	var before *requestview.View
	if s.prev != nil {
		before = s.prev.View
	}
	apart := false
	if slot := s.Slot(); slot.Frame != nil && slot.CallID == byHand {
		apart = true
	}
	return &Record{N: s.o.Journal.Requests() + 1, Status: StatusStaged, Sizes: sizesOf(v, before), Proof: ProofPending, View: v, Carrier: v.Carrier, Turn: s.t.Turns(), Events: s.t.Seq(), Seals: seals,
		Meta: verdict.Meta{Thread: s.o.Thread, Kind: kind, Predecessor: predecessor, TailOffset: tail, FrameApart: apart, Announcements: ann}}
}

// last is the number of the last main request, 0 when there is none.
func (s *Session) last() int {
	if s.prev == nil {
		return 0
	}
	return s.prev.N
}

func (s *Session) judged(rec *Record) *verdict.Request {
	return &verdict.Request{Body: rec.View.Body, Meta: &rec.Meta, Number: rec.N}
}

// admit gives a request its verdict and stores it with everything that led to it: the second commit of the step
// before. Only then it may be sent.
func (s *Session) admit(rec *Record, main bool) error {
	s.judge(rec)
	rec.Status, rec.SentAt = StatusSending, s.o.Now().UnixMilli()
	carriers := 0
	if rec.Carrier != requestview.NoCarrier || !main {
		carriers = 1
	}
	batch := store.Batch{Request: &store.Request{N: rec.N, Body: rec.View.Body, Source: rec.View.Source(s.t.Events), Carriers: carriers}, Facts: []store.Facts{rec.Facts()}}
	if main { // a side request runs inside a step whose reply is not in the transcript yet
		batch.Events, batch.Done = s.t.Drain(), true
	}
	if err := s.commit(batch); err != nil {
		return err
	}
	if main {
		s.prev, s.announce, s.seals = rec, nil, map[int]string{}
		s.buffers.taken()
	}
	s.tell(Event{Kind: EventSending, Record: rec})
	return nil
}

// judge compares a request with its predecessor and holds it to the redlines. The same bytes once more, after a
// failure, are another attempt: nothing about them changed.
func (s *Session) judge(rec *Record) {
	j := s.checker.Add(s.judged(rec))
	if j.Attempt && s.prev != nil {
		rec.Meta.Kind = verdict.KindRetry
		rec.Verdict, rec.Redlines = verdict.Compare(s.judged(s.prev), s.judged(rec)), s.prev.Redlines
		return
	}
	rec.Verdict, rec.Redlines = j.Verdict, j.Redlines
}

// send sends a stored request and proves what left. stop ends the stream early.
func (s *Session) send(ctx context.Context, rec *Record, stop func(*provider.Response) bool) (*provider.Response, error) {
	start := s.o.Now()
	p := &proof{body: rec.View.Body, spare: s.buffers.sent}
	predicted := s.predict(rec)
	resp, err := s.o.Model.Stream(ctx, rec.View.Body.Raw, provider.StreamOptions{
		OnDelta: func(d provider.Delta) {
			s.proved(rec, p)
			s.tell(Event{Kind: EventDelta, Record: rec, Delta: d})
		},
		StopWhen:  stop,
		OnAttempt: p.attempt,
	})
	p.hashing.Wait()
	s.proved(rec, p)
	s.buffers.sent = p.spare
	if rec == s.prev {
		s.buffers.settled(rec)
	}
	rec.Predicted = s.foretold(<-predicted)
	rec.Millis = max(0, s.o.Now().Sub(start).Milliseconds()) // a clock may be set back
	if resp != nil {
		rec.Attempts = resp.Attempts
	}
	return resp, err
}

// predict runs beside the request: counting tokens is no reason to send later. The first request of a resumed session
// is predicted from what the session sent before.
func (s *Session) predict(rec *Record) <-chan foresight {
	out := make(chan foresight, 1)
	if s.o.Predictor == nil {
		out <- foresight{}
		return out
	}
	r, earlier := s.judged(rec), s.earlier
	s.earlier = nil
	var p *Prediction
	safely.Go(func() error {
		if earlier != nil {
			s.o.Predictor.Predict(earlier)
		}
		p = s.o.Predictor.Predict(r)
		return nil
	}, func(err error) { out <- foresight{p, err} })
	return out
}

// foresight is what predict found.
type foresight struct {
	prediction *Prediction
	err        error
}

// foretold gives a prediction. What panicked counts no further: of what it remembers half may be missing.
func (s *Session) foretold(f foresight) *Prediction {
	if f.err != nil {
		s.o.Predictor = nil
		s.tell(Event{Kind: EventNote, Text: fmt.Sprintf("What a cache would have reused is not told for the rest of this session: %v.", f.err)})
		return nil
	}
	return f.prediction
}

// proved takes what the proof found into the record.
func (s *Session) proved(rec *Record, p *proof) {
	for _, a := range p.take() {
		rec.Proof, rec.ProofNote = a.proof, a.note
		if a.proof == ProofHolds {
			rec.Meta.BodySHA256 = a.sum
		}
		s.tell(Event{Kind: EventAttempt, Record: rec, Attempt: a.n, Body: a.sent, Err: a.err})
		p.give(a.sent)
	}
}

// settle fills a record from a whole response.
func (s *Session) settle(rec *Record, resp *provider.Response) {
	rec.Status, rec.Finish = StatusDone, resp.FinishReason
	if len(resp.Usage) > 0 {
		rec.Usage = s.o.Secrets.Bytes(resp.Usage)
	}
	rec.Tools = nil
	for _, c := range resp.Calls {
		rec.Tools = append(rec.Tools, s.publicName(c.Name))
	}
}

// windowAnnouncements name the messages of the predecessor that left. A cut counts in what the cuts before it left
// over; cuts come from the old end to the new one.
func windowAnnouncements(cuts []transcript.Cut) (list []verdict.Announcement) {
	gone := 0
	for _, c := range cuts {
		list = append(list, verdict.Announcement{Kind: verdict.AnnounceWindow, From: c.From + gone, To: c.To + gone})
		gone += c.To - c.From
	}
	return list
}

// headChanges announces what another header changes, exactly: the new leaf of what differs.
func headChanges(old, now transcript.View) (list []verdict.Announcement) {
	before, after := wire.Assemble(old.Head, old.Log, min(1, old.Frozen), nil), wire.Assemble(now.Head, now.Log, min(1, now.Frozen), nil)
	add := func(kind string, was, is wire.Hash) {
		if was != is {
			list = append(list, verdict.Announcement{Kind: kind, Leaf: is})
		}
	}
	add(verdict.AnnounceModel, before.Model.Leaf, after.Model.Leaf)
	add(verdict.AnnounceTools, lastTool(before), lastTool(after))
	add(verdict.AnnounceSystem, before.Messages.Part(0).Leaf, after.Messages.Part(0).Leaf)
	return list
}

func lastTool(b *wire.Body) wire.Hash {
	if n := b.Tools.Len(); n > 0 {
		return b.Tools.Part(n - 1).Link
	}
	return b.Model.Link
}
