// Package toolbox runs MCP servers and calls their tools, over stdio and over
// streamable HTTP. It is the only package that imports mcp-go's client side.
//
// # Contract
//
// Bytes: schemas and results are kept exactly as the server sent them;
// arguments reach it exactly as they were given (an empty, blank or null value
// becomes {}; over stdio line breaks between tokens are removed, because a
// message is one line there). No number passes through a float.
//
// Order: Tools has one fixed order, configuration first, then the server's. It
// changes only in Refresh, which belongs between two user turns. A server that
// is gone keeps its tools; calling them gives an error result.
//
// Loss: a call is sent once. Nothing is repeated after a deadline, a lost
// session or a crash: the tool may have run. An answer that comes after its
// deadline is shown as late and never returned.
//
// Blocking: Call returns at its answer, its deadline or its context's end,
// whichever is first. Start and Close are bounded. Traffic listeners run on the
// reading goroutines: they must be quick.
//
// Errors: trouble with a tool is a Result, never a Go error. Values of env and
// headers in the configuration appear in no status, error or traffic text.
//
// # Division of labour
//
// mcp-go does the handshake, its versions and the requests that servers make.
// The stdio transport is our own, as mcp-go's interface allows: it has to know
// the process, its group and its exit, join replies that span lines, and keep
// bytes. HTTP is mcp-go's, with a round tripper that keeps bytes. The client
// stays on the initialize handshake: list_changed and sessions belong to it,
// and servers that ignore unknown methods would otherwise cost five seconds.
package toolbox
