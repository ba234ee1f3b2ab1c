package provider

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3/option"
)

const (
	// afterFinishTimeout bounds the wait for usage and [DONE] once the answer
	// is whole: some servers never close the stream.
	afterFinishTimeout = 15 * time.Second
	// drainTimeout and drainBytes bound what is read after [DONE] so that the
	// connection can be used again.
	drainTimeout = 250 * time.Millisecond
	drainBytes   = 4 << 10
)

// StreamOptions are the caller's hooks; each may be nil. They are called from
// the goroutine that called Stream, except AttemptTap's methods, which the
// transport calls.
type StreamOptions struct {
	OnDelta func(Delta)
	// StopWhen is asked after each chunk; true ends the stream early, which is
	// no error. The response it sees has no Raw yet and no valid arguments.
	StopWhen func(*Response) bool
	// OnAttempt is asked for a tap before a body goes out, with the attempt's
	// number from 1. It may return nil.
	OnAttempt func(attempt int) AttemptTap
}

// Stream sends body, which must hold "stream":true, and returns the answer.
// The bytes go out unchanged, on every attempt. Attempts are repeated after
// connection errors and the statuses 408, 409, 429 and 5xx, as long as nothing
// of an answer was read. Every error is an *Error; the response beside it holds
// what arrived and is never nil.
func (c *Client) Stream(ctx context.Context, body []byte, opts StreamOptions) (*Response, error) {
	r := c.newRun(ctx, opts)
	res := &Response{}
	err := r.do(body, res)
	r.end()
	r.fill(res)
	if own := r.ownMistake(); own != nil {
		e := c.newError(KindMistake, "")
		e.mistake = own
		return res, e
	}
	if err != nil {
		return res, err
	}
	return res, nil
}

// do returns an untyped nil or an *Error.
func (r *run) do(body []byte, res *Response) error {
	var answer *http.Response
	err := r.client.api.Post(r.ctx, "chat/completions", nil, &answer,
		option.WithRequestBody("application/json", body),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithHTTPClient(&http.Client{Transport: r, CheckRedirect: noRedirect}),
	)
	if answer != nil {
		res.Status = answer.StatusCode
		defer func() { _ = answer.Body.Close() }()
	}
	if stopped := r.stopped(); stopped != nil {
		return stopped
	}
	if answer == nil {
		return r.client.newError(KindUnreachable, reason(err))
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, maxErrorBody))
		if stopped := r.stopped(); stopped != nil {
			return stopped
		}
		return r.client.httpError(answer, text)
	}
	asm := newAssembler(res, r.opts.OnDelta)
	asm.live = r.opts.StopWhen != nil
	failure := r.read(answer.Body, asm)
	asm.publish(true)
	if failure != nil {
		return failure
	}
	return nil
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// reason gives the innermost cause of a connection error: the outer ones hold
// the address with its parameters.
func reason(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

// stopped tells a cancelled call from one that ran into a limit.
func (r *run) stopped() error {
	cause := context.Cause(r.ctx)
	if cause == nil {
		return nil
	}
	var limit *expired
	if errors.As(cause, &limit) {
		e := r.client.newError(KindTimeout, "")
		e.Timeout = limit.limit
		return e
	}
	if errors.Is(cause, context.DeadlineExceeded) {
		return r.client.newError(KindTimeout, "the caller's deadline passed")
	}
	return r.client.newError(KindCancelled, "")
}

func (r *run) read(body io.Reader, asm *assembler) error {
	br := bufio.NewReaderSize(body, readBufferBytes)
	first, err := skipPreamble(br)
	if err != nil {
		return r.broken(err, asm)
	}
	if first == '{' || first == '[' || first == '<' {
		return r.readWhole(br, asm)
	}
	asm.res.Streamed = true
	events := newEventReader(br)
	for {
		ev, err := events.next()
		if err != nil {
			return r.broken(err, asm)
		}
		if isDone(ev.data) {
			r.drain(br)
			return nil
		}
		if fault := asm.feed(ev.name, ev.data); fault != nil {
			return r.fault(fault)
		}
		if asm.finished() {
			r.setIdle(afterFinishTimeout)
		}
		if r.opts.StopWhen != nil && r.opts.StopWhen(asm.res) {
			asm.res.Stopped = true
			return nil
		}
	}
}

// readWhole takes an answer that is one JSON object, as some servers give to a
// request for a stream.
func (r *run) readWhole(br *bufio.Reader, asm *assembler) error {
	body, err := readBounded(br)
	if err != nil {
		return r.broken(err, asm)
	}
	body = bytes.TrimSpace(body)
	if body[0] == '{' && !json.Valid(body) {
		return r.broken(io.ErrUnexpectedEOF, asm)
	}
	if fault := asm.feed("", body); fault != nil {
		return r.fault(fault)
	}
	if !asm.finished() && asm.empty() {
		return r.client.newError(KindProtocol, plainText(body))
	}
	return nil
}

func (r *run) fault(f *chunkFault) error {
	if f.protocol {
		return r.client.newError(KindProtocol, f.words.text)
	}
	return r.client.inBandError(f.words)
}

// broken judges the end of a stream that [DONE] did not announce.
func (r *run) broken(err error, asm *assembler) error {
	caller := r.stopped()
	var e *Error
	if asm.finished() && (caller == nil || (errors.As(caller, &e) && e.Kind == KindTimeout)) {
		return nil // whole: only the formal end is missing
	}
	switch {
	case caller != nil:
		return caller
	case errors.Is(err, errLineTooLong), errors.Is(err, errAnswerTooLong):
		return r.client.newError(KindProtocol, err.Error())
	}
	return r.client.newError(KindCutStream, "")
}

// drain reads the formal end of the body after [DONE].
func (r *run) drain(br *bufio.Reader) {
	r.setIdle(drainTimeout)
	_, _ = io.CopyN(io.Discard, br, drainBytes)
}
