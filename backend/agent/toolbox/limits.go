package toolbox

import "time"

const (
	// defaultStartTimeout bounds a start: npx and uvx download on first use.
	defaultStartTimeout = 30 * time.Second
	// defaultCallTimeout bounds a call whose server names no limit.
	defaultCallTimeout = 2 * time.Minute
	// refreshTimeout bounds the reading of one server in Refresh.
	refreshTimeout = 30 * time.Second
	// notifyTimeout bounds the sending of notifications/cancelled: the caller
	// already has its outcome and must not wait for a server that does not read.
	notifyTimeout = 500 * time.Millisecond
	// shellTimeout bounds the question for a terminal's PATH.
	shellTimeout = 3 * time.Second

	// The steps of a close; together they stay near three seconds.
	stdinGrace = 800 * time.Millisecond // after stdin is closed, before TERM
	termGrace  = 1 * time.Second        // after TERM, before KILL
	killGrace  = 1 * time.Second        // after KILL, before giving up
	// drainGrace bounds the wait for the last output of a process that ended.
	drainGrace = 300 * time.Millisecond
	// sessionEndTimeout bounds telling an HTTP server that the session ends.
	sessionEndTimeout = 1 * time.Second

	// maxMessageBytes bounds one message of a server.
	maxMessageBytes = 64 << 20
	// maxTailBytes is how much of a server's error output is kept.
	maxTailBytes = 32 << 10
	// maxStderrLine is where a line of error output is broken for display.
	maxStderrLine = 8 << 10
	// readBufferBytes is the size of one read from a pipe.
	readBufferBytes = 64 << 10
	// maxListPages bounds the paging of tools/list.
	maxListPages = 500
	// maxExpired is how many timed-out calls are remembered, to know their late
	// answers.
	maxExpired = 256
	// maxWarnings is how many warnings of one server are kept.
	maxWarnings = 20
	// firstOwnID is the first id of our requests; the handshake of mcp-go counts
	// from one, so that the two never meet.
	firstOwnID = 1000
	// minSecretLength: shorter values occur in ordinary text by chance.
	minSecretLength = 6
)
