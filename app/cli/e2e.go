package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"zimoscope/backend/config"
	"zimoscope/e2e/run"
)

// exitSkipped: the run can't be made here.
const exitSkipped = 3

type e2eFlags struct {
	json           bool
	report, config string
}

func (p *program) e2eCommand() *cobra.Command {
	var f e2eFlags
	c := &cobra.Command{
		Use:   "e2e",
		Short: "Run the end-to-end proof against the real mteam backend",
		Long: "Asks the agent to operate the real ZimoOS with the configured model, holds every request to every assertion, and\n" +
			"saves a report with its evidence. The hub is $MTEAM_HUB_URL, the backend folder $MTEAM_BACKEND_DIR.\n" +
			"Exit 0 passed, 1 failed, 3 skipped because there is no backend. The simulator and the scripted model never count.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return p.e2e(c.Context(), f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "print the report as one JSON object, at the end")
	c.Flags().StringVar(&f.report, "report", "", "folder for the report and the capture (default e2e/TIME in the data folder)")
	c.Flags().StringVar(&f.config, "config", "", "configuration file that names the model (default "+config.DefaultPath()+")")
	return c
}

func (p *program) e2e(ctx context.Context, f e2eFlags) error {
	o, err := p.e2eOptions(f)
	if err != nil {
		return err
	}
	list := &checklist{out: p.out, screen: p.screen}
	tell := list.step
	if f.json {
		tell = func(run.Step) {}
	}
	report, err := run.Run(ctx, o, tell)
	if err != nil {
		fmt.Fprintln(p.err, "zimoscope: "+err.Error())
	}
	if f.json {
		if err := report.WriteJSON(p.out); err != nil {
			return failed(err)
		}
	} else {
		list.end(report)
	}
	switch {
	case report.Outcome == run.RunSkipped:
		return &failure{exitSkipped, errSilent}
	case report.Outcome != run.RunPassed || err != nil:
		return failed(errSilent)
	}
	return nil
}

func (p *program) e2eOptions(f e2eFlags) (o run.Options, err error) {
	if f.config != "" {
		if o.Config, err = config.Load(f.config); err != nil {
			return o, err
		}
	}
	if o.Store, err = p.store(); err != nil {
		return o, err
	}
	if o.Dir = f.report; o.Dir == "" {
		o.Dir = filepath.Join(o.Store.Dir(), "e2e", time.Now().Format("20060102-150405"))
	}
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return o, err
	}
	old, err := filepath.Glob(filepath.Join(o.Dir, "req-*.body.json"))
	if err == nil && len(old) > 0 {
		err = fmt.Errorf("%s already holds a capture of %d requests: name another folder, so that the two don't mix", o.Dir, len(old))
	}
	return o, err
}

// checklist prints steps as they settle, with their evidence, and keeps one line at the bottom of a terminal for the one
// that runs. Where out is no terminal, the running line is left out.
type checklist struct {
	out     io.Writer
	screen  io.Writer // out itself, for the line that is drawn over
	open    bool      // the bottom line stands
	printed map[string]bool
	waiting map[string]bool
}

// clearLine goes to the line's start and empties it.
const clearLine = "\r\x1b[K"

func (c *checklist) step(s run.Step) {
	if c.waiting == nil {
		c.waiting, c.printed = map[string]bool{}, map[string]bool{}
	}
	if !s.State.Settled() {
		c.waiting[s.ID] = true
		if s.State == run.Running {
			c.live(s)
		}
		return
	}
	delete(c.waiting, s.ID)
	if s.State == run.Skipped && s.Todo == "" {
		return // never reached: told in one line at the end
	}
	c.print(s)
}

func (c *checklist) print(s run.Step) {
	c.clear()
	c.printed[s.ID] = true
	fmt.Fprintf(c.out, "%-8s %-9s %s\n", s.State, s.ID, s.Title)
	for _, e := range s.Evidence {
		fmt.Fprint(c.out, hanging(e))
	}
	if s.Todo != "" {
		fmt.Fprint(c.out, hanging("→ "+s.Todo))
	}
}

// hanging is a text under its step, with the control characters of foreign text made harmless.
func hanging(text string) string {
	const margin = "                   "
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.TrimSpace(text))
	return margin + strings.ReplaceAll(text, "\n", "\n"+margin) + "\n"
}

// live shows the running step on the bottom line of a terminal.
func (c *checklist) live(s run.Step) {
	f, ok := c.screen.(*os.File)
	if !ok {
		return
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return
	}
	last := ""
	if n := len(s.Evidence); n > 0 {
		last = ": " + strings.TrimSpace(hanging(s.Evidence[n-1]))
	}
	c.open = true
	const limit = 100 // columns, so that the line stays one
	line := []rune(fmt.Sprintf("%-8s %-9s %s%s (%d pending)", s.State, s.ID, s.Title, last, len(c.waiting)-1))
	fmt.Fprint(c.screen, clearLine+string(line[:min(len(line), limit)]))
}

func (c *checklist) clear() {
	if c.open {
		fmt.Fprint(c.screen, clearLine)
		c.open = false
	}
}

func (c *checklist) end(r run.Report) {
	c.clear()
	var rest []string
	for _, s := range r.Steps {
		if !c.printed[s.ID] {
			rest = append(rest, s.ID)
		}
	}
	if len(rest) > 0 {
		fmt.Fprintf(c.out, "%-8s %s\n", run.Skipped, strings.Join(rest, ", ")+": not reached")
	}
	for _, n := range r.Notes {
		fmt.Fprint(c.out, "note: ", strings.TrimSpace(hanging(n)), "\n")
	}
	fmt.Fprintf(c.out, "\n%s\n", r.Sentence)
	if r.Dir != "" {
		fmt.Fprintf(c.out, "report: %s\n", filepath.Join(r.Dir, run.FileHTML))
	}
	if r.Session != "" {
		fmt.Fprintf(c.out, "session: %s\n", r.Session)
	}
}
