package sim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const (
	// ServerZimoOS names the virtual OS, ServerFiles the server with ordinary
	// tools, in Options.Server.
	ServerZimoOS = "zimoos"
	ServerFiles  = "files"

	serverVersion = "1.0.0"
)

// ErrUnknownServer says that Options.Server names no server: use
// ServerZimoOS or ServerFiles.
var ErrUnknownServer = errors.New("unknown simulator server")

// Options choose what is simulated.
type Options struct {
	// Seed varies the contents; the same seed gives the same bytes.
	Seed int64
	// Server is ServerZimoOS (also when empty) or ServerFiles.
	Server string
}

// New makes an MCP server with a fresh state. All sessions of one server share
// that state, as the windows of one machine do.
func New(o Options) (*server.MCPServer, error) {
	switch o.Server {
	case "", ServerZimoOS:
		return newZimoOS(o.Seed), nil
	case ServerFiles:
		return NewNotebook(o.Seed), nil
	}
	return nil, fmt.Errorf("%w %q: use %q or %q", ErrUnknownServer, o.Server, ServerZimoOS, ServerFiles)
}

// ServeStdio serves MCP on in and out, one JSON message a line, until in ends
// or ctx is done. Both are a normal end and return nil. It answers calls in
// the order in which they come.
func ServeStdio(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	s, err := New(o)
	if err != nil {
		return err
	}
	stdio := server.NewStdioServer(s)
	// One worker: with more, two calls sent in a row could overtake one
	// another, and the second's cursor would be right or wrong by chance.
	server.WithWorkerPoolSize(1)(stdio)
	stdio.SetErrorLogger(log.New(io.Discard, "", 0))
	err = stdio.Listen(ctx, in, out)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func newZimoOS(seed int64) *server.MCPServer {
	s := server.NewMCPServer("zimoos-sim", serverVersion, server.WithToolCapabilities(false), server.WithRecovery())
	surface := &zimoSurface{os: newOS(seed)}
	s.AddTool(mcp.NewToolWithRawSchema("zimoos.current",
		"Read the current ZimoOS frame: what is on the screen, the commands that can be given now, and the frameCursor to give them with.",
		json.RawMessage(`{"type":"object","properties":{}}`)), surface.current)
	s.AddTool(mcp.NewToolWithRawSchema("zimoos.act",
		"Give one command to ZimoOS. frameCursor must be the one of the newest frame; cmd is a shortcut's cmd, with any <…> part filled in. Returns the new frame.",
		json.RawMessage(`{"type":"object","properties":{"frameCursor":{"type":"string","description":"frameCursor of the newest frame"},"cmd":{"type":"string","description":"the command, for example: open app:notes"}},"required":["frameCursor","cmd"]}`)), surface.act)
	s.AddTool(mcp.NewToolWithRawSchema("zimoos.search",
		"Search notes, mails, files and settings. Goes to the list of hits and returns its frame.",
		json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","description":"what to look for"}},"required":["query"]}`)), surface.search)
	return s
}

// zimoSurface turns tool calls into steps of the OS and frames into results.
type zimoSurface struct{ os *virtualOS }

func (z *zimoSurface) current(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return frameResult(z.os.current(), nil)
}

func (z *zimoSurface) act(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		FrameCursor *string `json:"frameCursor"`
		Cmd         *string `json:"cmd"`
	}
	if err := req.BindArguments(&args); err != nil || args.FrameCursor == nil || args.Cmd == nil {
		return frameResult(z.os.current(), errors.New("zimoos.act wants two strings: frameCursor and cmd"))
	}
	return frameResult(z.os.act(*args.FrameCursor, *args.Cmd))
}

func (z *zimoSurface) search(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Query *string `json:"query"`
	}
	if err := req.BindArguments(&args); err != nil || args.Query == nil {
		return frameResult(z.os.current(), errors.New("zimoos.search wants one string: query"))
	}
	return frameResult(z.os.search(*args.Query))
}

// frameResult is one text part with the frame as JSON, or, after an error, the
// error and the unchanged frame under it, marked isError.
func frameResult(f Frame, failed error) (*mcp.CallToolResult, error) {
	var v any = f
	if failed != nil {
		v = errorResult{Error: failed.Error(), Frame: f}
	}
	text, err := encode(v)
	if err != nil {
		return nil, err
	}
	result := mcp.NewToolResultText(text)
	result.IsError = failed != nil
	return result, nil
}
