// Command bench prints the figures that the project claims, side by side with what they are measured against, and the
// machine they were measured on: all of them, or the part that is named (go run ./internal/bench proxy). Nothing here is
// a test: run it on a quiet machine.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func main() {
	quick := flag.Bool("quick", false, "small sizes, to see that it runs")
	mb := flag.Int("mb", importedMB, "size of each file that is imported, in MB")
	testing.Init()
	flag.Parse()
	if role := flag.Arg(0); role == roleModel || role == roleProxy {
		if err := serveRole(role, flag.Arg(1)); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := all(*quick, flag.Arg(0), int64(*mb)<<20); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// sizes of the sessions that are measured.
type sizes struct {
	messages []int
	agent    int
	requests []int
	memory   int
	events   int   // of each stream through the proxy
	streamed int   // events through the proxy between two looks at the heap
	imported int64 // bytes of a file
	lab      int   // requests of the cache lab's session
	target   time.Duration
}

// importedMB is how large an imported file is unless it is said, in MB.
const importedMB = 300

// all runs every part, or the one that is named.
func all(quick bool, named string, imported int64) error {
	s := sizes{messages: []int{100, 1000, 10000}, agent: 10000, requests: []int{1000, 10000}, memory: 100000, events: 200, streamed: 100000, lab: 1000, imported: imported, target: time.Second}
	if quick {
		s = sizes{messages: []int{10, 50}, agent: 50, requests: []int{20}, memory: 500, events: 5, streamed: 1000, lab: 20, imported: 1 << 20, target: time.Millisecond}
	}
	if err := flag.Set("test.benchtime", s.target.String()); err != nil {
		return err
	}
	fmt.Printf("machine: %s, %d cores, %s/%s, %s, %s\n", cpu(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), time.Now().Format(time.DateOnly))
	for _, part := range parts() {
		if named != "" && named != part.name {
			continue
		}
		if err := part.run(s); err != nil {
			return err
		}
	}
	return nil
}

// part is one group of figures.
type part struct {
	name string
	run  func(sizes) error
}

func parts() []part {
	return []part{{"steps", steps}, {"hashes", hashes}, {"agent", agentSteps}, {"stored", stored}, {"memory", memory}, {"proxy", proxied}, {"import", imports}, {"lab", labbed}}
}

func cpu() string {
	raw, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown CPU"
	}
	for _, line := range strings.Split(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimSpace(strings.TrimLeft(name, "\t :"))
		}
	}
	return "unknown CPU"
}

// each is the mean time of one run of f.
func each(f func(b *testing.B)) time.Duration {
	return time.Duration(testing.Benchmark(f).NsPerOp())
}

func ratio(a, b time.Duration) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2fx", float64(a)/float64(b))
}
