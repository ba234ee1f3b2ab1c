package agent

import (
	"context"
	"fmt"
	"strings"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

const (
	// sideTries is how often one summary step is asked before the Summary is derived.
	sideTries = 2
	// sideFailsInRow is how many records in a row may fail in one turn before summary steps are given up for it.
	sideFailsInRow = 3
)

// sealWith seals the pending record after a response: by its visible text, else by a summary step.
func (s *Session) sealWith(ctx context.Context, text string, answered *Record) error {
	if line := narration(text, s.o.Profile.NarrationNeedsLine); line != "" {
		return s.seal(line, transcript.FromNarration)
	}
	return s.sealByStep(ctx, answered.View, answered.N)
}

// sealByStep asks for the Summary by side requests, and derives it when they fail.
func (s *Session) sealByStep(ctx context.Context, main *requestview.View, n int) error {
	for try := 0; try < sideTries && s.sideFails < sideFailsInRow && ctx.Err() == nil; try++ {
		line, err := s.summaryStep(ctx, main, n)
		if isStore(err) {
			return err
		}
		if line != "" {
			s.sideFails = 0
			if err := s.seal(line, transcript.FromStep); err != nil {
				return err
			}
			// Nothing else holds this line, and the calls that come now may take long. The reply stays open.
			return s.commit(store.Batch{Events: s.t.Drain()})
		}
	}
	s.sideFails++
	return s.seal(s.derived(), transcript.FromCode)
}

// summaryStep sends the body of the request just answered with one instruction at the end of its tail. It is a leaf:
// nothing of it enters history but the line.
func (s *Session) summaryStep(ctx context.Context, main *requestview.View, n int) (string, error) {
	rec := s.record(requestview.SummaryStep(main), verdict.KindSide, n, nil)
	rec.Seals = nil
	if point := s.sidePoint(rec); point != "" {
		switch s.pause(ctx, point, rec, "", nil) {
		case abandoned, stopped:
			return "", nil
		}
	}
	if err := s.admit(rec, false); err != nil {
		return "", err
	}
	resp, err := s.send(ctx, rec, func(r *provider.Response) bool { return len(r.Calls) > 0 || oneLineDone(visible(r.Text)) })
	if err != nil {
		return "", ignoreProvider(s.failed(rec, resp, err))
	}
	s.settle(rec, resp)
	rec.Tools = nil
	b := store.Batch{Response: &store.Response{N: rec.N, Raw: s.o.Secrets.Bytes(resp.Raw)}, Facts: []store.Facts{rec.Facts()}}
	if err := s.commit(b); err != nil {
		return "", err
	}
	line := stepSummary(s.o.Secrets.Text(resp.Text))
	s.tell(Event{Kind: EventResponse, Record: rec, Text: line})
	return line, nil
}

// ignoreProvider keeps a failed store an error; a provider that fails a summary step only costs the model's words.
func ignoreProvider(err error) error {
	if isStore(err) {
		return err
	}
	return nil
}

func (s *Session) sidePoint(rec *Record) Point {
	if !s.o.Stepper.wants(BeforeRequest, "") {
		return ""
	}
	s.judgeStaged(rec)
	return BeforeRequest
}

// seal writes the Summary of the pending record.
func (s *Session) seal(line string, source transcript.Source) error {
	at := s.pendingIndex()
	if err := s.t.Seal(line, source); err != nil {
		return err
	}
	s.seals[at] = string(source)
	e := Event{Kind: EventSealed, Text: line, State: string(source)}
	if source == transcript.FromStep {
		s.untold = append(s.untold, e)
	} else { // it follows from the stored response
		s.tell(e)
	}
	return nil
}

// pendingIndex is the message index of the pending record in the next request.
func (s *Session) pendingIndex() int { return s.t.View().Frozen }

// derived says what code knows of the pending record. It never passes for the model's words.
func (s *Session) derived() string {
	record, _ := s.t.Pending()
	outcome, audit := line(record, "Outcome: "), line(record, "Frame audit: ")
	if audit == "" || strings.HasPrefix(audit, "none") {
		return fmt.Sprintf("the operation ended with %s and brought no new screen.", orText(outcome, "no known outcome"))
	}
	return fmt.Sprintf("the operation ended with %s; the screen after it: %s.", orText(outcome, "no known outcome"), audit)
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func line(record, label string) string {
	for _, l := range strings.Split(record, "\n") {
		if v, ok := strings.CutPrefix(l, label); ok {
			return v
		}
	}
	return ""
}
