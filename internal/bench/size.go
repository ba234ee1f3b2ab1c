package main

import (
	"fmt"
	"os"
	"runtime"

	"zimoscope/backend/agent"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// counter sums the bodies of a session and the bytes of its different parts.
type counter struct {
	seen          map[wire.Hash]struct{}
	unique, total int
	last          *wire.Body
}

// Predict is where an agent shows each request that it sends; nothing is predicted here.
func (c *counter) Predict(r *verdict.Request) *agent.Prediction {
	b := r.Body
	c.total += len(b.Raw)
	from := 0
	if c.last == nil {
		c.unique += b.Messages.At
	} else {
		from = wire.SharedMessages(c.last, b)
	}
	for i := from; i < b.Messages.Len(); i++ {
		if leaf := b.Messages.Part(i).Leaf; !c.has(leaf) {
			c.unique += len(b.Bytes(wire.KindMessage, i))
		}
	}
	c.last = b
	return nil
}

func (c *counter) has(leaf wire.Hash) bool {
	if _, ok := c.seen[leaf]; ok {
		return true
	}
	c.seen[leaf] = struct{}{}
	return false
}

// stored measures what sessions take on disk.
func stored(s sizes) error {
	fmt.Printf("\nStored size (bytes in use of all buckets; responses apart)\n")
	fmt.Printf("%9s %16s %14s %14s %12s %10s\n", "requests", "sum of bodies", "unique bytes", "stored", "responses", "to unique")
	for _, n := range s.requests {
		if err := storedOnce(n); err != nil {
			return err
		}
	}
	return nil
}

func storedOnce(n int) error {
	base := ""
	if _, err := os.Stat("/dev/shm"); err == nil {
		base = "/dev/shm" // sizes do not depend on the disk, and a sync for each of 20,000 commits would
	}
	dir, err := os.MkdirTemp(base, "zimoscope-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c := &counter{seen: map[wire.Hash]struct{}{}}
	r, err := newRig(dir, agent.Options{Predictor: c})
	if err != nil {
		return err
	}
	if err := r.play(n); err != nil {
		return err
	}
	use, err := r.sess.BytesInUse()
	if err != nil {
		return err
	}
	sum := 0
	for name, bytes := range use {
		if name != "responses" {
			sum += bytes
		}
	}
	fmt.Printf("%9d %14d B %12d B %12d B %10d B %9.2fx\n", n, c.total, c.unique, sum, use["responses"], float64(sum)/float64(c.unique))
	if os.Getenv("BENCH_BUCKETS") != "" {
		fmt.Println(use)
	}
	return r.sess.Close()
}

// memory measures the heap that a long session holds, one request built on it included.
func memory(s sizes) error {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sess, err := newSession(s.memory)
	if err != nil {
		return err
	}
	v := sess.build()
	c := verdict.NewChecker()
	c.Add(judged(v, 1))
	runtime.GC()
	runtime.ReadMemStats(&after)
	fmt.Printf("\nMemory of a session of %d messages with its checker and one built request of %d B: %d MB of heap in use (peak from the system %d MB)\n",
		s.memory, len(v.Body.Raw), (after.HeapInuse-before.HeapInuse)>>20, after.Sys>>20)
	runtime.KeepAlive(sess)
	runtime.KeepAlive(c)
	return nil
}
