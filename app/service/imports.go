package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"zimoscope/app/api"
	"zimoscope/app/foreign"
	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/importer"
	"zimoscope/backend/record"
)

// importBatch is how many requests are stored in one commit: an import is acknowledged as a whole, at its end.
const importBatch = 64

var errPaths = errors.New("files of this machine are imported by path in the window alone; here they are chosen or dropped")

// dialogs are what only a desktop shell can show.
type dialogs struct {
	open func(ctx context.Context) ([]string, error)
	save func(ctx context.Context, name string) (string, error)
}

// UseDialogs gives the service the shell's dialogs. open gives no path, and save "", when a person chose none.
func (s *Service) UseDialogs(open func(ctx context.Context) ([]string, error), save func(ctx context.Context, name string) (string, error)) {
	s.set(func() { s.dialogs = dialogs{open, save} })
}

// OpenFiles imports files of this machine and shows the session: what a command line names. Unreadable files are told at
// once; everything else is told in the window.
func (s *Service) OpenFiles(paths []string) error {
	for _, p := range paths {
		if _, err := os.Stat(p); err != nil {
			return fmt.Errorf("%s can't be read: %w", p, plainPath(err))
		}
	}
	_, err := s.importPaths(paths, func() {})
	return err
}

// ImportFiles implements api.Service.
func (s *Service) ImportFiles(paths []string) (api.Job, error) {
	if s.o.Shell != "window" {
		return api.Job{}, errPaths
	}
	return s.importPaths(paths, func() {})
}

// ChooseImport implements api.Service.
func (s *Service) ChooseImport(ctx context.Context) (api.Job, error) {
	s.mu.Lock()
	open := s.dialogs.open
	s.mu.Unlock()
	if open == nil {
		return api.Job{}, errPaths
	}
	paths, err := open(ctx)
	if err != nil || len(paths) == 0 {
		return api.Job{Notes: []string{}}, err
	}
	return s.importPaths(paths, func() {})
}

// ImportUpload implements api.Service. The files are removed when the import has ended.
func (s *Service) ImportUpload(id string) (api.Job, error) {
	u, err := s.scratch.take(id)
	if err != nil {
		return api.Job{}, err
	}
	return s.importPaths(u.files, func() { _ = os.RemoveAll(u.dir) })
}

func (s *Service) importPaths(paths []string, done func()) (api.Job, error) {
	if len(paths) == 0 {
		return api.Job{}, errUpload
	}
	paths = slices.Clone(paths)
	for i, p := range paths {
		if full, err := filepath.Abs(p); err == nil {
			paths[i] = full
		}
	}
	return s.jobs.begin(api.Job{Kind: "import", Name: filepath.Base(paths[0])}, func(ctx context.Context, one *job) error {
		defer done()
		return s.runImport(ctx, one, paths)
	}), nil
}

// runImport reads files into a new session. One without a request leaves none behind.
func (s *Service) runImport(ctx context.Context, one *job, paths []string) error {
	taken := 0
	sess, err := foreign.Open(s.o.Store, foreign.Options{Name: one.Name, New: true, From: foreign.Import, Source: "file", Batch: importBatch,
		OnRecord: func(*record.Record, *answer.Answer) {
			taken++
			s.jobs.progress(one, func(a *api.Job) { a.Requests = taken })
		}})
	if err != nil {
		return err
	}
	id := sess.Store.ID
	var res importer.Result
	err = safely(func() (err error) {
		res, err = importer.Import(ctx, paths, sess, importer.Options{OnProgress: func(p importer.Progress) {
			s.jobs.progress(one, func(a *api.Job) { a.File, a.Bytes, a.Total = p.File, p.Read, p.Total })
		}})
		return err
	})
	res.Requests = max(res.Requests, taken) // an import that broke off tells nothing of what it had stored
	empty := res.Requests == 0
	err = errors.Join(err, sess.Close())
	if empty {
		err = errors.Join(err, s.o.Store.Delete(id))
	}
	s.jobs.change(one, func(a *api.Job) {
		a.Format, a.Requests, a.Notes, a.Bytes = res.Format, res.Requests, res.Notes, res.Bytes
		if !empty {
			a.Session = id
		}
	})
	s.publish(topicSessions, id)
	err = withoutFolders(err, paths)
	if err == nil && s.free() {
		_, err = s.Open(id)
		s.jobs.change(one, func(a *api.Job) { a.Opened = err == nil })
	}
	return err
}

// withoutFolders names files as a person chose them: where they lay on their way is nobody's concern.
func withoutFolders(err error, paths []string) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	text := err.Error()
	for _, p := range paths {
		text = strings.ReplaceAll(text, p, filepath.Base(p))
	}
	return errors.New(text)
}

// free says that nothing of the open session would be ended by opening another one.
func (s *Service) free() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cancel == nil && s.recording == nil && !s.closed
}
