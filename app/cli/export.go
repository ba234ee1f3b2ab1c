package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"zimoscope/app"
	"zimoscope/app/stored"
	"zimoscope/backend/capture/bundle"
	"zimoscope/backend/capture/exporter"
	"zimoscope/backend/record"
	"zimoscope/backend/store"
)

type exportFlags struct {
	format, out string
	request     int
}

func (p *program) exportCommand() *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export SESSION --format FORMAT --out PATH",
		Short: "Write a session for other programs: JSONL, HAR, OpenTelemetry, a page, a command, a proof bundle",
		Long: "SESSION is an id, a name or latest. Formats: jsonl (the conversation, one message a line), har (HTTP archive 1.2),\n" +
			"otlp (OpenTelemetry spans of generative AI), html (one self-contained page), curl (one request as a shell command),\n" +
			"proof (a folder that verifies by itself). Nothing that is there already is written over.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return p.export(c.Context(), args[0], f) },
	}
	c.Flags().StringVar(&f.format, "format", "", strings.Join(exporter.Formats(), ", "))
	c.Flags().StringVar(&f.out, "out", "", "file to write, or the folder of a proof bundle; - for standard output")
	c.Flags().IntVar(&f.request, "request", 0, "only this request")
	return c
}

func (p *program) export(ctx context.Context, name string, f exportFlags) error {
	if !slices.Contains(exporter.Formats(), f.format) {
		return fmt.Errorf("say which --format: one of %s", strings.Join(exporter.Formats(), ", "))
	}
	if f.out == "" {
		return errors.New("say where to write: --out PATH")
	}
	return p.onStored(name, func(sess *store.Session, recs []*record.Record) error {
		if f.request > 0 {
			i := slices.IndexFunc(recs, func(r *record.Record) bool { return r.N == f.request })
			if i < 0 {
				return fmt.Errorf("there is no request %d in this session: it has %d", f.request, len(recs))
			}
			recs = recs[i : i+1]
		}
		if f.format == exporter.Proof {
			err := bundle.Write(ctx, f.out, sess, recs, bundle.Options{Program: app.VersionLine(), OnProgress: p.bundleProgress})
			p.overwrite("")
			if err != nil {
				return failed(err)
			}
			fmt.Fprintf(p.err, "%d requests in %s; check it with: zimoscope verify %s\n", len(recs), f.out, f.out)
			return nil
		}
		source := exporter.Source{Session: sess, Records: recs, Version: app.Version}
		return p.writeNew(f.out, func(w io.Writer) error { return exporter.Write(&untilDone{ctx, w}, f.format, source) })
	})
}

func (p *program) bundleProgress(g bundle.Progress) {
	p.overwrite(fmt.Sprintf("%d of %d requests, %d MB", g.Requests, g.Of, g.Bytes>>20))
}

// untilDone refuses to write on once its context has ended.
type untilDone struct {
	ctx context.Context
	w   io.Writer
}

func (u *untilDone) Write(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, fmt.Errorf("it was stopped, and nothing of it was kept: %w", err)
	}
	return u.w.Write(b)
}

// onStored opens a session of the store by name for reading.
func (p *program) onStored(name string, do func(*store.Session, []*record.Record) error) error {
	st, err := p.store()
	if err != nil {
		return err
	}
	id, err := st.Find(name)
	if err != nil {
		return fmt.Errorf("no session %s in %s", name, st.Dir())
	}
	sess, err := st.Read(id)
	if err != nil {
		return err
	}
	recs, err := stored.Records(sess)
	if err == nil {
		err = do(sess, recs)
	}
	return errors.Join(err, sess.Close())
}

// writeNew writes a file that is not there yet; what failed half-way is taken away again.
func (p *program) writeNew(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(p.screen)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return failed(fmt.Errorf("the folder for %s can't be made: %w", path, err))
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return failed(fmt.Errorf("%s is there already: name a file that is not", path))
	}
	if err != nil {
		return failed(fmt.Errorf("the export can't be written: %w", err))
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return errors.Join(failed(err), os.Remove(path))
	}
	fmt.Fprintf(p.err, "written to %s\n", path)
	return nil
}

func (p *program) verifyCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify BUNDLE",
		Short: "Check a proof bundle, a folder or a zip: exit 0 whole, 1 altered, 2 unreadable",
		Long: "BUNDLE is the folder that export wrote, or the zip that the window gave; nothing is unpacked to disk.\n" +
			"Computes every hash of the bundle's files anew, and every verdict whose bytes are there. Names what is not as claimed.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return p.verify(c.Context(), args[0], asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func (p *program) verify(ctx context.Context, path string, asJSON bool) error {
	r, err := bundle.Verify(ctx, path)
	if err != nil {
		return err
	}
	if asJSON {
		if err := json.NewEncoder(p.out).Encode(r); err != nil {
			return err
		}
	} else {
		for _, x := range r.Problems {
			fmt.Fprintf(p.out, "altered: %s\n", oneLine(strings.TrimSpace(x.File+" "+x.Part+": "+x.Detail)))
		}
		fmt.Fprintf(p.out, "%d requests, %d parts, %d claimed and not recomputable, %d problems\n", r.Requests, r.Parts, r.Claimed, len(r.Problems))
	}
	if len(r.Problems) > 0 {
		return failed(errSilent)
	}
	return nil
}
