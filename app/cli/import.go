package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"zimoscope/app/foreign"
	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/importer"
	"zimoscope/backend/record"
)

// importBatch is how many requests are stored in one commit: an import is acknowledged as a whole, at its end.
const importBatch = 64

func (p *program) importCommand() *cobra.Command {
	var name string
	var asJSON bool
	c := &cobra.Command{
		Use:   "import FILE…",
		Short: "Read another agent's traffic from files into a session",
		Long: "Reads request bodies and folders of them, HAR 1.2, JSON lines (batch files, gateways' logs, an agent's session),\n" +
			"MA's debug log, OpenTelemetry JSON with spans of generative AI, and proof bundles. What is whole is taken, what is\n" +
			"not is named. Ctrl-C stops; what was read until then stays.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return p.importFiles(c.Context(), args, name, asJSON) },
	}
	c.Flags().StringVar(&name, "session", "", "name of the session; an import of that name goes on (default the first file's name)")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

// imported is what import prints.
type imported struct {
	Session string `json:"session"`
	Name    string `json:"name"`
	importer.Result
	Verdicts   map[string]int `json:"verdicts"`
	Violations int            `json:"violations"`
	Inferred   map[string]int `json:"inferred"` // how often the bytes show each cause

	first map[string]string // of each cause, where it shows first
}

// take counts what became of one request.
func (i *imported) take(r *record.Record) {
	if r.Violation() {
		i.Violations++
	}
	for _, x := range r.Foreign.Inferred {
		if i.Inferred[x.Cause]++; i.first[x.Cause] == "" {
			i.first[x.Cause] = fmt.Sprintf("request %d: %s", r.N, x.Evidence)
		}
	}
}

func (p *program) importFiles(ctx context.Context, files []string, name string, asJSON bool) error {
	for _, f := range files {
		if _, err := os.Stat(f); err != nil {
			return fmt.Errorf("%s can't be read: %w", f, errors.Unwrap(err))
		}
	}
	if name == "" {
		name = filepath.Base(files[0])
	}
	st, err := p.store()
	if err != nil {
		return failed(err)
	}
	out := imported{Verdicts: map[string]int{}, Inferred: map[string]int{}, first: map[string]string{}}
	sess, err := foreign.Open(st, foreign.Options{Name: name, From: foreign.Import, Source: "file", Batch: importBatch, OnRecord: func(r *record.Record, _ *answer.Answer) { out.take(r) }})
	if err != nil {
		return failed(err)
	}
	out.Session, out.Name = sess.Store.ID, sess.Store.Info().Name
	res, err := importer.Import(ctx, files, sess, importer.Options{OnProgress: p.importProgress})
	p.overwrite("")
	out.Result = res
	empty := sess.Store.Requests() == 0 && res.Requests == 0
	err = errors.Join(err, sess.Close())
	if empty {
		return errors.Join(err, st.Delete(out.Session))
	}
	if list, e := st.List(); e == nil {
		for _, m := range list {
			if m.ID == out.Session {
				out.Verdicts = m.Verdicts
			}
		}
	}
	if perr := p.printImport(out, asJSON); perr != nil || err == nil {
		return perr
	}
	return failed(err)
}

func (p *program) printImport(out imported, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(p.out).Encode(out)
	}
	verdicts := counts(out.Verdicts)
	if verdicts == "" {
		verdicts = "nothing in it can be compared"
	}
	what := "requests"
	if out.Requests == 1 {
		what = "request"
	}
	fmt.Fprintf(p.out, "%d %s from %s into session %q (%s): %s\n", out.Requests, what, out.Source, out.Name, out.Session, verdicts)
	for _, cause := range slices.Sorted(maps.Keys(out.Inferred)) {
		often := "once"
		if n := out.Inferred[cause]; n > 1 {
			often = fmt.Sprintf("%d times, first", n)
		}
		fmt.Fprintf(p.out, "  inferred: %s, %s in %s\n", cause, often, oneLine(out.first[cause]))
	}
	for _, n := range out.Notes {
		fmt.Fprintf(p.out, "  note: %s\n", oneLine(n))
	}
	return nil
}

func (p *program) importProgress(g importer.Progress) {
	const mega = 1 << 20
	p.overwrite(fmt.Sprintf("%s: %d of %d MB, %d requests", g.File, g.Read/mega, g.Total/mega, g.Requests))
}

// overwrite draws one line over the last one, on a terminal alone.
func (p *program) overwrite(line string) {
	f, ok := p.errScreen.(*os.File)
	if !ok {
		return
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return
	}
	fmt.Fprint(f, clearLine+oneLine(line))
}
