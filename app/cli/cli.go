// Package cli is the command line: every command of the program, with its flags, its output and its exit status.
//
// Contract: what was asked for goes to stdout, everything else to stderr as sentences. Exit 0 is good, 1 a violation or
// a failed run, 2 wrong use or unreadable input. A command ends when its context does.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"zimoscope/app"
	"zimoscope/backend/safely"
	"zimoscope/backend/store"
)

// The exit statuses.
const (
	exitGood   = 0
	exitFailed = 1
	exitUse    = 2
)

// program is what all commands share.
type program struct {
	data      string    // --data
	assets    fs.FS     // the built front end
	screen    io.Writer // what out writes to, for lines that are drawn over and for exports
	errScreen io.Writer // the same of err
	out       io.Writer
	err       io.Writer
}

// failure is an error with its exit status.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// failed marks an error as a failed run; silent says that everything about it was already printed.
func failed(err error) error { return &failure{exitFailed, err} }

var errSilent = errors.New("")

// Main runs one command line and gives its exit status.
func Main(ctx context.Context, args []string, assets fs.FS, out, errOut io.Writer) int {
	p := &program{assets: assets, screen: out, errScreen: errOut, out: &terminal{w: out}, err: &terminal{w: errOut}}
	out, errOut = p.out, p.err
	root := p.root()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	err := safely.Do(func() error { return root.ExecuteContext(ctx) })
	if err == nil {
		return exitGood
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(errOut, "zimoscope: "+text)
	}
	var f *failure
	var own *safely.Mistake
	switch {
	case errors.As(err, &f):
		return f.status
	case errors.As(err, &own):
		return exitFailed
	}
	return exitUse
}

func (p *program) root() *cobra.Command {
	var demo bool
	root := &cobra.Command{
		Use:   "zimoscope [FILE…]",
		Short: "Inspector for agents that drive ZimoOS: what the model was sent, what stayed the same, and proof of it",
		Long: "Without a command, zimoscope opens its window; files of another agent's traffic are imported and shown in it.\n" +
			"Where there is no display, use `zimoscope serve`.",
		Args:          filesOnly,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       app.VersionLine(),
		RunE:          func(c *cobra.Command, files []string) error { return p.window(c.Context(), demo, files) },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate("{{.Version}}\n")
	root.PersistentFlags().StringVar(&p.data, "data", "", "folder of the session store (default $ZIMOSCOPE_HOME, else the user's data folder)")
	root.Flags().BoolVar(&demo, "demo", false, "start the demo session at once: built-in simulator and scripted model")
	root.AddCommand(p.runCommand(), p.checkCommand(), p.importCommand(), p.exportCommand(), p.labCommand(), p.verifyCommand(), p.sessionsCommand(), p.serveCommand(), p.simCommand(), p.providerCommand(), p.proxyCommand(), p.e2eCommand(), p.versionCommand())
	return root
}

// filesOnly takes files and folders; anything else was meant for a command.
func filesOnly(c *cobra.Command, args []string) error {
	for _, a := range args {
		if _, err := os.Stat(a); err == nil {
			continue
		}
		if near := c.SuggestionsFor(a); len(near) > 0 {
			return fmt.Errorf("%s is neither a command nor a file: did you mean %s?", a, strings.Join(near, " or "))
		}
		return fmt.Errorf("%s is neither a command nor a file: zimoscope --help lists the commands", a)
	}
	return nil
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Print version and commit", Args: cobra.NoArgs, Run: func(*cobra.Command, []string) {
		fmt.Fprintln(p.out, app.VersionLine())
	}}
}

// dataDir is the folder of the store: --data, else $ZIMOSCOPE_HOME, else the user's data folder.
func (p *program) dataDir() (string, error) {
	for _, dir := range []string{p.data, os.Getenv("ZIMOSCOPE_HOME")} {
		if dir != "" {
			return dir, nil
		}
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "zimoscope"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("there is no home folder to keep sessions in (%w): say where with --data", err)
	}
	return filepath.Join(home, ".local", "share", "zimoscope"), nil
}

func (p *program) store() (*store.Store, error) {
	dir, err := p.dataDir()
	if err != nil {
		return nil, err
	}
	return store.New(dir)
}
