package e2e

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"testing"

	"go.uber.org/goleak"

	"zimoscope/backend/zimoos/sim"
)

// childVariable makes this test binary the simulator's process.
const childVariable = "ZIMOSCOPE_E2E_SIMULATOR"

func TestMain(m *testing.M) {
	if server := os.Getenv(childVariable); server != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err := sim.ServeStdio(ctx, sim.Options{Server: server}, os.Stdin, os.Stdout)
		stop()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
