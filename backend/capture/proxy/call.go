package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/safely"
)

// call is one request on its way. It belongs to its handler until it is queued, and to the recorder from then on; the
// atomic fields and the source are shared with the transport.
type call struct {
	id             uint64
	started, ended time.Time
	firstByte      time.Duration
	method, url    string // url is where it goes, secrets included
	upstream       *url.URL
	dialect        exchange.Dialect
	header         http.Header // of the request, never changed
	length         int64       // of the request body, -1 when not told
	request        *source
	bodyEnd        error // what reading the request ended with, see source.close
	status         int
	answer         http.Header // of the response, never changed
	bytes          int64       // of the response
	response       keeper
	failure        string // how far it went; "" when it went all the way
	ownStatus      int    // the answer that the proxy itself gave; 0 when it gave none
	upgraded       bool

	connected atomic.Bool // the transport has a connection for it
	resent    atomic.Bool // the transport tried another connection
}

func (c *call) answered(res *http.Response) {
	c.firstByte = time.Since(c.started)
	c.status, c.answer = res.StatusCode, res.Header
}

// host names the upstream for people.
func (c *call) host() string { return c.upstream.Host }

// unanswered handles a request to which no response came. It says whether the client's connection must break.
func (c *call) unanswered(w http.ResponseWriter, r *http.Request, err error) (broken bool) {
	bodyErr := c.request.failure()
	var own *safely.Mistake
	switch {
	case errors.As(err, &own):
		c.failure = fmt.Sprintf("The proxy broke off: %v.", own)
		return c.refuse(w, &refusal{http.StatusBadGateway, "proxy_mistake", c.failure})
	case stopped(r):
		c.failure = "The proxy was stopped before the upstream answered."
	case bodyErr != nil && !clientLeft(r, bodyErr):
		c.failure = fmt.Sprintf("The request body is not readable HTTP: %v.", bodyErr)
		return c.refuse(w, &refusal{http.StatusBadRequest, "bad_request_body", c.failure})
	case bodyErr != nil:
		c.failure = "The client left in the middle of its request."
	case r.Context().Err() != nil:
		c.failure = "The client left before the upstream answered."
	case !c.connected.Load():
		code := "upstream_unreachable"
		c.failure = fmt.Sprintf("No connection to %s could be made, nothing was sent: %v.", c.host(), err)
		if strings.Contains(err.Error(), "tls:") {
			code = "upstream_tls"
			c.failure = fmt.Sprintf("No secure connection to %s could be made, nothing was sent: %v.", c.host(), err)
		}
		return c.refuse(w, &refusal{http.StatusBadGateway, code, c.failure})
	default:
		c.failure = fmt.Sprintf("The upstream %s broke the connection before it answered: %v.", c.host(), err)
	}
	return true
}

// refuse answers in the proxy's own name.
func (c *call) refuse(w http.ResponseWriter, f *refusal) (broken bool) {
	c.ownStatus = f.status
	f.send(w)
	return false
}

// brokenOff notes why a response did not come to its end.
func (c *call) brokenOff(r *http.Request, err error) {
	switch {
	case stopped(r):
		c.failure = fmt.Sprintf("The proxy was stopped in the middle of the response, after %d bytes.", c.bytes)
	case errors.Is(err, errClient) || r.Context().Err() != nil:
		c.failure = fmt.Sprintf("The client left in the middle of the response, after %d bytes.", c.bytes)
	default:
		c.failure = fmt.Sprintf("The upstream %s broke off in the middle of the response, after %d bytes: %v.", c.host(), c.bytes, err)
	}
}

func stopped(r *http.Request) bool {
	return errors.Is(context.Cause(r.Context()), errStopped)
}

// clientLeft tells a client that is gone from one that sends nonsense.
func clientLeft(r *http.Request, err error) bool {
	var broken net.Error
	return r.Context().Err() != nil || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, http.ErrBodyReadAfterClose) || errors.As(err, &broken)
}

// wholeRequest says that the request was read to its end.
func (c *call) wholeRequest() bool {
	return c.length == 0 || c.bodyEnd == io.EOF || c.length > 0 && int64(c.request.total) == c.length
}

// release gives back what is kept.
func (c *call) release() {
	c.request.kept.release()
	c.response.release()
}
