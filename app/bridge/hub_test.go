package bridge_test

import (
	"sync"
	"testing"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
)

// ring and queue are the documented bounds, in events.
const (
	ring  = 1024
	queue = 2048
)

func publish(h *bridge.Hub, n int) {
	for range n {
		h.Publish("timeline", "s", 1)
	}
}

func drain(events <-chan api.Event) (seqs []uint64, closed bool) {
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return seqs, true
			}
			seqs = append(seqs, e.Seq)
		default:
			return seqs, false
		}
	}
}

func TestASubscriberGetsTheRestAndThenWhatIsNew(t *testing.T) {
	h := bridge.NewHub()
	publish(h, 5)
	events, cancel := h.Subscribe(2)
	publish(h, 2)
	seqs, closed := drain(events)
	if closed || len(seqs) != 5 || seqs[0] != 3 || seqs[4] != 7 {
		t.Fatalf("%v %v", seqs, closed)
	}
	cancel()
	cancel()
	publish(h, 1)
	if seqs, closed := drain(events); len(seqs) != 0 || !closed {
		t.Fatalf("after cancel: %v %v", seqs, closed)
	}
}

func TestAReplayReachesAsFarBackAsTheRing(t *testing.T) {
	h := bridge.NewHub()
	publish(h, ring+10)
	events, cancel := h.Subscribe(10)
	defer cancel()
	seqs, closed := drain(events)
	if closed || len(seqs) != ring || seqs[0] != 11 || seqs[ring-1] != ring+10 {
		t.Fatalf("%d events, closed %v", len(seqs), closed)
	}
}

func TestAGapIsAClosedChannel(t *testing.T) {
	h := bridge.NewHub()
	publish(h, ring+10)
	for name, after := range map[string]uint64{"too far back": 9, "of another run": ring + 11} {
		events, _ := h.Subscribe(after)
		if seqs, closed := drain(events); len(seqs) != 0 || !closed {
			t.Errorf("%s: %d events, closed %v", name, len(seqs), closed)
		}
	}
}

func TestASlowSubscriberIsCutOffAndNobodyElse(t *testing.T) {
	h := bridge.NewHub()
	slow, _ := h.Subscribe(0)
	good, cancel := h.Subscribe(0)
	defer cancel()
	publish(h, queue)
	if seqs, _ := drain(good); len(seqs) != queue {
		t.Fatalf("%d events", len(seqs))
	}
	publish(h, 1)
	seqs, closed := drain(slow)
	if !closed || len(seqs) != queue {
		t.Fatalf("slow: %d events, closed %v", len(seqs), closed)
	}
	if seqs, closed := drain(good); closed || len(seqs) != 1 {
		t.Fatalf("good: %v %v", seqs, closed)
	}
}

func TestCloseEndsAllAndLaterOnesEndAtOnce(t *testing.T) {
	h := bridge.NewHub()
	before, cancel := h.Subscribe(0)
	h.Close()
	cancel()
	if seq := h.Publish("state", "", 1); seq != 0 {
		t.Fatalf("published %d after Close", seq)
	}
	after, _ := h.Subscribe(0)
	for _, events := range []<-chan api.Event{before, after} {
		if _, closed := drain(events); !closed {
			t.Fatal("still open")
		}
	}
}

func TestEventsOfManyPublishersArriveInOrderWithoutHoles(t *testing.T) {
	const publishers, each = 4, 200
	h := bridge.NewHub()
	events, cancel := h.Subscribe(0)
	defer cancel()
	var wg sync.WaitGroup
	for range publishers {
		wg.Go(func() { publish(h, each) })
	}
	wg.Wait()
	seqs, _ := drain(events)
	if len(seqs) != publishers*each {
		t.Fatalf("%d events", len(seqs))
	}
	for i, seq := range seqs {
		if seq != uint64(i+1) {
			t.Fatalf("place %d holds %d", i, seq)
		}
	}
}
