package provider

import (
	"io"
	"sync"
	"time"

	"zimoscope/backend/safely"
)

// AttemptTap sees one attempt to send a body. Its methods are never called at
// the same time, and Done is the last call.
type AttemptTap interface {
	// Write sees the body's bytes as the transport takes them, in order. It
	// must not keep p; its results are ignored.
	io.Writer
	// Done ends the attempt: the HTTP status, or 0 and a short reason, free of
	// secrets, why there was no answer. A server may answer before it took the
	// whole body; then fewer bytes were seen.
	Done(status int, err error)
}

// tapSettleTimeout bounds how long Stream waits for the transport to let go of
// a body after the answer ended; it normally did long before.
const tapSettleTimeout = 2 * time.Second

// attempt pairs one body with its tap. An attempt is over when the answer is
// known and the transport has closed the body, in either order.
type attempt struct {
	mu       sync.Mutex
	tap      AttemptTap // nil when nobody listens
	closed   bool
	answered bool
	over     bool
	status   int
	err      error
	done     chan struct{}
	mistaken func(error) // told when the tap panicked: the transport's goroutines are not ours to end
}

func newAttempt(tap AttemptTap, mistaken func(error)) *attempt {
	return &attempt{tap: tap, done: make(chan struct{}), mistaken: mistaken}
}

// tell calls the tap; a tap that panicked is called no more.
func (a *attempt) tell(do func(AttemptTap)) {
	if a.tap == nil {
		return
	}
	if err := safely.Do(func() error { do(a.tap); return nil }); err != nil {
		a.tap = nil
		a.mistaken(err)
	}
}

func (a *attempt) write(p []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.over {
		a.tell(func(tap AttemptTap) { _, _ = tap.Write(p) })
	}
}

func (a *attempt) bodyClosed() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	if a.answered {
		a.finish()
	}
}

func (a *attempt) answer(status int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.answered {
		return
	}
	a.answered, a.status, a.err = true, status, err
	if a.closed {
		a.finish()
	}
}

// settle waits for the end of the attempt and, past the limit, makes it.
func (a *attempt) settle() {
	timer := time.NewTimer(tapSettleTimeout)
	defer timer.Stop()
	select {
	case <-a.done:
	case <-timer.C:
		a.mu.Lock()
		defer a.mu.Unlock()
		a.finish()
	}
}

func (a *attempt) finish() {
	if a.over {
		return
	}
	a.over = true
	defer close(a.done)
	a.tell(func(tap AttemptTap) { tap.Done(a.status, a.err) })
}

// tapBody is a request body that shows its attempt what the transport reads.
type tapBody struct {
	io.ReadCloser
	attempt *attempt
}

func (b *tapBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.attempt.write(p[:n])
	}
	return n, err
}

func (b *tapBody) Close() error {
	err := b.ReadCloser.Close()
	b.attempt.bodyClosed()
	return err
}
