package toolbox

import (
	"encoding/json"
	"time"
)

// ServerConfig is one entry of mcpServers. Either Command or URL is set.
type ServerConfig struct {
	Name    string // unique; part of the tools' public names
	Command string
	Args    []string
	Env     map[string]string // added to this program's environment
	Cwd     string            // empty: this program's
	URL     string            // streamable HTTP endpoint
	Headers map[string]string
	// CallTimeout bounds one call; zero means two minutes.
	CallTimeout time.Duration
}

// Options are the settings of a Box; the zero value is fine.
type Options struct {
	// StartTimeout bounds the start of one server; zero means 30 seconds.
	StartTimeout time.Duration
	// LoginShell is asked for the PATH of a terminal; empty means $SHELL, "-"
	// means not to ask.
	LoginShell string
	// OnTraffic hears everything from the first byte on, the handshake
	// included; Box.OnTraffic adds listeners later.
	OnTraffic func(Frame)
}

// Tool is one tool as its server announced it. The raw fields are shared and
// must not be changed.
type Tool struct {
	Server      string
	Name        string
	Description string
	InputSchema json.RawMessage // as sent; nil when the server sent none
	Raw         json.RawMessage // the whole tool object, as sent
}

// Outcome of a call.
const (
	StateOK        = "ok"
	StateToolError = "tool-error" // the server ran it and said isError
	StateRPCError  = "rpc-error"  // the server answered with a protocol error
	StateTimeout   = "timeout"    // no answer in time; it may still have run
	StateCancelled = "cancelled"  // the caller cancelled; it may still have run
	StateTransport = "transport"  // the connection failed; it may have run
	StateNotSent   = "not-sent"   // it surely did not run
)

// Result is the outcome of one call.
type Result struct {
	// Raw is the JSON-RPC result exactly as received; nil when there was none.
	Raw     json.RawMessage
	IsError bool // true for every State but StateOK
	State   string
	// RPCError is the server's protocol error: its code and message.
	RPCError string
	// Message says in a sentence for the model and the user what went wrong;
	// empty for StateOK and StateToolError.
	Message string
	// EncodingError: the answer held bytes that are not UTF-8; it must not be
	// taken for good.
	EncodingError bool
	// Late: the server answered, but after the deadline or the cancel. It is
	// never set on what Call returns, only on copies made from traffic.
	Late bool
}

// Direction of a Frame.
const (
	DirOut     = "out"     // to the server
	DirIn      = "in"      // from the server
	DirStderr  = "stderr"  // a line of the server's error output, as text
	DirWarning = "warning" // something that is no message; Note says what
)

// Frame is one thing that passed between us and a server, for display. Secrets
// of the configuration are removed from Raw.
type Frame struct {
	Server    string
	Direction string
	Time      time.Time
	Raw       []byte
	Method    string // of a request or notification
	ID        string // of a request or answer, as text
	Late      bool   // an answer after its deadline; it was not applied
	Note      string // why this is a warning
}

// State of a server.
const (
	ServerStarting = "starting"
	ServerReady    = "ready"
	ServerFailed   = "failed" // never became ready
	ServerEnded    = "ended"  // was ready, then ended or broke off
	ServerClosed   = "closed"
)

// ServerStatus is a server as the window shows it.
type ServerStatus struct {
	Name     string
	State    string
	Kind     string // "stdio" or "http"
	Target   string // the command's name, or the address without parameters
	PID      int    // 0 when there is no process
	Title    string // the server's name for itself
	Version  string
	Protocol string
	Tools    int
	// ExitCode is nil while the process runs; -1 after a signal.
	ExitCode   *int
	StderrTail string
	// Path is the PATH the process was started with.
	Path string
	// Error says why the server is not ready.
	Error string
	// Stale: the server announced a new tool list, or was started anew; Refresh
	// will read it.
	Stale    bool
	Warnings []string
}

// StartReport is the outcome of starting one server.
type StartReport struct {
	Server string
	OK     bool
	// Message says what failed and what to do; empty when OK.
	Message    string
	ExitCode   *int
	StderrTail string
	Path       string
	Warnings   []string
}

// Change is what Refresh found at one server.
type Change struct {
	Server    string
	Restarted bool
	Added     []string
	Removed   []string
	Altered   []string
	// Message says why the server could not be read; its tools stay.
	Message string
}
