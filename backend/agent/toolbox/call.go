package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// call runs one tool on this server.
func (s *server) call(ctx context.Context, tool string, args json.RawMessage) Result {
	args, err := normalArgs(args)
	if err != nil {
		return failure(StateNotSent, fmt.Sprintf("The tool %q was not called: %v. Call it again with a JSON object.", tool, err))
	}
	l := s.current()
	if l == nil || !s.alive() {
		return failure(StateNotSent, fmt.Sprintf("The tool %q was not called: its server %q is not running. It is started again before the next turn.", tool, s.cfg.Name))
	}
	limit := s.cfg.CallTimeout
	if limit <= 0 {
		limit = defaultCallTimeout
	}
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r, id, err := l.requestID(inner, "tools/call", callParams(tool, args))
	switch {
	case err == nil:
		return s.outcome(tool, r)
	case errors.Is(err, errSessionLost):
		return s.lostSession(inner, l, tool)
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		l.withdraw(id, "cancelled by the user")
		return failure(StateCancelled, fmt.Sprintf("The call of %q was cancelled. It may have run; look before calling it again.", tool))
	case inner.Err() != nil:
		l.withdraw(id, "deadline passed")
		return failure(StateTimeout, fmt.Sprintf("The tool %q gave no answer within %s. It may have run and was not repeated; look before calling it again.", tool, limit.Round(time.Millisecond)))
	}
	return s.broke(l, tool, err)
}

func failure(state, message string) Result {
	return Result{IsError: true, State: state, Message: message}
}

// outcome reads an answer without changing it.
func (s *server) outcome(tool string, r reply) Result {
	if r.rpcError != nil {
		text := rpcText(r.rpcError)
		return Result{
			IsError: true, State: StateRPCError, RPCError: text, EncodingError: !utf8.Valid(r.rpcError),
			Message: fmt.Sprintf("The server %q answered the call of %q with an error: %s", s.cfg.Name, tool, text),
		}
	}
	if len(r.result) == 0 || bytes.TrimSpace(r.result)[0] != '{' {
		return failure(StateTransport, fmt.Sprintf("The server %q answered the call of %q with something that is no result. It may have run.", s.cfg.Name, tool))
	}
	if unfinished(r.result) {
		return Result{Raw: r.result, IsError: true, State: StateToolError, Message: unfinishedText(s.cfg.Name, tool)}
	}
	res := Result{Raw: r.result, State: StateOK, EncodingError: !utf8.Valid(r.result)}
	var head struct {
		IsError any `json:"isError"`
	}
	if json.Unmarshal(r.result, &head) == nil && head.IsError == true {
		res.IsError, res.State = true, StateToolError
	}
	if res.EncodingError {
		res.Message = fmt.Sprintf("The answer of %q holds bytes that are not UTF-8; it is shown but not taken for good.", tool)
	}
	return res
}

// lostSession renews the session; the call is not repeated.
func (s *server) lostSession(ctx context.Context, l *link, tool string) Result {
	text := fmt.Sprintf("The server %q had lost the session (it was probably restarted), so %q was not carried out.", s.cfg.Name, tool)
	if err := l.renew(ctx); err != nil {
		s.set(func(st *ServerStatus) { st.State, st.Error = ServerEnded, s.redact.text(err.Error()) })
		return failure(StateTransport, s.redact.text(fmt.Sprintf("%s %v.", text, err)))
	}
	return failure(StateTransport, text+" The session was renewed and the call was not repeated; read the current state, then call again.")
}

// broke judges a connection that failed under a call.
func (s *server) broke(l *link, tool string, err error) Result {
	why := s.redact.text(err.Error())
	if l.proc != nil {
		if l.proc.waitFor(drainGrace); l.exitCode() != nil {
			why = fmt.Sprintf("the server ended with exit code %d", *l.exitCode())
		}
		s.set(func(st *ServerStatus) {
			st.State, st.ExitCode, st.Error = ServerEnded, l.exitCode(), "The connection broke off: "+why+"."
		})
	} else {
		// A process that is gone stays gone; an address may answer again.
		s.set(func(st *ServerStatus) { st.Error, st.Stale = "The last call failed: "+why+".", true })
	}
	return failure(StateTransport, brokeOff(s.cfg.Name, tool, why))
}

func brokeOff(server, tool, why string) string {
	return fmt.Sprintf("The call of %q at %q broke off: %s. It may have run and was not repeated; look before calling it again.", tool, server, why)
}
