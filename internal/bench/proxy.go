package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/capture/proxy"
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
	client    *http.Client
	request   []time.Duration
	events    []time.Duration // guarded by the mutex
	sync.Mutex
}

func newLane(name, url string) *lane {
	return &lane{name: name, url: url, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100, DisableCompression: true}}}
}

// model streams events that carry the time at which they were written, or answers at once.
func model(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	n, _ := strconv.Atoi(r.URL.Query().Get("events"))
	gap, _ := time.ParseDuration(r.URL.Query().Get("gap"))
	if n == 0 {
		_, _ = io.WriteString(w, `{"choices":[]}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	for range n {
		time.Sleep(gap)
		fmt.Fprintf(w, "data: %d {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", time.Now().UnixNano(), filler[:100])
		_ = control.Flush()
	}
}

// ask sends one request and gives the times that its events took, from being written to being read.
func (l *lane) ask(body string, events int, gap time.Duration) ([]time.Duration, error) {
	res, err := l.client.Post(fmt.Sprintf("%s/v1/chat/completions?events=%d&gap=%v", l.url, events, gap), "application/json", strings.NewReader(body))
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
func proxied(s sizes) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	upstream := &http.Server{Handler: http.HandlerFunc(model)}
	go func() { _ = upstream.Serve(listener) }()
	defer func() { _ = upstream.Close() }()
	up := "http://" + listener.Addr().String()
	p, err := proxy.New(proxy.Options{Upstream: up})
	if err != nil {
		return err
	}
	if err := p.Listen(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- p.Serve(ctx, nowhere{}) }()
	err = proxyDelays(up, p.URL(), s.events)
	if err == nil {
		err = proxyMemory(p.URL(), s.streamed)
	}
	stop()
	if serr := <-served; err == nil {
		err = serr
	}
	return err
}

func proxyDelays(up, through string, events int) error {
	fmt.Printf("\nWhat the proxy adds (medians; requests of %d KB, one event each %v in each stream, requests while they run; client, proxy and model share this machine)\n", requestBytes>>10, eventGap)
	fmt.Printf("%8s %14s %14s %12s %14s %14s %12s\n", "streams", "request direct", "proxied", "added", "event direct", "proxied", "added")
	for _, streams := range []int{1, 16, 64} {
		direct, behind := newLane("direct", up), newLane("proxied", through)
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
		fmt.Printf("%8d %14v %14v %12v %14v %14v %12v\n", streams, d, q, q-d, e, f, f-e)
		direct.client.CloseIdleConnections()
		behind.client.CloseIdleConnections()
	}
	return nil
}

// proxyMemory streams events without a pause and compares the heap before and after.
func proxyMemory(through string, events int) error {
	l := newLane("proxied", through)
	defer l.client.CloseIdleConnections()
	const streams = 10
	if _, err := l.ask("{}", streams, 0); err != nil {
		return err
	}
	before := heapInUse()
	if err := together(streams, func() error { _, err := l.ask("{}", events/streams, 0); return err }); err != nil {
		return err
	}
	after := heapInUse()
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
