package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// Protocol version 2026-07-28 has no handshake: each request says in _meta who asks and in which version, over HTTP also
// in headers. Servers are asked for the version before it first, which nearly all speak, and for this one when they
// refuse that.

// modern is what a connection of that version adds to each request.
type modern struct {
	version string
	meta    []byte               // the value of _meta
	tools   map[string]*mcp.Tool // those whose arguments are repeated in headers
}

// refusesHandshake says that a server speaks only versions without one.
func refusesHandshake(err error) bool {
	var unsupported mcp.UnsupportedProtocolVersionError
	if errors.As(err, &unsupported) {
		for _, v := range unsupported.Supported {
			if mcp.IsModernProtocol(v) {
				return true
			}
		}
		return len(unsupported.Supported) == 0
	}
	return errors.Is(err, mcp.ErrMethodNotFound)
}

// discover asks a server that refused the handshake in the newer version.
func (l *link) discover(life, ctx context.Context) (*mcp.InitializeResult, error) {
	l.client = client.NewClient(l.conn)
	l.watch()
	if err := l.client.Start(life); err != nil {
		return nil, err
	}
	var req mcp.InitializeRequest
	req.Params.ClientInfo = clientInfo()
	info, err := l.client.Initialize(ctx, req)
	if err != nil {
		return nil, err
	}
	version := l.client.ProtocolVersion()
	if !mcp.IsModernProtocol(version) {
		return info, nil
	}
	meta, err := json.Marshal(map[string]any{mcp.MetaKeyProtocolVersion: version, mcp.MetaKeyClientInfo: clientInfo(), mcp.MetaKeyClientCapabilities: mcp.ClientCapabilities{}})
	if err != nil {
		return nil, err
	}
	l.modern = &modern{version: version, meta: meta, tools: map[string]*mcp.Tool{}}
	return info, nil
}

// params adds _meta behind the members that are there; their bytes stay as they are.
func (m *modern) params(params []byte) []byte {
	if m == nil {
		return params
	}
	open := bytes.TrimRight(params, " \t\r\n")
	if len(open) < 2 || open[len(open)-1] != '}' {
		return params
	}
	out := append([]byte(nil), open[:len(open)-1]...)
	if len(bytes.TrimSpace(out[1:])) > 0 {
		out = append(out, ',')
	}
	return append(append(append(out, `"_meta":`...), m.meta...), '}')
}

// header gives what HTTP requests repeat of their body.
func (m *modern) header(method string, params []byte) http.Header {
	if m == nil {
		return nil
	}
	h := http.Header{}
	for name, value := range mcp.StandardHeaders(m.version, mcp.MCPMethod(method), params) {
		h.Set(name, value)
	}
	if name, ok := mcp.ExtractHeaderName(mcp.MethodToolsCall, params); ok && method == string(mcp.MethodToolsCall) && m.tools[name] != nil {
		for name, value := range mcp.GenerateParamHeaders(m.tools[name], params) {
			h.Set(name, value)
		}
	}
	return h
}

// learn keeps a tool whose schema asks for headers.
func (m *modern) learn(raw json.RawMessage) {
	if m == nil || !bytes.Contains(raw, []byte(`"x-mcp-header"`)) {
		return
	}
	var t mcp.Tool
	if json.Unmarshal(raw, &t) == nil && t.Name != "" {
		m.tools[t.Name] = &t
	}
}

// unfinished says that a result asks for something before it is one.
func unfinished(result json.RawMessage) bool {
	var r struct {
		Type string `json:"resultType"`
	}
	return json.Unmarshal(result, &r) == nil && r.Type != "" && r.Type != string(mcp.ResultTypeComplete)
}

func unfinishedText(server, tool string) string {
	return fmt.Sprintf("The server %q asks for more before %q can finish, which this program can't give. The call is not done.", server, tool)
}

func clientInfo() mcp.Implementation { return mcp.Implementation{Name: "zimoscope", Version: "1"} }
