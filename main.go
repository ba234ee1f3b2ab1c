// Command zimoscope is an inspector for LLM agents that drive ZimoOS through MCP tools.
package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"zimoscope/app/cli"
)

//go:embed all:frontend/dist
var built embed.FS

func main() { os.Exit(run()) }

func run() int {
	assets, err := fs.Sub(built, "frontend/dist")
	if err != nil {
		fmt.Fprintln(os.Stderr, "zimoscope: this build holds no front end:", err)
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Main(ctx, os.Args[1:], assets, os.Stdout, os.Stderr)
}
