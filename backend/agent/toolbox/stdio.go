package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"zimoscope/backend/safely"
)

// errEnded: the server is gone.
var errEnded = errors.New("the server ended")

// stdioConn is the stdio transport. It implements mcp-go's transport interface
// for the handshake, and exchange for what must keep its bytes.
type stdioConn struct {
	proc *process
	tail *tail
	show func(Frame)

	mu       sync.Mutex
	waiting  map[string]chan reply
	expired  map[string]bool
	order    []string // of expired, oldest first
	ended    bool
	why      error // of ended
	onNotify func(mcp.JSONRPCNotification)
	onServer transport.RequestHandler

	gone   chan struct{} // closed when no answer can come any more
	ctx    context.Context
	cancel context.CancelFunc
	served sync.WaitGroup // answers to requests of the server
}

func newStdioConn(proc *process, show func(Frame)) *stdioConn {
	ctx, cancel := context.WithCancel(context.Background())
	c := &stdioConn{
		proc: proc, tail: &tail{}, show: show,
		waiting: map[string]chan reply{}, expired: map[string]bool{},
		gone: make(chan struct{}), ctx: ctx, cancel: cancel,
	}
	proc.drained.Add(2)
	safely.Go(func() error {
		drainStderr(proc.stderr, c.tail, func(line []byte) { show(Frame{Direction: DirStderr, Raw: line}) })
		return nil
	}, c.drained)
	safely.Go(func() error {
		newFramer(proc.stdout, c.take, func(raw []byte, why string) {
			show(Frame{Direction: DirWarning, Raw: raw, Note: why})
		}).run()
		c.fail(errEnded)
		return nil
	}, c.drained)
	safely.Go(func() error { c.watch(); return nil }, c.mistaken)
	return c
}

// drained is the end of a reader of the process's output.
func (c *stdioConn) drained(err error) {
	c.mistaken(err)
	c.proc.drained.Done()
}

// mistaken ends a connection that a goroutine of ours panicked on, and its process: nobody reads from it any more.
func (c *stdioConn) mistaken(err error) {
	if err != nil {
		c.fail(err)
		_ = killGroup(c.proc.cmd.Process)
	}
}

// watch notices a process that ended while something else holds its output.
func (c *stdioConn) watch() {
	select {
	case <-c.gone:
	case <-c.proc.exited:
		c.proc.waitDrained(drainGrace)
		c.fail(errEnded)
	}
}

// fail tells every waiting call that no answer will come, and why.
func (c *stdioConn) fail(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.ended, c.why = true, why
		close(c.gone)
	}
}

// end is why no answer will come, once the connection has failed.
func (c *stdioConn) end() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}

// take handles one message of the server.
func (c *stdioConn) take(raw []byte) {
	var e envelope
	if err := json.Unmarshal(raw, &e); err != nil {
		c.show(Frame{Direction: DirWarning, Raw: raw, Note: "a message of the wrong shape"})
		return
	}
	frame := Frame{Direction: DirIn, Raw: raw, Method: e.Method}
	if e.hasID() {
		frame.ID = e.key()
	}
	switch {
	case e.Method != "" && e.hasID():
		c.show(frame)
		c.serve(raw)
	case e.Method != "":
		c.show(frame)
		c.notify(raw)
	default:
		c.answer(e, frame)
	}
}

func (c *stdioConn) answer(e envelope, frame Frame) {
	key := e.key()
	c.mu.Lock()
	wait, ok := c.waiting[key]
	delete(c.waiting, key)
	frame.Late = c.expired[key]
	delete(c.expired, key)
	c.mu.Unlock()
	if !ok && !frame.Late {
		frame.Direction, frame.Note = DirWarning, "an answer to no request of ours"
	}
	c.show(frame)
	if ok {
		wait <- reply{result: e.Result, rpcError: nonNull(e.Error)}
	}
}

func nonNull(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

func (c *stdioConn) notify(raw []byte) {
	var n mcp.JSONRPCNotification
	c.mu.Lock()
	handler := c.onNotify
	c.mu.Unlock()
	if handler != nil && json.Unmarshal(raw, &n) == nil {
		handler(n)
	}
}

// serve answers a request that the server makes, off the reading path.
func (c *stdioConn) serve(raw []byte) {
	var req transport.JSONRPCRequest
	if json.Unmarshal(raw, &req) != nil {
		return
	}
	c.mu.Lock()
	handler := c.onServer
	if c.ended {
		handler = nil
	}
	if handler != nil {
		c.served.Add(1)
	}
	c.mu.Unlock()
	if handler == nil {
		return
	}
	safely.Go(func() error {
		res, err := handler(c.ctx, req)
		if err != nil {
			res = transport.NewJSONRPCErrorResponse(req.ID, mcp.METHOD_NOT_FOUND, err.Error(), nil)
		}
		return c.respond(res)
	}, func(err error) {
		defer c.served.Done()
		var own *safely.Mistake
		if errors.As(err, &own) {
			c.mistaken(safely.Do(func() error {
				return c.respond(transport.NewJSONRPCErrorResponse(req.ID, mcp.INTERNAL_ERROR, own.Error(), nil))
			}))
		}
	})
}

func (c *stdioConn) respond(res any) error {
	body, err := json.Marshal(res)
	if err != nil {
		return err
	}
	return c.send(c.ctx, body, Frame{})
}

func (c *stdioConn) send(ctx context.Context, body []byte, frame Frame) error {
	body = oneLine(body)
	frame.Direction, frame.Raw = DirOut, body
	c.show(frame)
	err := c.proc.write(ctx, append(body[:len(body):len(body)], '\n'))
	if errors.Is(err, errWriteBroken) {
		c.fail(errEnded)
	}
	return err
}

// exchange sends a request and waits for its answer.
func (c *stdioConn) exchange(ctx context.Context, id int64, method string, body []byte, _ http.Header) (reply, error) {
	return c.roundTrip(ctx, fmt.Sprint(id), method, body)
}

func (c *stdioConn) roundTrip(ctx context.Context, key, method string, body []byte) (reply, error) {
	wait := make(chan reply, 1)
	c.mu.Lock()
	if c.ended {
		defer c.mu.Unlock()
		return reply{}, c.why
	}
	c.waiting[key] = wait
	c.mu.Unlock()
	if err := c.send(ctx, body, Frame{Method: method, ID: key}); err != nil {
		c.forget(key, false)
		if ctx.Err() != nil {
			return reply{}, ctx.Err()
		}
		return reply{}, errEnded
	}
	select {
	case r := <-wait:
		return r, nil
	case <-ctx.Done():
		c.forget(key, true)
		return reply{}, ctx.Err()
	case <-c.gone:
		select { // the answer may have been the last thing it said
		case r := <-wait:
			return r, nil
		default:
		}
		c.forget(key, false)
		return reply{}, c.end()
	}
}

// forget gives up waiting; expire remembers the request, so that its answer is
// known as late.
func (c *stdioConn) forget(key string, expire bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, key)
	if !expire {
		return
	}
	c.expired[key] = true
	c.order = append(c.order, key)
	if len(c.order) > maxExpired {
		delete(c.expired, c.order[0])
		c.order = c.order[1:]
	}
}

// Start is part of mcp-go's interface; the process runs already.
func (c *stdioConn) Start(context.Context) error { return nil }

// SendRequest carries the handshake of mcp-go's client.
func (c *stdioConn) SendRequest(ctx context.Context, req transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	id, err := json.Marshal(req.ID)
	if err != nil {
		return nil, err
	}
	r, err := c.roundTrip(ctx, envelope{ID: id}.key(), req.Method, body)
	if err != nil {
		return nil, err
	}
	if r.rpcError != nil {
		return errorResponse(req.ID, r.rpcError), nil
	}
	return transport.NewJSONRPCResultResponse(req.ID, r.result), nil
}

// errorResponse keeps the code of an error that decides how a server is spoken to; any other is text for a person.
func errorResponse(id mcp.RequestId, raw json.RawMessage) *transport.JSONRPCResponse {
	var e mcp.JSONRPCErrorDetails
	if json.Unmarshal(raw, &e) == nil && (e.Code == mcp.UNSUPPORTED_PROTOCOL_VERSION || e.Code == mcp.METHOD_NOT_FOUND) {
		return transport.NewJSONRPCErrorResponse(id, e.Code, e.Message, e.Data)
	}
	return transport.NewJSONRPCErrorResponse(id, mcp.INTERNAL_ERROR, rpcText(raw), nil)
}

// SendNotification sends one notification.
func (c *stdioConn) SendNotification(ctx context.Context, n mcp.JSONRPCNotification) error {
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return c.send(ctx, body, Frame{Method: n.Method})
}

// SetNotificationHandler sets who hears notifications.
func (c *stdioConn) SetNotificationHandler(handler func(mcp.JSONRPCNotification)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onNotify = handler
}

// SetRequestHandler sets who answers requests of the server.
func (c *stdioConn) SetRequestHandler(handler transport.RequestHandler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onServer = handler
}

// GetSessionId is empty: stdio has no sessions.
func (c *stdioConn) GetSessionId() string { return "" }

// Close ends the process, within the limits of process.shut.
func (c *stdioConn) Close() error {
	c.fail(errEnded)
	c.cancel()
	err := c.proc.shut()
	c.served.Wait()
	return err
}
