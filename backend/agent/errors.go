package agent

import (
	"context"
	"errors"

	"zimoscope/backend/agent/provider"
)

// Errors of a turn. In each case the conversation so far is kept and valid.
var (
	ErrBusy      = errors.New("the agent is working: stop it first")
	ErrNothing   = errors.New("there is nothing to try again: the last turn is complete")
	ErrLoopLimit = errors.New("the model called tools until the limit of one turn without answering; what it did is kept, write to go on")
	ErrAbandoned = errors.New("abandoned: the staged request was not sent, or the call was not run; what came before is kept")
	ErrStopped   = errors.New("stopped; what came before is kept")
	ErrStore     = errors.New("the session could not be stored, so it was halted before anything more was done")
	ErrClosed    = errors.New("the session is closed")
)

func cancelled(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, ErrStopped) {
		return true
	}
	var e *provider.Error
	return errors.As(err, &e) && e.Kind == provider.KindCancelled
}
