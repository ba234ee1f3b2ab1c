package run

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"

	"zimoscope/backend/capture"
	"zimoscope/backend/requestview/wire"
	"zimoscope/e2e/check"
)

// The files of the evidence, beside those of a capture, which `zimoscope check` reads.
const (
	FileHTML    = "report.html"
	FileJSON    = "report.json"
	fileSession = "session.jsonl"

	dirMode  = 0o700
	fileMode = 0o600
)

//go:embed report.html.tmpl
var page string

// save writes the evidence. A run that sent nothing leaves the two reports alone.
func (r *runner) save(run check.Run) error {
	if r.o.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(r.o.Dir, dirMode); err != nil {
		return fmt.Errorf("the report can't be saved: %w", err)
	}
	errs := []error{write(r.o.Dir, FileJSON, r.report.WriteJSON), write(r.o.Dir, FileHTML, r.report.WriteHTML)}
	if len(run.Requests) > 0 {
		errs = append(errs, WriteCapture(r.o.Dir, run))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("the report is not whole: %w", err)
	}
	return nil
}

func write(dir, name string, content func(io.Writer) error) error {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	return errors.Join(content(f), f.Close())
}

// WriteCapture writes the exact bytes of each attempt, with what was known of it, and the exported conversation.
func WriteCapture(dir string, run check.Run) error {
	number := map[int]int{} // request of the session -> number of its last attempt in the capture
	for i, q := range run.Requests {
		m := q.Meta
		m.BodySHA256 = wire.Hash(sha256.Sum256(q.Body))
		m.Predecessor = number[m.Predecessor]
		number[q.N] = i + 1
		if err := capture.WriteCapture(dir, i+1, q.Body, m); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, fileSession), run.JSONL, fileMode)
}

// WriteJSON writes the report as one JSON object.
func (r Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// WriteHTML writes the report as one page that loads nothing and runs nothing.
func (r Report) WriteHTML(w io.Writer) error {
	t, err := template.New("report").Parse(page)
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}
