//go:build linux

package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"zimoscope/backend/scripted"
	"zimoscope/backend/zimoos/sim"
)

// childVariable makes this test binary one of the stand-ins: a simulator's server, or the provider.
const (
	childVariable = "ZIMOSCOPE_SOAK_CHILD"
	childProvider = "provider"
)

func TestMain(m *testing.M) {
	if child := os.Getenv(childVariable); child != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if err := standIn(ctx, child); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func standIn(ctx context.Context, child string) error {
	if child == childProvider {
		return scripted.Listen(ctx, "127.0.0.1:0", day(), scripted.Options{}, func(url string) { fmt.Println(url) })
	}
	return sim.ServeStdio(ctx, sim.Options{Server: child}, os.Stdin, os.Stdout)
}

// day is one turn that is played over and over: operations with words and without, two at once, ordinary tools, an
// answer.
func day() *scripted.Script {
	call := func(name, args string) scripted.ToolCall {
		return scripted.ToolCall{Name: name, Arguments: json.RawMessage(args)}
	}
	act := func(cmd string) scripted.ToolCall {
		return call("zimoos.act", `{"frameCursor":"{{cursor}}","cmd":"`+cmd+`"}`)
	}
	steps := []scripted.Step{
		{Text: "I look at the screen.", ToolCalls: []scripted.ToolCall{call("zimoos.current", `{}`)}},
		{Text: "Summary: The screen shows {{title}} with {{count}} items.", ToolCalls: []scripted.ToolCall{act("open app:notes")}},
		{ToolCalls: []scripted.ToolCall{act("open note:groceries")}},
		{Text: "Summary: Opened {{title}}.", ToolCalls: []scripted.ToolCall{act("open app:notes"), call("zimoos.search", `{"query":"bread"}`)}},
		{Text: "Summary: Searched.", ToolCalls: []scripted.ToolCall{call("files.list", `{"path":"/Documents/recipes"}`)}},
		{ToolCalls: []scripted.ToolCall{call("files.read", `{"path":"/Documents/recipes/bread.txt"}`)}},
		{Text: "Back to where I was.", ToolCalls: []scripted.ToolCall{act("open app:calendar")}},
		{Text: "Summary: It shows {{title}}. That is all."},
	}
	return &scripted.Script{Model: "scripted-soak", AtEnd: scripted.AtEndLoop, Chunk: 64, Steps: steps}
}
