package api

import (
	"context"
	"errors"
)

// Service is everything a front end can ask. Methods may be called from several goroutines; none blocks for longer
// than reading what it returns, except CallTool, Compact, StopProxy, and those about keys or files, which may wait for a
// person. Errors are sentences for a person: what happened, what was kept, what to do.
type Service interface {
	Snapshot() (Snapshot, error)
	Timeline(session string) (Timeline, error)                       // also of a session that is not the open one
	TimelineSince(session string, rev uint64) (TimelineDelta, error) // rev 0: all of it
	Request(ref RequestRef) (RequestView, error)
	Messages(ref RequestRef, from, count int) ([]MessageView, error) // more of its history, by place; at most 1000 at once
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

	Jobs() ([]Job, error)
	CancelJob(id int) error
	DismissJob(id int) error
	ImportFiles(paths []string) (Job, error)                // of this machine; in the window alone
	ChooseImport(ctx context.Context) (Job, error)          // asks for files; a job without a number when none were chosen
	ImportUpload(upload string) (Job, error)                // what was sent to the program file by file
	DropUpload(upload string) error                         // gives it up
	Export(ctx context.Context, o ExportOrder) (Job, error) // the window asks where to; a job without a number when nowhere
	StartProxy(p NewProxy) (SessionInfo, error)
	StopProxy() error
	CompareSessions(base, next string) (SessionsDiff, error)
	SetBaseline(session, name string) error // "" makes it an ordinary session again
	EndToEnd() (EndToEnd, error)
	RunEndToEnd() error
	StopEndToEnd() error
	ProbeBackend() error
	Lab() (LabState, error)
	StartLab(o LabOrder) error
	StopLab() error

	Prompt(text string, pictures []Picture) error // pictures go with the text, in order; an empty text is none
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
