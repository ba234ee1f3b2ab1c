// Package sim is a small virtual OS behind a real MCP server. It stands in for
// ZimoOS in demos and tests, so that a first run needs nothing installed.
//
// The contents are invented: notes, mails, files and settings of one person.
// The package is in two halves. The OS (os*.go, view*.go, world*.go, frame.go)
// is a plain state machine that knows nothing of MCP; the surface (server.go,
// notebook.go, listen.go) offers it as tools.
//
// Order: calls are executed one after another, in the order in which they
// arrive; a lock guards the OS.
// Determinism: the same seed and the same calls give the same bytes. There is
// no clock in it; updatedAt comes from a virtual clock which starts at a fixed
// date and moves with each successful action.
// Loss: a call that fails (stale cursor, unknown command, open dialog) changes
// nothing. Its result has isError set and carries the unchanged frame under
// "frame", so that a client can show that it keeps errors out of its state.
// Blocking: no call waits for anything.
//
// The package imports nothing of the rest of the project.
package sim
