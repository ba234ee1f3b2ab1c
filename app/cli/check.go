package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"zimoscope/app/stored"
	"zimoscope/backend/capture"
	"zimoscope/backend/store"
)

func (p *program) checkCommand() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check PATH…",
		Short: "Compare request bodies pair by pair: verdicts and redlines",
		Long: "PATH is a raw request body (several in order), a capture folder, or a stored session: its id, its name, or latest.\n" +
			"Exit 1 when a pair is rewritten or leaked, when the stable prefix moved or a window slid unannounced, when a sidecar\n" +
			"does not match its body, or when a redline fails. --strict also fails on changed parameters and derived summaries.\n" +
			"--baseline FILE, a report that check --json printed or the name of a session, leaves out what is known: only what is\n" +
			"new fails. --format junit and github are for CI.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error { return p.check(paths, f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object; the same as --format json")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit 1 on degraded redlines and on changed parameters too")
	c.Flags().StringVar(&f.format, "format", formatText, "text, json, junit or github")
	c.Flags().StringVar(&f.baseline, "baseline", "", "a report of an earlier check, or a session: only what is new fails")
	return c
}

type checkFlags struct {
	json, strict     bool
	format, baseline string
}

const (
	formatText   = "text"
	formatJSON   = "json"
	formatJUnit  = "junit"
	formatGitHub = "github"
)

func (p *program) check(paths []string, f checkFlags) error {
	if f.json {
		f.format = formatJSON
	}
	if !slices.Contains([]string{formatText, formatJSON, formatJUnit, formatGitHub}, f.format) {
		return fmt.Errorf("%q is no format of a check: text, json, junit or github", f.format)
	}
	traffic, err := p.load(paths)
	if err != nil {
		return err
	}
	report := capture.Check(traffic)
	findings, notes := report.Findings(f.strict), []string(nil)
	if f.baseline != "" {
		base, err := p.baseline(f.baseline)
		if err != nil {
			return err
		}
		findings, notes = report.Since(base, f.strict)
	}
	if err := p.printCheck(report, findings, notes, f); err != nil {
		return err
	}
	if len(findings) > 0 || f.baseline == "" && report.Exit(f.strict) != 0 {
		return failed(errSilent)
	}
	return nil
}

func (p *program) printCheck(report *capture.Report, findings []capture.Finding, notes []string, f checkFlags) error {
	switch f.format {
	case formatJSON:
		enc := json.NewEncoder(p.out)
		enc.SetEscapeHTML(false)
		if f.baseline == "" {
			return enc.Encode(report)
		}
		return enc.Encode(struct {
			*capture.Report
			New   []capture.Finding `json:"new"`
			Notes []string          `json:"notes"`
		}{report, findings, append([]string{}, notes...)})
	case formatJUnit:
		return report.WriteJUnit(p.out, findings)
	case formatGitHub:
		return report.WriteGitHub(p.out, findings, os.Getenv("GITHUB_WORKSPACE"))
	}
	if err := report.WriteText(p.out); err != nil || f.baseline == "" {
		return err
	}
	fmt.Fprintf(p.out, "against the baseline: %d new\n", len(findings))
	for _, x := range findings {
		fmt.Fprintf(p.out, "  new: %s: %s\n", x.Title(), oneLine(x.Detail))
	}
	for _, n := range notes {
		fmt.Fprintf(p.out, "  note: %s\n", n)
	}
	return nil
}

// baseline reads a report that was printed before, or checks the session of that name.
func (p *program) baseline(name string) (*capture.Report, error) {
	raw, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		c, err := p.loadSession(name)
		if err != nil {
			return nil, err
		}
		return capture.Check(c), nil
	}
	if err != nil {
		return nil, fmt.Errorf("the baseline can't be read: %w", err)
	}
	var r capture.Report
	if err := json.Unmarshal(raw, &r); err != nil || r.Requests == nil {
		return nil, fmt.Errorf("%s is no report that check --json printed", name)
	}
	return &r, nil
}

// load takes files and folders as they are; one argument that names no file is looked up in the store.
func (p *program) load(paths []string) (*capture.Capture, error) {
	if len(paths) == 1 {
		if _, err := os.Stat(paths[0]); errors.Is(err, os.ErrNotExist) {
			return p.loadSession(paths[0])
		}
	}
	return capture.Load(paths)
}

func (p *program) loadSession(name string) (*capture.Capture, error) {
	st, err := p.store()
	if err != nil {
		return nil, err
	}
	id, err := st.Find(name)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%s is neither a file nor a session in %s", name, st.Dir())
	}
	if err != nil {
		return nil, err
	}
	sess, err := st.Read(id)
	if err != nil {
		return nil, err
	}
	c, err := stored.Capture(sess)
	return c, errors.Join(err, sess.Close())
}
