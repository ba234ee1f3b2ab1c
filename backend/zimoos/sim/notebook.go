package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// maxReadRepeat bounds how often files.read repeats a text: about 10 MB of the
// longest one.
const maxReadRepeat = 100_000

// NewNotebook makes the second server, with two ordinary tools: files.list and
// files.read. They return plain text, never a frame, and change nothing.
// files.read takes an optional "repeat", to get a long result on request.
func NewNotebook(seed int64) *server.MCPServer {
	s := server.NewMCPServer("files-sim", serverVersion, server.WithToolCapabilities(false), server.WithRecovery())
	n := &notebook{world: newWorld(seed)}
	s.AddTool(mcp.NewToolWithRawSchema("files.list",
		"List what lies in a folder, one name a line, folders with a slash at the end.",
		json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"the folder; / when absent"}}}`)), n.list)
	s.AddTool(mcp.NewToolWithRawSchema("files.read",
		"Read a text file.",
		json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"repeat":{"type":"integer","minimum":1,"description":"give the text that many times, one a line"}},"required":["path"]}`)), n.read)
	return s
}

// notebook reads from a world that nothing changes, so it needs no lock.
type notebook struct{ world *world }

func (n *notebook) list(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	folder := path.Clean("/" + req.GetString("path", "/"))
	f := n.world.file(folder)
	if f == nil || !f.folder {
		return mcp.NewToolResultError(fmt.Sprintf("there is no folder %q", folder)), nil
	}
	var lines []string
	for _, c := range n.world.children(folder) {
		name := path.Base(c.path)
		if c.folder {
			name += "/"
		}
		lines = append(lines, name)
	}
	return mcp.NewToolResultText(strings.Join(lines, "\n")), nil
}

func (n *notebook) read(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	name := path.Clean("/" + req.GetString("path", ""))
	f := n.world.file(name)
	if f == nil || f.folder {
		return mcp.NewToolResultError(fmt.Sprintf("there is no file %q", name)), nil
	}
	repeat := req.GetInt("repeat", 1)
	if repeat < 1 || repeat > maxReadRepeat {
		return mcp.NewToolResultError(fmt.Sprintf("repeat wants a number from 1 to %d", maxReadRepeat)), nil
	}
	text := strings.TrimSuffix(strings.Repeat(f.text+"\n", repeat), "\n")
	return mcp.NewToolResultText(text), nil
}
