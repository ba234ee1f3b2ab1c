package window

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"zimoscope/app/api"
)

// rate is how often a second the page is told what changed: as often as a person can follow, and far below what
// WebKitGTK takes as pushed script.
const rate = 20

// topicGap is the event that stands for lost ones.
const topicGap = "gap"

// pump hands events to emit until ctx is done or their source is closed. tick paces it: what came between two ticks goes out with the next one,
// of each topic and id only the newest. It keeps at most one event per topic and id.
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
	waiting := map[[2]string]api.Event{}
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
			waiting[[2]string{event.Topic, event.ID}] = event
		case <-p.tick:
			p.flush(waiting)
		}
	}
}

// flush sends what waits in the order of its numbers, and empties it.
func (p *pump) flush(waiting map[[2]string]api.Event) {
	list := make([]api.Event, 0, len(waiting))
	for _, event := range waiting {
		list = append(list, event)
	}
	clear(waiting)
	slices.SortFunc(list, func(a, b api.Event) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, event := range list {
		p.send(event)
	}
}

func (p *pump) send(event api.Event) {
	if data, err := json.Marshal(event); err == nil {
		p.emit(string(data))
	}
}
