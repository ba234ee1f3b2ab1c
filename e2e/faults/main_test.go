//go:build linux

package faults

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// seedVariable plays the random choices of a run again.
const seedVariable = "ZIMOSCOPE_SEED"

var program string

// TestMain builds the program once, without its window: that needs neither GTK nor a display.
func TestMain(m *testing.M) {
	if dir := os.Getenv(limitedDir); dir != "" {
		os.Exit(fillUp(dir))
	}
	os.Exit(build(m))
}

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "zimoscope-faults-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "zimoscope")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "../..").CombinedOutput()
	if err != nil {
		panic("the program does not build: " + string(out))
	}
	return m.Run()
}

// slow says whether the long form is wanted.
func slow() bool { return os.Getenv("ZIMOSCOPE_SLOW") == "1" }

// times gives how often something is done.
func times(normal, long int) int {
	if slow() {
		return long
	}
	return normal
}

// chance is a source of random choices that can be played again.
func chance(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(seedVariable); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		must(t, err)
	}
	fmt.Printf("%s: %s=%d\n", t.Name(), seedVariable, seed)
	return rand.New(rand.NewPCG(seed, 1))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
