package toolbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// conn is a transport that can also carry a request with its exact bytes.
type conn interface {
	transport.Interface
	exchange(ctx context.Context, id int64, method string, body []byte, header http.Header) (reply, error)
}

// link is one connection to a server, from its handshake to its end.
type link struct {
	conn   conn
	client *client.Client
	nextID atomic.Int64
	proc   *process // nil over HTTP
	tail   *tail    // nil over HTTP
	stale  func()   // the tool list may have changed
	modern *modern  // nil for versions with a handshake

	renewing sync.Mutex
	info     *mcp.InitializeResult // set by the handshake, before any use
}

func newLink(c conn, stale func()) *link {
	l := &link{conn: c, stale: stale}
	l.nextID.Store(firstOwnID)
	l.client = client.NewClient(c, client.WithProtocolVersion(mcp.LATEST_LEGACY_PROTOCOL_VERSION))
	l.watch()
	return l
}

func (l *link) watch() {
	l.client.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == mcp.MethodNotificationToolsListChanged {
			l.stale()
		}
	})
}

// handshake starts the client on the connection. life bounds what runs on
// beside requests, ctx the handshake itself.
func (l *link) handshake(life, ctx context.Context) error {
	if err := l.client.Start(life); err != nil {
		return err
	}
	info, err := l.client.Initialize(ctx, initializeRequest())
	if err != nil && refusesHandshake(err) {
		info, err = l.discover(life, ctx)
	}
	if err != nil {
		return handshakeCause(ctx, err)
	}
	l.info = info
	return nil
}

func initializeRequest() mcp.InitializeRequest {
	var req mcp.InitializeRequest
	req.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	req.Params.ClientInfo = clientInfo()
	return req
}

func handshakeCause(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errors.New("it did not answer the handshake in time")
	case ctx.Err() != nil:
		return errors.New("the start was cancelled")
	case errors.Is(err, errEnded):
		return errEnded
	case errors.Is(err, transport.ErrLegacySSEServer):
		return errors.New("nothing at this address speaks streamable HTTP; check the url")
	case errors.Is(err, transport.ErrAuthorizationRequired):
		return errors.New("it asks for authorisation; check the headers")
	}
	return plainCause(err)
}

// request sends one request with params as they are.
func (l *link) request(ctx context.Context, method string, params []byte) (reply, error) {
	r, _, err := l.requestID(ctx, method, params)
	return r, err
}

func (l *link) requestID(ctx context.Context, method string, params []byte) (reply, int64, error) {
	id := l.nextID.Add(1)
	params = l.modern.params(params)
	r, err := l.conn.exchange(ctx, id, method, requestBody(id, method, params), l.modern.header(method, params))
	return r, id, err
}

// withdraw tells the server that a request is no longer wanted. Best effort.
func (l *link) withdraw(id int64, reason string) {
	ctx, cancel := context.WithTimeout(context.Background(), notifyTimeout)
	defer cancel()
	_ = l.conn.SendNotification(ctx, mcp.JSONRPCNotification{
		JSONRPC: mcp.JSONRPC_VERSION,
		Notification: mcp.Notification{
			Method: string(mcp.MethodNotificationCancelled),
			Params: mcp.NotificationParams{AdditionalFields: map[string]any{"requestId": id, "reason": reason}},
		},
	})
}

// renew starts a new session in place of a lost one. The tool list may be
// another one then.
func (l *link) renew(ctx context.Context) error {
	l.renewing.Lock()
	defer l.renewing.Unlock()
	if l.conn.GetSessionId() != "" {
		return nil // another request renewed it
	}
	l.stale()
	if _, err := l.client.Initialize(ctx, initializeRequest()); err != nil {
		return fmt.Errorf("the session could not be renewed: %w", handshakeCause(ctx, err))
	}
	return nil
}

func (l *link) exitCode() *int {
	if l.proc == nil {
		return nil
	}
	return l.proc.exitCode()
}
