package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"zimoscope/app/live"
	"zimoscope/app/picture"
	"zimoscope/backend/agent"
	"zimoscope/backend/config"
	"zimoscope/backend/safely"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

type runFlags struct {
	config, session, resume, capture, lang string
	demo, json, goesOn                     bool
	prompts, images                        []string
}

func (p *program) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run --prompt TEXT [--prompt TEXT …]",
		Short: "Run a session without a window: the answers, and one verdict line for each request",
		Long: "Runs one turn for each --prompt and prints the answer, and one line for each request with its verdict.\n" +
			"--demo runs on the built-in simulator and the scripted model; without a --prompt it plays the whole demo.\n" +
			"--resume with the prompt of a turn that failed or was stopped goes on with that turn; nothing is asked twice.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f.goesOn = c.Flags().Changed("resume")
			return p.run(c.Context(), f)
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.config, "config", "", "configuration file: model and mcpServers (default "+config.DefaultPath()+")")
	fl.BoolVar(&f.demo, "demo", false, "use the built-in simulator and the scripted model")
	fl.StringVar(&f.lang, "lang", "en", "language of the demo: en or zh")
	fl.StringVar(&f.session, "session", "", "name of the new session")
	fl.StringVar(&f.resume, "resume", "", "go on with a stored session: its id, its name, or latest")
	fl.StringArrayVar(&f.prompts, "prompt", nil, "what to ask; repeat it for several turns")
	fl.StringArrayVar(&f.images, "image", nil, fmt.Sprintf("picture that goes with the first --prompt (PNG, JPEG, GIF, WebP); repeat it for up to %d, %d MB together", picture.MaxCount, picture.MaxBytes>>20))
	fl.StringVar(&f.capture, "capture", "", "write the exact bytes of each request, and session.jsonl, to this folder")
	fl.BoolVar(&f.json, "json", false, "print one JSON object for each event")
	c.MarkFlagsMutuallyExclusive("session", "resume")
	c.MarkFlagsMutuallyExclusive("config", "demo")
	return c
}

// wrong says what can't be meant.
func (f runFlags) wrong() error {
	if f.goesOn && f.resume == "" {
		return errors.New("--resume names no session: give its id, its name, or latest")
	}
	if len(f.prompts) == 0 {
		return errors.New("nothing to ask: give at least one --prompt")
	}
	for i, text := range f.prompts {
		if strings.TrimSpace(text) == "" {
			return fmt.Errorf("--prompt number %d is empty: say what to ask", i+1)
		}
	}
	return nil
}

func (p *program) run(ctx context.Context, f runFlags) error {
	if f.lang != "en" && f.lang != "zh" {
		return fmt.Errorf("--lang %s: it is en or zh", f.lang)
	}
	if len(f.prompts) == 0 && f.demo && f.resume == "" {
		f.prompts = live.DemoPrompts(f.lang)
	}
	images, err := readImages(f.images)
	if err != nil {
		return err
	}
	if err := f.wrong(); err != nil {
		return err
	}
	report := newReporter(p.out, p.err, f.json)
	rec, err := newRecorder(f.capture)
	if err != nil {
		return err
	}
	l, err := p.start(ctx, f, func(e agent.Event) { report.event(e); rec.event(e) })
	if errors.Is(err, store.ErrFull) || errors.Is(err, agent.ErrStopped) {
		return failed(err) // nothing was wrong with what was asked
	}
	if err != nil {
		return err
	}
	report.session(l)
	// Whatever ends the turns, the session's file and its servers are closed behind them.
	err = safely.Do(func() error { return p.turns(ctx, l, f.prompts, images, report) })
	err = report.ended(err, l.Store.ID)
	err = errors.Join(err, rec.finish(l.Agent.Transcript()))
	if cerr := l.Close(); cerr != nil {
		err = errors.Join(err, fmt.Errorf("closing the session: %w", cerr))
	}
	if err != nil {
		return failed(err)
	}
	if report.violations > 0 {
		return failed(fmt.Errorf("%d of %d requests break the promise of a stable prefix; see the lines above", report.violations, report.requests))
	}
	return nil
}

func (p *program) turns(ctx context.Context, l *live.Live, prompts []string, images []transcript.Image, report *reporter) error {
	for i, text := range prompts {
		ask := func() (string, error) { return l.Agent.Prompt(ctx, text, images) }
		if i == 0 && len(images) == 0 && l.Agent.Asks(text) { // only a resumed session has a turn that was interrupted
			ask = func() (string, error) { return l.Agent.Retry(ctx) }
		}
		if _, err := l.Apply(); err != nil {
			return err
		}
		answer, err := ask()
		images = nil
		if err != nil {
			return err
		}
		report.answer(answer)
		if err := l.Settle(); err != nil {
			return err
		}
	}
	return nil
}

// start opens the session that the flags name.
func (p *program) start(ctx context.Context, f runFlags, observe func(agent.Event)) (*live.Live, error) {
	st, err := p.store()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("this program can't find itself to start the simulator: %w", err)
	}
	spec := live.Spec{Demo: f.demo, Lang: f.lang, Name: f.session, Program: self, Observer: observe}
	if spec.Name == "" {
		spec.Name = "run"
		if f.demo {
			spec.Name = "demo"
		}
	}
	if !f.demo && (f.resume == "" || f.config != "") {
		path := f.config
		if path == "" {
			path = config.DefaultPath()
		}
		if spec.Config, err = config.Load(path); err != nil {
			if f.config == "" && errors.Is(err, os.ErrNotExist) {
				return nil, fmt.Errorf("there is no configuration yet at %s: write one there with model and mcpServers, name another file with --config, or try --demo", path)
			}
			return nil, err
		}
		for _, w := range spec.Config.Warnings {
			fmt.Fprintln(p.err, w)
		}
	}
	if f.resume == "" {
		return p.created(ctx, st, spec)
	}
	id, err := st.Find(f.resume)
	if err != nil {
		return nil, err
	}
	l, err := live.Reopen(ctx, st, id, spec)
	return p.reported(l, err)
}

func (p *program) created(ctx context.Context, st *store.Store, spec live.Spec) (*live.Live, error) {
	l, err := live.Create(ctx, st, spec)
	return p.reported(l, err)
}

// reported tells which servers did not start. The session lives without them: their tools answer with an error.
func (p *program) reported(l *live.Live, err error) (*live.Live, error) {
	if err != nil {
		return nil, err
	}
	for _, r := range l.Reports {
		if !r.OK {
			fmt.Fprintf(p.err, "MCP server %s did not start: %s\n%s", r.Server, r.Message, indented(r.StderrTail))
		}
		for _, w := range r.Warnings {
			fmt.Fprintf(p.err, "MCP server %s: %s\n", r.Server, w)
		}
	}
	return l, nil
}

// indented is the end of a server's error output, a line under the sentence that announces it.
func indented(tail string) string {
	tail = strings.TrimSpace(tail)
	if tail == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(tail, "\n", "\n    ") + "\n"
}
