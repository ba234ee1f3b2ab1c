package service

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"zimoscope/app"
	"zimoscope/app/api"
	"zimoscope/app/stored"
	"zimoscope/backend/capture/bundle"
	"zimoscope/backend/capture/exporter"
	"zimoscope/backend/record"
	"zimoscope/backend/store"
)

// suffixes end the names of exported files.
var suffixes = map[string]string{exporter.JSONL: ".jsonl", exporter.HAR: ".har", exporter.OTLP: ".otlp.json", exporter.HTML: ".html", exporter.Curl: ".sh", exporter.Proof: ".proof.zip"}

// Export implements api.Service. In the window a person says where to; elsewhere the file is offered for one download.
func (s *Service) Export(ctx context.Context, o api.ExportOrder) (api.Job, error) {
	suffix, ok := suffixes[o.Format]
	if !ok {
		return api.Job{}, fmt.Errorf("%q is no format of an export; choose one of: %s", o.Format, strings.Join(exporter.Formats(), ", "))
	}
	name, err := s.nameOf(o.Session)
	if err != nil {
		return api.Job{}, err
	}
	if o.Request > 0 {
		name = fmt.Sprintf("%s %d", name, o.Request)
	}
	file := safeName(strings.Map(withoutSeparators, name) + suffix)
	s.mu.Lock()
	save := s.dialogs.save
	s.mu.Unlock()
	target := ""
	if save != nil {
		if target, err = save(ctx, file); err != nil || target == "" {
			return api.Job{Notes: []string{}}, err
		}
	}
	return s.jobs.begin(api.Job{Kind: "export", Name: name, Session: o.Session, Format: o.Format}, func(ctx context.Context, one *job) error {
		return s.runExport(ctx, one, o, target, file)
	}), nil
}

func withoutSeparators(r rune) rune {
	if strings.ContainsRune(`/\:*?"<>|`, r) {
		return '-'
	}
	return r
}

func (s *Service) nameOf(id string) (string, error) {
	list, err := s.sessions()
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(list, func(x api.SessionInfo) bool { return x.ID == id })
	if i < 0 {
		return "", fmt.Errorf("session %s: %w", id, api.ErrNotFound)
	}
	return orElse(list[i].Name, id), nil
}

// runExport writes beside the target and puts the file in its place when it is whole.
func (s *Service) runExport(ctx context.Context, one *job, o api.ExportOrder, target, name string) error {
	dir, err := s.scratch.folder()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	if target != "" {
		defer func() { _ = os.RemoveAll(dir) }()
		path = target + ".part"
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("the export can't be written: %w", plainPath(err))
	}
	w := &meter{ctx: ctx, w: file, tell: func(n int64) { s.jobs.progress(one, func(a *api.Job) { a.Bytes += n }) }}
	err = s.onStored(o.Session, func(sess *store.Session) error { return writeExport(ctx, w, sess, o, dir) })
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if target == "" {
		ticket := s.scratch.offer(path)
		s.jobs.change(one, func(a *api.Job) { a.Download = "/download/" + ticket + "/" + url.PathEscape(name) })
		return nil
	}
	if err := os.Rename(path, target); err != nil {
		return errors.Join(fmt.Errorf("the export can't be written: %w", err), os.Remove(path))
	}
	s.jobs.change(one, func(a *api.Job) { a.Path = target })
	return nil
}

// onStored reads a session: the open one, which stays open for as long, or one of the store. A panic is an error here
// already, so that a file is never left open.
func (s *Service) onStored(id string, do func(*store.Session) error) error {
	s.mu.Lock()
	b := s.book
	here := b != nil && b.sess.ID == id
	if here {
		b.users.Add(1)
	}
	s.mu.Unlock()
	if here {
		defer b.users.Done()
		return safely(func() error { return do(b.sess) })
	}
	sess, err := s.o.Store.Read(id)
	if err != nil {
		return err
	}
	return errors.Join(safely(func() error { return do(sess) }), sess.Close())
}

func writeExport(ctx context.Context, w io.Writer, sess *store.Session, o api.ExportOrder, dir string) error {
	recs, err := stored.Records(sess)
	if err != nil {
		return err
	}
	if o.Request > 0 {
		recs = slices.DeleteFunc(recs, func(r *record.Record) bool { return r.N != o.Request })
	}
	if o.Format != exporter.Proof {
		return exporter.Write(w, o.Format, exporter.Source{Session: sess, Records: recs, Version: app.Version})
	}
	work := filepath.Join(dir, "proof")
	if err := bundle.Write(ctx, work, sess, recs, bundle.Options{Program: app.VersionLine()}); err != nil {
		return err
	}
	return errors.Join(zipFolder(w, work), os.RemoveAll(work))
}

// zipFolder writes a folder's files as they are read, under their paths in it.
func zipFolder(w io.Writer, dir string) error {
	z := zip.NewWriter(w)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		out, err := z.Create(filepath.ToSlash(name))
		if err == nil {
			_, err = io.Copy(out, in)
		}
		return errors.Join(err, in.Close())
	})
	return errors.Join(err, z.Close())
}

// meter counts what is written and ends with its context.
type meter struct {
	ctx  context.Context
	w    io.Writer
	tell func(n int64)
}

func (m *meter) Write(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.w.Write(p)
	m.tell(int64(n))
	return n, err
}

// Curl implements api.Service: the same bytes from a shell, the key as a variable.
func (s *Service) Curl(ref api.RequestRef) (string, error) {
	raw, err := s.raw(ref)
	if err != nil {
		return "", err
	}
	address, dialect := "", "chat"
	err = s.onStored(orElse(ref.Session, s.openID()), func(sess *store.Session) error {
		address = strings.TrimRight(sess.Info().Endpoint, "/") + "/chat/completions"
		f, err := sess.Facts(ref.N)
		if errors.Is(err, store.ErrNotFound) {
			return nil // staged: it is stored nowhere yet
		}
		if err != nil {
			return err
		}
		rec, err := record.Of(f)
		if err == nil && rec.Foreign != nil {
			address, dialect = orElse(rec.Foreign.URL, "http://unknown.invalid/"), rec.Foreign.Dialect
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return exporter.Command(address, dialect, raw), nil
}

func (s *Service) openID() string {
	if b, err := s.current(""); err == nil {
		return b.sess.ID
	}
	return ""
}
