package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/safely"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

// turn goes from request to request until the model answers without a call.
func (s *Session) turn(ctx context.Context) (answer string, err error) {
	defer func() {
		err = s.endTurn(err)
		s.tell(Event{Kind: EventDone, Text: answer, Err: err})
	}()
	err = safely.Do(func() (err error) { answer, err = s.steps(ctx); return err })
	return answer, err
}

func (s *Session) steps(ctx context.Context) (answer string, err error) {
	moved := false
	for {
		if s.step++; s.step > s.o.MaxSteps {
			return "", ErrLoopLimit
		}
		if err := s.moveWindow(false); err != nil {
			return "", err
		}
		rec, resp, err := s.main(ctx)
		var pe *provider.Error
		if errors.As(err, &pe) && pe.Kind == provider.KindContextLength && !moved {
			moved = true
			if err := s.moveWindow(true); err != nil {
				return "", err
			}
			if len(s.announce) > 0 {
				continue
			}
		}
		if s.forget(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		moved = false
		done, err := s.digest(ctx, rec, resp)
		if err != nil || done {
			return visible(resp.Text), err
		}
	}
}

// endTurn leaves a valid conversation, whatever ended the turn. A turn that can be tried again keeps its pending
// record; one that a person ended has none.
func (s *Session) endTurn(cause error) error {
	if cause == nil || isStore(cause) {
		return cause
	}
	if _, pending := s.t.Pending(); pending && (cancelled(cause) || errors.Is(cause, ErrAbandoned) || errors.Is(cause, ErrLoopLimit)) {
		if err := s.seal(s.derived(), transcript.FromCode); err != nil {
			return errors.Join(cause, err)
		}
	}
	if err := s.keep(); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

// moveWindow hides old groups when the history outgrew its budget, and announces it.
func (s *Session) moveWindow(force bool) error {
	if !force && !s.t.NeedsWindow() {
		return nil
	}
	cuts, err := s.t.MoveWindow(force)
	if err != nil {
		return err
	}
	s.announce = append(s.announce, windowAnnouncements(cuts)...)
	if len(cuts) > 0 {
		s.tell(Event{Kind: EventWindow, Text: fmt.Sprintf("%d messages left the window", hiddenMessages(cuts))})
	}
	return nil
}

func hiddenMessages(cuts []transcript.Cut) (n int) {
	for _, c := range cuts {
		n += c.To - c.From
	}
	return n
}

// digest takes a response in: the first commit, the seal, the reply, the calls. done says that the turn is complete.
func (s *Session) digest(ctx context.Context, rec *Record, resp *provider.Response) (done bool, err error) {
	reply := s.replyOf(resp)
	raw, err := json.Marshal(reply)
	if err != nil {
		return false, err
	}
	s.settle(rec, resp)
	if err := s.commit(store.Batch{Response: &store.Response{N: rec.N, Raw: s.o.Secrets.Bytes(resp.Raw)}, Reply: raw, Facts: []store.Facts{rec.Facts()}}); err != nil {
		return false, err
	}
	s.tell(Event{Kind: EventResponse, Record: rec, Text: visible(reply.Text)})
	if _, pending := s.t.Pending(); pending {
		if err := s.sealWith(ctx, reply.Text, rec); err != nil {
			return false, err
		}
	}
	calls, err := s.t.AppendReply(reply)
	if err != nil {
		return false, err
	}
	if len(calls) == 0 {
		return true, s.commit(store.Batch{Events: s.t.Drain(), Done: true})
	}
	return false, s.runCalls(ctx, calls, resp.Calls)
}

// replyOf takes a response in the form that history keeps: secrets removed, names legal, ids as the profile wants them.
func (s *Session) replyOf(resp *provider.Response) transcript.Reply {
	text := resp.Text
	if text == "" {
		text = resp.Refusal
	}
	r := transcript.Reply{Text: s.o.Secrets.Text(text), Reasoning: s.o.Secrets.Text(resp.Reasoning), ReasoningField: resp.ReasoningField}
	if r.ReasoningField == "content" || r.ReasoningField == "" {
		r.ReasoningField = s.o.Profile.ReasoningField
	}
	for _, c := range resp.Calls {
		r.Calls = append(r.Calls, s.callOf(c))
	}
	return r
}

// main stages, sends and reads one request of the loop. It is stored before it is sent.
func (s *Session) main(ctx context.Context) (*Record, *provider.Response, error) {
	rec, err := s.stage(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := s.admit(rec, true); err != nil {
		return nil, nil, err
	}
	resp, err := s.send(ctx, rec, nil)
	if err != nil {
		return rec, resp, s.failed(rec, resp, err)
	}
	return rec, resp, nil
}

// forget takes an optional parameter that the provider refused out of the header, for the rest of the session. It says
// whether there was one; the request can be sent again then.
func (s *Session) forget(cause error) bool {
	var pe *provider.Error
	if !errors.As(cause, &pe) || pe.RejectedField == "" {
		return false
	}
	h := s.t.Header()
	at := slices.IndexFunc(h.Params, func(p wire.Param) bool { return p.Name == pe.RejectedField })
	if at < 1 { // stream itself is not optional
		return false
	}
	h.Params = slices.Delete(slices.Clone(h.Params), at, at+1)
	if s.Rehead(h) != nil {
		return false
	}
	s.tell(Event{Kind: EventNote, Text: fmt.Sprintf("The provider refuses the parameter %q; it is left out for the rest of this session.", pe.RejectedField)})
	return true
}

// failed stores what is known of a request that brought no whole response, and gives the error for the turn.
func (s *Session) failed(rec *Record, resp *provider.Response, cause error) error {
	rec.Status, rec.Error = StatusError, s.o.Secrets.Text(cause.Error())
	if cancelled(cause) {
		rec.Status, rec.Error = StatusCancelled, ""
		cause = fmt.Errorf("%w", ErrStopped)
	}
	b := store.Batch{Facts: []store.Facts{rec.Facts()}}
	if resp != nil && len(resp.Raw) > 0 {
		b.Response = &store.Response{N: rec.N, Raw: s.o.Secrets.Bytes(resp.Raw)}
	}
	if err := s.commit(b); err != nil {
		return err
	}
	s.tell(Event{Kind: EventResponse, Record: rec, Err: cause})
	return cause
}

// build makes the request as things stand now.
func (s *Session) build() *requestview.View {
	return requestview.Build(requestview.Input{Transcript: s.t.View(), Slot: s.Slot(), Notices: s.notices(), BlockTokens: s.o.BlockTokens, Buffer: s.buffers.next()})
}
