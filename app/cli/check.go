package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"zimoscope/app/stored"
	"zimoscope/backend/capture"
	"zimoscope/backend/store"
)

func (p *program) checkCommand() *cobra.Command {
	var asJSON, strict bool
	c := &cobra.Command{
		Use:   "check PATH…",
		Short: "Compare request bodies pair by pair: verdicts and redlines",
		Long: "PATH is a raw request body (several in order), a capture folder, or a stored session: its id, its name, or latest.\n" +
			"Exit 1 when a pair is rewritten or leaked, when the stable prefix moved or a window slid unannounced, when a sidecar\n" +
			"does not match its body, or when a redline fails. --strict also fails on changed parameters and derived summaries.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error { return p.check(paths, asJSON, strict) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().BoolVar(&strict, "strict", false, "exit 1 on degraded redlines and on changed parameters too")
	return c
}

func (p *program) check(paths []string, asJSON, strict bool) error {
	traffic, err := p.load(paths)
	if err != nil {
		return err
	}
	report := capture.Check(traffic)
	if asJSON {
		enc := json.NewEncoder(p.out)
		enc.SetEscapeHTML(false)
		err = enc.Encode(report)
	} else {
		err = report.WriteText(p.out)
	}
	if err != nil {
		return err
	}
	if report.Exit(strict) != 0 {
		return failed(errSilent)
	}
	return nil
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
	sess, err := st.Open(id)
	if err != nil {
		return nil, err
	}
	c, err := stored.Capture(sess)
	return c, errors.Join(err, sess.Close())
}
