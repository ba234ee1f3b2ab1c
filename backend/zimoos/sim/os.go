package sim

import (
	"fmt"
	"sync"
	"time"
)

const (
	// clockStep is how far the virtual clock moves with each successful
	// action: about what a person takes for one.
	clockStep = 7 * time.Second
	// maxHistory bounds the way back, in screens.
	maxHistory = 64

	statusIdle    = "idle"
	statusConfirm = "waiting-for-confirmation"

	agentID = "agent-local"
)

// virtualEpoch is where the virtual clock of every OS starts.
func virtualEpoch() time.Time { return time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC) }

// screen is a place in the OS: an app, a view in it, and what the view shows.
type screen struct {
	app  string // app id without the "app:" prefix; "home" for the desktop
	view string // "list", "detail", …; what it may be is up to the app
	id   string // the thing shown, for a detail view
	n    int    // size, for the workbench
}

// pending is an action that waits for the user's confirmation.
type pending struct {
	question string
	effect   string
	risk     string
	run      func(*virtualOS) string // returns what was done
}

// virtualOS is the state machine. Its methods current, act and search are the
// only doors; each holds the lock for its whole time.
type virtualOS struct {
	mu      sync.Mutex
	seed    int64
	world   *world
	frameNo int // the current cursor is c<frameNo>
	actions int // successful actions so far
	here    screen
	back    []screen
	dialog  *pending
	effect  string // what the last action did, shown at the head of the summary
}

func newOS(seed int64) *virtualOS {
	return &virtualOS{
		seed:    seed,
		world:   newWorld(seed),
		frameNo: 1,
		here:    screen{app: "home"},
	}
}

// current gives the frame as it is. It changes nothing.
func (o *virtualOS) current() Frame {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.frame()
}

// act runs cmd if cursor is the current one. On an error nothing has changed,
// and the frame returned is the one that still holds.
func (o *virtualOS) act(cursor, cmd string) (Frame, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if cursor != o.cursor() {
		return o.frame(), fmt.Errorf("stale frameCursor %q: the current one is %q; look at the frame again and repeat the action if it still fits", cursor, o.cursor())
	}
	return o.step(func() error { return o.dispatch(cmd) })
}

// search leaves the current screen for a list of what matches query.
func (o *virtualOS) search(query string) (Frame, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.step(func() error { return o.openSearch(query) })
}

// step runs one action and, when it succeeded, moves clock and cursor on and
// delivers the notifications that are due.
func (o *virtualOS) step(action func() error) (Frame, error) {
	before := o.effect
	o.effect = ""
	if err := action(); err != nil {
		o.effect = before
		return o.frame(), err
	}
	o.frameNo++
	o.actions++
	o.world.deliver(o.actions)
	return o.frame(), nil
}

func (o *virtualOS) cursor() string { return fmt.Sprintf("c%d", o.frameNo) }

func (o *virtualOS) updatedAt() string {
	t := virtualEpoch().Add(time.Duration(o.actions) * clockStep)
	return t.Format("2006-01-02T15:04:05.000Z")
}

// goTo moves to s and remembers the way back.
func (o *virtualOS) goTo(s screen) {
	if o.here == s {
		return
	}
	o.back = append(o.back, o.here)
	if len(o.back) > maxHistory {
		o.back = o.back[len(o.back)-maxHistory:]
	}
	o.here = s
}

func (o *virtualOS) goBack() error {
	if len(o.back) == 0 {
		return fmt.Errorf("there is nothing to go back to: this is the first screen")
	}
	o.here = o.back[len(o.back)-1]
	o.back = o.back[:len(o.back)-1]
	return nil
}

// forget removes every mention of a deleted thing from the way back.
func (o *virtualOS) forget(app, id string) {
	kept := o.back[:0]
	for _, s := range o.back {
		if s.app != app || s.id != id {
			kept = append(kept, s)
		}
	}
	o.back = kept
}
