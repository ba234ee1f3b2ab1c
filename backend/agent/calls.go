package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/safely"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
	"zimoscope/backend/zimoos"
)

// operationPrefix marks public names that are ZimoOS operations whatever they return.
const operationPrefix = "zimoos."

// byHand stands in the slot for the call id of a frame that no call of the model brought: a person's call, or the fresh
// reading after a resume.
const byHand = "by hand"

// callOf takes a call of a response in the form that history keeps.
func (s *Session) callOf(c provider.Call) transcript.Call {
	name, _ := zimoos.Legal(c.Name)
	out := transcript.Call{ID: provider.MapCallID(s.o.Profile, c.ID), Function: name, Arguments: s.o.Secrets.Text(c.Arguments)}
	for _, f := range c.Extra {
		out.Extra = append(out.Extra, wire.Param{Name: f.Key, Raw: s.o.Secrets.Bytes(f.Raw)})
	}
	return out
}

func (s *Session) publicName(function string) string {
	if p, ok := s.names.Public(function); ok {
		return p.Tool
	}
	return function
}

// runCalls runs the calls of one response, one after another, in their order. Every call gets its result, whatever
// happens. Each result but the last is stored at once; the last goes with the next request.
func (s *Session) runCalls(ctx context.Context, calls []transcript.Call, given []provider.Call) error {
	for i, c := range calls {
		if err := safely.Do(func() error { return s.runCall(ctx, c, given[i]) }); err != nil {
			for _, open := range s.t.Open() {
				if e := s.closeCall(open, transcript.NotRun, "Not run: the turn ended before it."); e != nil {
					return e
				}
			}
			return err
		}
		if i < len(calls)-1 {
			if err := s.commit(store.Batch{Events: s.t.Drain(), Done: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

// runCall runs one call and appends its result. An error ends the turn; the result stands all the same.
func (s *Session) runCall(ctx context.Context, c transcript.Call, given provider.Call) error {
	public, offered := s.names.Public(given.Name)
	tool := public.Tool
	if !offered {
		return s.finish(c, given.Name, toolbox.Result{State: toolbox.StateNotSent, IsError: true, Message: fmt.Sprintf("No tool named %q is offered; nothing was run.", given.Name)}, 0)
	}
	if !given.ArgumentsValid {
		return s.finish(c, tool, toolbox.Result{State: toolbox.StateNotSent, IsError: true, Message: "The arguments were cut off or are no JSON object; nothing was run. Send the call again, whole."}, 0)
	}
	if err := s.passTool(ctx, c, tool); err != nil {
		return err
	}
	if err := stopError(ctx); err != nil {
		return s.refused(c, tool, "Not run: a person stopped the turn.", err)
	}
	s.tell(Event{Kind: EventTool, Tool: tool, Text: given.Arguments})
	if public.Server == "" {
		return s.runBuiltin(c, tool, given.Arguments)
	}
	seq := s.nextSeq()
	res := s.o.Tools.Call(ctx, public.Server, tool, json.RawMessage(given.Arguments))
	if err := s.finish(c, tool, res, seq); err != nil {
		return err
	}
	if now := s.Slot(); seq > 0 && now.CallID == c.ID && s.o.Stepper.wants(AfterFrame, tool) {
		if err := s.keep(); err != nil {
			return err
		}
		if s.pause(ctx, AfterFrame, nil, tool, nil) == abandoned {
			return ErrAbandoned
		}
	}
	return stopError(ctx)
}

// passTool waits before a call where the stepper says so; when the call is not to run it gets its result here.
func (s *Session) passTool(ctx context.Context, c transcript.Call, tool string) error {
	if !s.o.Stepper.wants(BeforeTool, tool) {
		return nil
	}
	if err := s.keep(); err != nil {
		return err
	}
	switch s.pause(ctx, BeforeTool, nil, tool, nil) {
	case abandoned:
		return s.refused(c, tool, "Not run: a person abandoned it.", ErrAbandoned)
	case stopped:
		return s.refused(c, tool, "Not run: a person stopped the turn.", stopError(ctx))
	}
	return nil
}

func (s *Session) refused(c transcript.Call, tool, why string, cause error) error {
	if err := s.finish(c, tool, toolbox.Result{State: toolbox.StateNotSent, IsError: true, Message: why}, 0); err != nil {
		return err
	}
	return cause
}

func (s *Session) nextSeq() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.callSeq++
	return s.callSeq
}

// finish appends the result of a call: a record when it is a ZimoOS operation, else ordinary text. Recognition comes
// before any shortening.
func (s *Session) finish(c transcript.Call, tool string, res toolbox.Result, seq uint64) error {
	seen := s.recognise(res)
	outcome := outcomeOf(res, &seen)
	text := s.o.Secrets.Text(resultText(res, seen))
	defer func() {
		s.untold = append(s.untold, Event{Kind: EventResult, Tool: tool, State: string(outcome), Text: text})
	}()
	if !seen.Claims() && !strings.HasPrefix(tool, operationPrefix) {
		return s.t.AppendResult(c.ID, tool, text, s.imagesOf(seen))
	}
	if outcome == transcript.OK && seen.Frame != nil {
		if !s.takeFrame(seen.Frame, tool, c.ID, seq) {
			outcome = transcript.Superseded
		}
	}
	s.mu.Lock()
	s.slot.Remember()
	s.mu.Unlock()
	err := s.t.AppendOperation(transcript.Operation{CallID: c.ID, Tool: tool, Arguments: c.Arguments, Outcome: outcome, Result: text,
		Frame: seen.Frame, Malformed: seen.Malformed, Images: len(seen.Images)})
	return err
}

// recognise reads a result as the session may keep it: secrets leave the raw bytes first, so that neither the block nor a
// record can hold one.
func (s *Session) recognise(res toolbox.Result) zimoos.Recognition {
	return zimoos.Recognise(s.o.Secrets.Bytes(res.Raw))
}

// takeFrame puts a frame into the slot and passes the point behind it.
func (s *Session) takeFrame(f *zimoos.Frame, tool, callID string, seq uint64) bool {
	s.mu.Lock()
	taken := s.slot.Offer(f, tool, callID, seq)
	s.mu.Unlock()
	if taken {
		s.tell(Event{Kind: EventFrame, Tool: tool, Text: f.Cursor})
	}
	return taken
}

func outcomeOf(res toolbox.Result, seen *zimoos.Recognition) transcript.Outcome {
	switch {
	case res.State == toolbox.StateTimeout:
		return transcript.TimedOut
	case res.State == toolbox.StateCancelled:
		return transcript.Cancelled
	case res.State == toolbox.StateNotSent:
		return transcript.NotRun
	case res.State != toolbox.StateOK || res.IsError || seen.IsError:
		return transcript.Failed
	case res.EncodingError || seen.Malformed != "":
		return transcript.Rejected
	}
	return transcript.OK
}

func resultText(res toolbox.Result, seen zimoos.Recognition) string {
	parts := seen.Texts
	if res.Message != "" {
		parts = append([]string{res.Message}, parts...)
	}
	if res.RPCError != "" && !strings.Contains(res.Message, res.RPCError) {
		parts = append(parts, res.RPCError)
	}
	if res.EncodingError {
		parts = append(parts, "(the answer held bytes that are not UTF-8)")
	}
	return strings.Join(parts, "\n")
}

func (s *Session) imagesOf(seen zimoos.Recognition) (list []transcript.Image) {
	for _, im := range seen.Images {
		list = append(list, transcript.Image{URL: "data:" + im.MIME + ";base64," + im.Data})
	}
	return list
}

// closeCall gives an open call a result that code knows: it did not run, or nobody knows.
func (s *Session) closeCall(id string, outcome transcript.Outcome, why string) error {
	tool, args := s.t.OpenCall(id)
	public := s.publicName(tool)
	if !strings.HasPrefix(public, operationPrefix) {
		return s.t.AppendResult(id, public, why, nil)
	}
	return s.t.AppendOperation(transcript.Operation{CallID: id, Tool: public, Arguments: args, Outcome: outcome, Result: why})
}

// CallByHand calls a tool for a person: it may move the slot, and nothing of it enters history. A staged request is
// built again.
func (s *Session) CallByHand(ctx context.Context, server, tool, arguments string) toolbox.Result {
	seq := s.nextSeq()
	res := s.o.Tools.Call(ctx, server, tool, json.RawMessage(arguments))
	seen := s.recognise(res)
	if outcomeOf(res, &seen) == transcript.OK && seen.Frame != nil {
		s.takeFrame(seen.Frame, tool, byHand, seq)
		s.o.Stepper.Poke()
	}
	return res
}
