// Package window is the Wails shell: the front end in a window of its own. Only the file window_wails.go imports
// wails, and it is built with -tags desktop,production,webkit2_41 (or bindings); every other build gets a Run that
// returns ErrNoWindow, so that vetting and testing need neither GTK nor a display.
//
// The page calls window.go.window.Facade.Call(method, argumentsJSON), which resolves to the result as JSON text or
// rejects with a sentence. Events arrive as runtime event "zimoscope", one api.Event as JSON text each, in the order of
// their numbers, in batches at most rate times a second. A hole in the numbers, or topic "gap", means that others were
// left out: pull everything again. The page listens first and pulls its snapshot then; what was sent before it
// listened is in there.
//
// Files that are dropped on the window are imported; files to import, and where an export goes, are asked for by the
// system's own dialogs.
package window

import (
	"context"
	"errors"

	"zimoscope/app/api"
)

// Errors of Run. The first two mean: offer `zimoscope serve`.
var (
	// ErrNoWindow: this program was built without the window; build it with `make build`.
	ErrNoWindow = errors.New("this program was built without its window (make build makes one with it)")
	// ErrNoDisplay: there is no desktop to show a window on.
	ErrNoDisplay = errors.New("there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set")
	// ErrNoFrontEnd: the program was built before its front end; build both with `make build`.
	ErrNoFrontEnd = errors.New("the front end was not built into this program; run make build and start it again")
)

// Events hands out the events after a number; a closed channel means that there is a gap. *bridge.Hub is one.
type Events interface {
	Subscribe(after uint64) (ch <-chan api.Event, cancel func())
}

// Options dress the window. The zero value is good.
type Options struct {
	// Title is the window's title; empty means ZimoScope.
	Title string
	// BeforeClose runs once when the user closes the window, before it goes; it gets closeTimeout. May be nil.
	BeforeClose func(ctx context.Context)
	// Log gets what a maintainer needs: the stack of a recovered panic. May be nil.
	Log func(text string)
}
