package provider

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// expired is the cause with which a limit cancels a call.
type expired struct{ limit time.Duration }

func (e *expired) Error() string { return fmt.Sprintf("nothing came for %s", e.limit) }

// watchdog cancels a call when a wait exceeds its limit. It runs only while a
// wait does.
type watchdog struct {
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer
}

// arm starts a wait; it replaces one that runs.
func (w *watchdog) arm(limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	w.timer = time.AfterFunc(limit, func() { w.cancel(&expired{limit: limit}) })
}

// disarm ends the wait.
func (w *watchdog) disarm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}
