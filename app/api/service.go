package api

import (
	"context"
	"errors"
)

// Service is everything a front end can ask. Methods may be called from several goroutines; none blocks for longer
// than reading what it returns, except CallTool, Compact and those about keys, which may wait for a person. Errors are
// sentences for a person: what happened, what was kept, what to do.
type Service interface {
	Snapshot() (Snapshot, error)
	Timeline(session string) (Timeline, error)                       // also of a session that is not the open one
	TimelineSince(session string, rev uint64) (TimelineDelta, error) // rev 0: all of it
	Request(ref RequestRef) (RequestView, error)
	Part(ref RequestRef, kind string, index, offset int) (TextPage, error)
	Body(ref RequestRef, offset int) (TextPage, error)
	Response(ref RequestRef, offset int) (TextPage, error)
	Curl(ref RequestRef) (string, error)
	Diff(base, next RequestRef) (DiffView, error)
	Live(session string) (Live, error)
	Traffic(after int) ([]TrafficRow, error)
	TrafficText(seq int) (string, error)
	Tools() ([]ToolInfo, error)

	Create(n NewSession) (SessionInfo, error)
	Open(session string) (SessionInfo, error)
	Rename(session, name string) error
	Pin(session string, pinned bool) error
	Delete(session string) error // into the trash
	Trash() ([]DeletedSession, error)
	Restore(session string) error // from the trash
	Purge(session string) error   // from the trash, for good
	Compact(session string) (Compaction, error)
	Search(q SearchQuery) (SearchPage, error)
	Settings(session string) (SessionSettings, error)
	Draft(config string) (SessionSettings, error) // of a configuration file, "" for the default one
	Configure(session string, change Settings) error
	KeyState(name string) (KeyState, error)
	SaveKey(name, key string) error
	DeleteKey(name string) error

	Prompt(text string) error
	Retry() error
	Pause() error
	Continue() error
	Step() error     // to the next request
	StepTool() error // to the next tool call
	Abandon() error
	Stop() error
	SetBreakpoints(b Breakpoints) error
	CallTool(ctx context.Context, server, tool, arguments string) (ToolResult, error)
}

// ErrNotFound means that a session or request is not in the store.
var ErrNotFound = errors.New("not found")

// PageSize is how much of a long text one answer holds, in bytes.
const PageSize = 1 << 20
