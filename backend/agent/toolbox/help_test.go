package toolbox

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

type ctxt = context.Context

// traffic records frames.
type traffic struct {
	mu     sync.Mutex
	frames []Frame
	note   chan struct{} // receives once per frame, when somebody waits
}

func newTraffic() *traffic { return &traffic{note: make(chan struct{}, 1)} }

func (r *traffic) add(f Frame) {
	r.mu.Lock()
	r.frames = append(r.frames, f)
	r.mu.Unlock()
	select {
	case r.note <- struct{}{}:
	default:
	}
}

// until waits for a frame that fits.
func (r *traffic) until(t *testing.T, fits func(Frame) bool) Frame {
	t.Helper()
	limit := time.NewTimer(20 * time.Second)
	defer limit.Stop()
	for {
		r.mu.Lock()
		for _, f := range r.frames {
			if fits(f) {
				r.mu.Unlock()
				return f
			}
		}
		r.mu.Unlock()
		select {
		case <-r.note:
		case <-limit.C:
			t.Fatal("the expected traffic did not come")
		}
	}
}

func (r *traffic) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, f := range r.frames {
		b.WriteString(f.Direction + " " + f.Method + " " + f.Note + " " + string(f.Raw) + "\n")
	}
	return b.String()
}

func child(mode string) ServerConfig {
	return ServerConfig{
		Name: mode, Command: os.Args[0], Env: map[string]string{fakeEnv: mode},
		CallTimeout: 30 * time.Second,
	}
}

// box starts servers and closes them with the test.
func box(t *testing.T, rec *traffic, configs ...ServerConfig) (*Box, []StartReport) {
	t.Helper()
	opts := Options{LoginShell: "-", StartTimeout: 20 * time.Second}
	if rec != nil {
		opts.OnTraffic = rec.add
	}
	b, reports := Start(context.Background(), configs, opts)
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b, reports
}

// ready starts one server that must come up.
func ready(t *testing.T, rec *traffic, cfg ServerConfig) *Box {
	t.Helper()
	b, reports := box(t, rec, cfg)
	if !reports[0].OK {
		t.Fatalf("%+v", reports[0])
	}
	return b
}

func do(b *Box, server, what string) Result {
	return b.Call(context.Background(), server, "echo", json.RawMessage(`{"do":"`+what+`"}`))
}
