package provider

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Kind says what failed, in terms of what the user or the agent can do.
type Kind string

// The kinds of failure.
const (
	KindUnreachable   Kind = "unreachable"    // no answer at the address
	KindUnauthorised  Kind = "unauthorised"   // the key was refused
	KindNotFound      Kind = "not-found"      // no such model or address
	KindRateLimited   Kind = "rate-limited"   // too many requests, or no credit left
	KindContextLength Kind = "context-length" // the request is longer than the model takes
	KindBadRequest    Kind = "bad-request"    // the server refused the request as it is
	KindServer        Kind = "server"         // the server failed
	KindCutStream     Kind = "cut-stream"     // the answer ended before it was whole
	KindInBand        Kind = "in-band"        // an error inside a successful answer
	KindProtocol      Kind = "protocol"       // the answer is not what the protocol says
	KindCancelled     Kind = "cancelled"      // the caller cancelled
	KindTimeout       Kind = "timeout"        // a limit of ours ran out
	KindMistake       Kind = "mistake"        // the program itself failed beside the request
)

// ErrCutStream matches, by errors.Is, an answer that ended with neither a
// finish reason nor [DONE]. What arrived is in the returned Response; its calls
// must not be run. The request can be sent again.
var ErrCutStream = errors.New("the answer was cut off")

// Error is every failure of Stream. Its text is made for the user and holds no
// secret.
type Error struct {
	Kind   Kind
	Status int // HTTP status; 0 when there was none
	// Provider is the provider's own words, shortened, secrets removed.
	Provider string
	// RetryAfter is the wait the provider asked for; 0 when it named none.
	RetryAfter time.Duration
	// RejectedField is the optional field that the server refused, when its
	// text says so (KindBadRequest).
	RejectedField string
	// InBand is set when the failure came inside a successful answer.
	InBand bool
	// Timeout is the limit that ran out (KindTimeout).
	Timeout time.Duration

	where   string // address, without parameters
	model   string
	mistake error // KindMistake
}

// Is matches ErrCutStream, context.Canceled and context.DeadlineExceeded.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrCutStream:
		return e.Kind == KindCutStream
	case context.Canceled:
		return e.Kind == KindCancelled
	case context.DeadlineExceeded:
		return e.Kind == KindTimeout
	}
	return false
}

// Unwrap gives what KindMistake stands for.
func (e *Error) Unwrap() error { return e.mistake }

// Error says what happened, what was kept and what to do.
func (e *Error) Error() string {
	text := e.sentence()
	if e.Provider != "" {
		text += " It said: " + e.Provider
	}
	return text
}

func (e *Error) sentence() string {
	switch e.Kind {
	case KindUnreachable:
		return fmt.Sprintf("No answer from the provider at %s. The conversation is kept; check that it runs and that the address is right, then send again.", e.where)
	case KindUnauthorised:
		return fmt.Sprintf("The provider at %s refused the key%s. The conversation is kept; check the key in the connection settings.", e.where, e.status())
	case KindNotFound:
		return fmt.Sprintf("The provider at %s knows no model %q, or nothing is at this address%s. Check the model name, and whether the address has to end in /v1.", e.where, e.model, e.status())
	case KindRateLimited:
		return fmt.Sprintf("The provider takes no more requests for now%s%s. The conversation is kept; send again later.", e.status(), e.wait())
	case KindContextLength:
		return fmt.Sprintf("The request is longer than the model %q takes%s. Nothing was run; older history has to leave the request first.", e.model, e.status())
	case KindBadRequest:
		if e.RejectedField != "" {
			return fmt.Sprintf("The provider refused the optional field %q%s. Nothing was run; the request can be sent without it.", e.RejectedField, e.status())
		}
		return fmt.Sprintf("The provider refused the request as it is%s. Nothing was run; it was not sent again.", e.status())
	case KindServer:
		return fmt.Sprintf("The provider at %s failed%s. The conversation is kept; send again.", e.where, e.status())
	case KindCutStream:
		return "The answer was cut off before it was whole. What arrived is shown but not kept as an answer, and none of its calls was run; send again."
	case KindInBand:
		return "The provider reported an error in the middle of its answer. What arrived is shown but not kept as an answer; send again."
	case KindProtocol:
		return fmt.Sprintf("The answer from %s is not a chat completion%s. Nothing was run; check the address, and whether it has to end in /v1.", e.where, e.status())
	case KindCancelled:
		return "The request was cancelled. What arrived is shown but not kept as an answer."
	case KindTimeout:
		return fmt.Sprintf("The provider sent nothing for %s. What arrived is shown but not kept as an answer; send again, or raise the limit in the connection settings.", e.Timeout)
	case KindMistake:
		return fmt.Sprintf("The request was given up: %v.", e.mistake)
	}
	return "The request failed."
}

func (e *Error) status() string {
	if e.Status == 0 {
		return ""
	}
	return fmt.Sprintf(" (status %d)", e.Status)
}

func (e *Error) wait() string {
	if e.RetryAfter <= 0 {
		return ""
	}
	return fmt.Sprintf(", and asks to wait %s", e.RetryAfter.Round(time.Second))
}
