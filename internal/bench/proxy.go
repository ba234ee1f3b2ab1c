package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zimoscope/backend/capture/exchange"
)

const (
	// eventGap lies between two events of one stream: a model that writes 100 tokens in a second.
	eventGap = 10 * time.Millisecond
	// requestGap lies between two requests that are timed while the streams run.
	requestGap = 7 * time.Millisecond
	// requestBytes is the size of the request bodies that are measured.
	requestBytes = 50 << 10
	// rounds are how often direct and proxied take turns, so that a slow moment of the machine meets both.
	rounds = 5
)

// nowhere takes exchanges and forgets them: what the recorder does runs after the traffic and has its own figures.
type nowhere struct{}

func (nowhere) Take(context.Context, exchange.Exchange) error { return nil }

// lane is one way to the model: direct, or through the proxy.
type lane struct {
	name, url string
	bursts    bool // events of all streams come together, on whole milliseconds
	client    *http.Client
	request   []time.Duration
	events    []time.Duration // guarded by the mutex
	sync.Mutex
}

func newLane(name, url string) *lane {
	return &lane{name: name, url: url, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100, DisableCompression: true}}}
}

// model streams events that carry the time at which they were written, or answers at once.
type model struct{ pace *pacer }

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	n, _ := strconv.Atoi(r.URL.Query().Get("events"))
	gap, _ := time.ParseDuration(r.URL.Query().Get("gap"))
	if n == 0 {
		_, _ = io.WriteString(w, `{"choices":[]}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	bursts := r.URL.Query().Get("bursts") != ""
	for next := time.Now(); n > 0; n-- {
		if bursts {
			time.Sleep(gap)
		} else if gap > 0 {
			next = next.Add(around(gap))
			m.pace.wait(next)
		}
		fmt.Fprintf(w, "data: %d {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", time.Now().UnixNano(), filler[:100])
		_ = control.Flush()
	}
}

// ask sends one request and gives the times that its events took, from being written to being read.
func (l *lane) ask(body string, events int, gap time.Duration) ([]time.Duration, error) {
	address := fmt.Sprintf("%s/v1/chat/completions?events=%d&gap=%v", l.url, events, gap)
	if l.bursts {
		address += "&bursts=1"
	}
	res, err := l.client.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var took []time.Duration
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		now := time.Now().UnixNano()
		if stamp, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			stamp, _, _ = strings.Cut(stamp, " ")
			at, err := strconv.ParseInt(stamp, 10, 64)
			if err != nil {
				return nil, err
			}
			took = append(took, time.Duration(now-at))
		}
	}
	return took, lines.Err()
}

// together runs f that often at once.
func together(n int, f func() error) error {
	var all sync.WaitGroup
	errs := make(chan error, n)
	for range n {
		all.Go(func() { errs <- f() })
	}
	all.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// load runs that many streams, spread over the gap between two events, and asks for something short all the while.
func (l *lane) load(streams, events int) error {
	body := `{"messages":[{"role":"user","content":"` + strings.Repeat("x", requestBytes) + `"}]}`
	streaming, ended := context.WithCancel(context.Background())
	defer ended()
	asked := make(chan error, 1)
	go func() {
		var err error
		for err == nil && streaming.Err() == nil {
			time.Sleep(requestGap)
			start := time.Now()
			_, err = l.ask(body, 0, 0)
			l.request = append(l.request, time.Since(start))
		}
		asked <- err
	}()
	var turn atomic.Int64
	err := together(streams, func() error {
		time.Sleep(eventGap * time.Duration(turn.Add(1)) / time.Duration(streams))
		took, err := l.ask(body, events, eventGap)
		l.Lock()
		defer l.Unlock()
		l.events = append(l.events, took...)
		return err
	})
	ended()
	return errors.Join(err, <-asked)
}

// proxied measures what the proxy adds to requests and streamed events, and the memory that it keeps.
func proxied(s sizes) (err error) {
	upstream, err := startProcess(roleModel, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, upstream.stop()) }()
	p, err := startProcess(roleProxy, upstream.url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	if err := proxyDelays(upstream.url, p.url, s.events); err != nil {
		return err
	}
	return proxyMemory(p, s.streamed)
}

func proxyDelays(up, through string, events int) error {
	fmt.Printf("\nWhat the proxy adds (medians; requests of %d KB while streams run, one event each %v in each, at random moments; client, proxy and model are three processes on this machine)\n", requestBytes>>10, eventGap)
	fmt.Printf("%8s %14s %14s %12s %14s %14s %12s\n", "streams", "request direct", "proxied", "added", "event direct", "proxied", "added")
	for _, row := range []struct {
		streams int
		bursts  bool
	}{{1, false}, {16, false}, {64, false}, {64, true}} {
		streams := row.streams
		direct, behind := newLane("direct", up), newLane("proxied", through)
		direct.bursts, behind.bursts = row.bursts, row.bursts
		for _, l := range []*lane{direct, behind} { // connections are opened before anything is timed
			if err := together(streams, func() error { _, err := l.ask("{}", 1, eventGap); return err }); err != nil {
				return err
			}
		}
		for range rounds {
			for _, l := range []*lane{direct, behind} {
				if err := l.load(streams, events); err != nil {
					return fmt.Errorf("%s: %w", l.name, err)
				}
			}
		}
		d, q := median(direct.request), median(behind.request)
		e, f := median(direct.events), median(behind.events)
		note := ""
		if row.bursts {
			note = "   events of all streams in bursts, on whole milliseconds"
		}
		fmt.Printf("%8d %14v %14v %12v %14v %14v %12v%s\n", streams, d, q, q-d, e, f, f-e, note)
		direct.client.CloseIdleConnections()
		behind.client.CloseIdleConnections()
	}
	return nil
}

// proxyMemory streams events without a pause and compares the proxy's heap before and after.
func proxyMemory(p *process, events int) error {
	l := newLane("proxied", p.url)
	defer l.client.CloseIdleConnections()
	const streams = 10
	if _, err := l.ask("{}", streams, 0); err != nil {
		return err
	}
	before, err := p.heap()
	if err != nil {
		return err
	}
	if err := together(streams, func() error { _, err := l.ask("{}", events/streams, 0); return err }); err != nil {
		return err
	}
	after, err := p.heap()
	if err != nil {
		return err
	}
	fmt.Printf("Heap in use before %d proxied events %.1f MB, after them %.1f MB\n", events, mb(before), mb(after))
	return nil
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools let go in two steps
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

func mb(n uint64) float64 { return float64(n) / (1 << 20) }
