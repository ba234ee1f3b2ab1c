package window

import (
	"context"
	"encoding/json"
	"time"

	"zimoscope/app/api"
)

const (
	// rate is how often a second the page is told what changed: as often as a person can follow.
	rate = 20
	// maxBatch is how many events go out with one tick. When more came, the page is not walked through them: it gets
	// the newest few, sees by a number that it missed some, and pulls everything once.
	maxBatch = 100
)

// topicGap is the event that stands for lost ones.
const topicGap = "gap"

// pump hands events to emit until ctx is done or their source is closed. tick paces it: what came between two ticks
// goes out with the next one, all of it or the newest few. It never keeps more than maxBatch events.
type pump struct {
	events Events
	seq    func() uint64 // the number of the last event, for a fresh start
	emit   func(eventJSON string)
	tick   <-chan time.Time
}

func (p *pump) run(ctx context.Context) {
	for first := true; ; first = false {
		after := p.seq()
		if !first {
			p.send(api.Event{Seq: after, Topic: topicGap})
		}
		last, closed := p.subscription(ctx, after)
		if !closed || last == after {
			return // ctx is done, or nothing is to be had any more: the source itself was closed
		}
	}
}

// subscription passes events on until the channel closes (true) or ctx is done (false).
func (p *pump) subscription(ctx context.Context, after uint64) (last uint64, closed bool) {
	events, cancel := p.events.Subscribe(after)
	defer cancel()
	last = after
	var waiting []api.Event
	for {
		select {
		case <-ctx.Done():
			return last, false
		case event, ok := <-events:
			if !ok {
				p.flush(waiting)
				return last, true
			}
			last = event.Seq
			if len(waiting) == maxBatch {
				waiting = waiting[:0]
			}
			waiting = append(waiting, event)
		case <-p.tick:
			p.flush(waiting)
			waiting = waiting[:0]
		}
	}
}

func (p *pump) flush(waiting []api.Event) {
	for _, event := range waiting {
		p.send(event)
	}
}

func (p *pump) send(event api.Event) {
	if data, err := json.Marshal(event); err == nil {
		p.emit(string(data))
	}
}
