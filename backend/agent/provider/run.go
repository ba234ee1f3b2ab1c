package provider

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	// maxErrorBody bounds the body of a failure that is read, in bytes.
	maxErrorBody = 1 << 20
	// maxAnswerBytes bounds one answer, in bytes.
	maxAnswerBytes = 256 << 20
)

var (
	errAnswerTooLong = errors.New("the answer is longer than 256 MB")
	errLostInTransit = errors.New("the connection was lost before an answer; the body was sent again")
	errNoAnswer      = errors.New("no answer")
)

// run is one call of Stream: its transport, its limits and its taps.
type run struct {
	client *Client
	opts   StreamOptions
	ctx    context.Context
	cancel context.CancelCauseFunc
	dog    watchdog

	mu       sync.Mutex
	attempts []*attempt
	started  time.Time // start of the last attempt
	mistake  error     // of a tap

	raw       bytes.Buffer
	firstByte time.Duration
	idle      time.Duration
}

func (c *Client) newRun(ctx context.Context, opts StreamOptions) *run {
	inner, cancel := context.WithCancelCause(ctx)
	return &run{
		client: c, opts: opts, ctx: inner, cancel: cancel,
		dog: watchdog{cancel: cancel}, started: time.Now(), idle: c.cfg.IdleTimeout,
	}
}

// end releases everything and waits until every tap was told its end.
func (r *run) end() {
	r.dog.disarm()
	r.cancel(errNoAnswer)
	r.mu.Lock()
	attempts := append([]*attempt(nil), r.attempts...)
	r.mu.Unlock()
	for _, a := range attempts {
		a.answer(0, errNoAnswer)
		a.settle()
	}
}

func (r *run) openAttempt() *attempt {
	r.mu.Lock()
	defer r.mu.Unlock()
	var tap AttemptTap
	if r.opts.OnAttempt != nil {
		tap = r.opts.OnAttempt(len(r.attempts) + 1)
	}
	a := newAttempt(tap, r.mistaken)
	r.attempts = append(r.attempts, a)
	r.started = time.Now()
	return a
}

// mistaken ends the call: what its tap should have seen can't be proved.
func (r *run) mistaken(err error) {
	r.mu.Lock()
	r.mistake = err
	r.mu.Unlock()
	r.cancel(err)
}

func (r *run) ownMistake() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mistake
}

func (r *run) lastAttempt() (*attempt, int, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.attempts) == 0 {
		return nil, 0, r.started
	}
	return r.attempts[len(r.attempts)-1], len(r.attempts), r.started
}

// RoundTrip sends one attempt with a tap on its body.
func (r *run) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	if req.Body != nil && req.Body != http.NoBody {
		out.Body = &tapBody{ReadCloser: req.Body, attempt: r.openAttempt()}
	}
	if again := req.GetBody; again != nil {
		// The transport asks for the body anew when a kept connection turned
		// out to be dead: that is another attempt.
		out.GetBody = func() (io.ReadCloser, error) {
			body, err := again()
			if err != nil {
				return nil, err
			}
			if last, _, _ := r.lastAttempt(); last != nil {
				last.answer(0, errLostInTransit)
			}
			return &tapBody{ReadCloser: body, attempt: r.openAttempt()}, nil
		}
	}
	r.dog.arm(r.client.cfg.FirstByteTimeout)
	res, err := r.client.net.RoundTrip(out)
	r.dog.disarm()
	last, _, _ := r.lastAttempt()
	if err != nil {
		if last != nil {
			last.answer(0, errNoAnswer)
		}
		return nil, err
	}
	if last != nil {
		last.answer(res.StatusCode, nil)
	}
	refuseRetry(res)
	r.watchBody(res)
	return res, nil
}

// refuseRetry takes away a server's wish to get a request again that it has
// just refused: the same bytes would be refused again.
func refuseRetry(res *http.Response) {
	switch res.StatusCode {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return
	}
	if res.StatusCode >= 400 && res.StatusCode < 500 {
		res.Header.Del("X-Should-Retry")
	}
}

// watchBody puts the limits and the recorder on an answer's body.
func (r *run) watchBody(res *http.Response) {
	limit := int64(maxAnswerBytes)
	if res.StatusCode >= 400 {
		limit = maxErrorBody
	}
	r.mu.Lock()
	r.raw.Reset()
	r.firstByte = 0
	r.mu.Unlock()
	res.Body = &answerBody{ReadCloser: res.Body, run: r, left: limit, cutQuietly: res.StatusCode >= 400}
}

// answerBody records what is read, and keeps a limit on each wait for it.
type answerBody struct {
	io.ReadCloser
	run        *run
	left       int64
	cutQuietly bool
}

func (b *answerBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		if b.cutQuietly {
			return 0, io.EOF
		}
		return 0, errAnswerTooLong
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	b.run.dog.arm(b.run.readLimit())
	n, err := b.ReadCloser.Read(p)
	b.run.dog.disarm()
	b.left -= int64(n)
	if n > 0 {
		b.run.record(p[:n])
	}
	return n, err
}

func (r *run) readLimit() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.raw.Len() == 0 {
		return r.client.cfg.FirstByteTimeout
	}
	return r.idle
}

func (r *run) setIdle(limit time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = min(limit, r.idle)
}

func (r *run) record(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.raw.Len() == 0 {
		r.firstByte = time.Since(r.started)
	}
	r.raw.Write(p)
}

// fill writes what the run knows into the response.
func (r *run) fill(res *Response) {
	_, attempts, started := r.lastAttempt()
	r.mu.Lock()
	defer r.mu.Unlock()
	res.Raw = bytes.Clone(r.raw.Bytes())
	res.FirstByte = r.firstByte
	res.Done = time.Since(started)
	res.Attempts = attempts
}
