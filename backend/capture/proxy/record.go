package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/safely"
	"zimoscope/backend/secret"
)

// queueLength is how many ended exchanges wait for the sink; one more is dropped.
const queueLength = 256

// recorder hands ended calls to the sink, in one goroutine.
type recorder struct {
	log     func(string)
	queue   chan *call
	dropped atomic.Int64 // not reported yet
	total   int64        // dropped and reported; belongs to the goroutine
	done    chan struct{}
	ended   error           // valid once done is closed: a mistake that ended the goroutine
	ctx     context.Context // of Take; ends when the sink was waited for long enough
	cancel  context.CancelFunc
}

func newRecorder(log func(string)) *recorder {
	r := &recorder{log: log, queue: make(chan *call, queueLength), done: make(chan struct{})}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

func (r *recorder) start(sink exchange.Sink) {
	safely.Go(func() error {
		for c := range r.queue {
			r.take(sink, c)
			c.release()
			r.reportDropped()
		}
		r.reportDropped()
		return nil
	}, func(err error) { r.ended = err; close(r.done) })
}

// put never waits. It must not be called after close.
func (r *recorder) put(c *call) {
	select {
	case r.queue <- c:
	default:
		r.dropped.Add(1)
		c.release()
	}
}

// close waits until all was handed over or ctx ends.
func (r *recorder) close(ctx context.Context) error {
	defer r.cancel()
	close(r.queue)
	select {
	case <-r.done:
		return r.ended
	case <-ctx.Done():
		return fmt.Errorf("the last %d exchanges were not recorded: the recorder did not take them in %v; the traffic itself passed", len(r.queue)+1, drainTimeout)
	}
}

// take hands one over. A mistake in a sink costs its record and nothing else.
func (r *recorder) take(sink exchange.Sink, c *call) {
	name := c.method + " request"
	err := safely.Do(func() error {
		e := c.exchange()
		name = e.Method + " " + e.URL
		return sink.Take(r.ctx, e)
	})
	if err != nil {
		r.log(fmt.Sprintf("%s was not recorded, the traffic itself passed: %v", name, err))
	}
}

func (r *recorder) reportDropped() {
	n := r.dropped.Swap(0)
	if n == 0 {
		return
	}
	r.total += n
	r.log(fmt.Sprintf("%d exchanges were not recorded because the recorder is behind (%d so far); their traffic passed", n, r.total))
}

// exchange is what the sink gets of c.
func (c *call) exchange() exchange.Exchange {
	e := exchange.Exchange{
		Started: c.started, Ended: c.ended, FirstByte: c.firstByte, Method: c.method, Dialect: c.dialect, Status: c.status,
		ResponseBytes: c.bytes, ReportedByProxy: true,
	}
	e.Request, e.RequestCut, e.Notes = c.unpack(&c.request.kept, c.header.Get("Content-Encoding"), "request")
	var notes []string
	e.Response, e.ResponseCut, notes = c.unpack(&c.response, c.answer.Get("Content-Encoding"), "response")
	e.Notes = append(e.Notes, notes...)
	if !c.wholeRequest() {
		e.RequestCut = true
		e.Notes = append(e.Notes, "The exchange ended before the whole request was read.")
	}
	if c.failure != "" && c.status != 0 {
		e.ResponseCut = true
	}
	e.Dialect, notes = judge(c.dialect, e.Request, e.RequestCut)
	e.Notes = append(e.Notes, notes...)
	e.Notes = append(e.Notes, c.remarks()...)
	c.mask(&e)
	return e
}

// unpack takes the content encoding off what was kept of one body.
func (c *call) unpack(k *keeper, encoding, what string) (body []byte, cut bool, notes []string) {
	cut = k.cut
	if cut && c.dialect != exchange.Other {
		notes = append(notes, fmt.Sprintf("The %s is larger than what is kept; its first %d bytes are here.", what, k.n))
	}
	body, problem := decode(k.join(), encoding)
	if problem == nil {
		return body, cut, notes
	}
	if errors.Is(problem, io.ErrUnexpectedEOF) && cut {
		return body, true, notes
	}
	return body, true, append(notes, fmt.Sprintf("The %s passed unchanged, but what is kept of it is not whole: %v.", what, problem))
}

// remarks are what else there is to say, in sentences.
func (c *call) remarks() (notes []string) {
	if c.ownStatus != 0 {
		notes = append(notes, fmt.Sprintf("The proxy answered the client itself, with %d.", c.ownStatus))
	}
	if c.resent.Load() {
		notes = append(notes, "The connection that was kept for it was dead, so it was sent on another one.")
	}
	if c.upgraded {
		notes = append(notes, "The connection changed to another protocol; what went over it then is not kept.")
	}
	if c.dialect == exchange.Other && (c.request.kept.cut || c.response.cut) {
		notes = append(notes, fmt.Sprintf("Requests on this path are listed, not compared: at most %d bytes of each body are kept.", previewBytes))
	}
	return notes
}

// judge holds the body against what its path promises: other services end their paths with the same words.
func judge(d exchange.Dialect, body []byte, cut bool) (exchange.Dialect, []string) {
	if d == exchange.Other || cut {
		return d, nil
	}
	var notes []string
	if !utf8.Valid(body) {
		notes = append(notes, exchange.NoteEncoding)
	}
	list := false
	err := wire.Members(body, func(m wire.Member) error {
		list = list || m.Name == "messages" && body[m.Start] == '['
		return nil
	})
	if err != nil {
		return d, append(notes, fmt.Sprintf("The request body is no JSON object: %v.", err))
	}
	if d != exchange.Responses && !list {
		return exchange.Other, append(notes, fmt.Sprintf("By its path this is a %s request, but it has no list of messages.", d))
	}
	return d, notes
}

// mask puts the secrets into their own field and takes them out of everything but the bodies.
func (c *call) mask(e *exchange.Exchange) {
	found := secrets{headers: map[string]bool{}}
	found.header(c.header)
	found.header(c.answer)
	found.query(c.url)
	found.upstream(c.upstream)
	e.Secrets = found.list()
	r := secret.New(e.Secrets...)
	e.URL = maskedURL(c.url, r)
	e.RequestHeader = maskedHeader(c.header, found.headers, r)
	e.ResponseHeader = maskedHeader(c.answer, found.headers, r)
	e.Error = strings.TrimSpace(r.Text(c.failure))
	for i, n := range e.Notes {
		e.Notes[i] = r.Text(n)
	}
}
