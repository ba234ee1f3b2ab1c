package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"zimoscope/app/api"
)

const (
	// scratchMode keeps what others sent, and what is exported, readable by the user alone.
	scratchMode = 0o700
	// staleAfter is when a folder is taken for one that a program left behind which did not end well.
	staleAfter = 24 * time.Hour
	// maxUpload bounds what one upload may hold, in bytes: far above any capture, below what fills a disk by mistake.
	maxUpload = 16 << 30
	// maxNameBytes bounds a file's name as file systems do.
	maxNameBytes = 200
)

var (
	uploadForm = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)
	errUpload  = errors.New("the files did not arrive, or were given up: choose them once more")
	errTooBig  = fmt.Errorf("more than %d GB were sent at once; import them in parts, or with `zimoscope import`", maxUpload>>30)
)

// scratch is the private folder for files on their way in and out. Everything in it is removed when it is no longer
// needed, and at the end.
type scratch struct {
	mu      sync.Mutex
	dir     string
	uploads map[string]*upload
	out     map[string]string // ticket -> path, each for one time
	mine    []string
}

type upload struct {
	dir   string
	files []string // in the order they came
	bytes int64
}

func newScratch(data string) *scratch {
	s := &scratch{dir: filepath.Join(data, "tmp"), uploads: map[string]*upload{}, out: map[string]string{}}
	s.sweep(time.Now())
	return s
}

// sweep removes what an earlier run left. What can't be removed is left for the next start.
func (s *scratch) sweep(now time.Time) {
	list, _ := os.ReadDir(s.dir)
	for _, e := range list {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > staleAfter {
			_ = os.RemoveAll(filepath.Join(s.dir, e.Name()))
		}
	}
}

// folder makes a new one.
func (s *scratch) folder() (string, error) {
	if err := os.MkdirAll(s.dir, scratchMode); err != nil {
		return "", fmt.Errorf("the data folder can't be written: %w", err)
	}
	dir, err := os.MkdirTemp(s.dir, "")
	if err != nil {
		return "", fmt.Errorf("the data folder can't be written: %w", err)
	}
	s.mu.Lock()
	s.mine = append(s.mine, dir)
	s.mu.Unlock()
	return dir, nil
}

// close removes everything.
func (s *scratch) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, dir := range s.mine {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	s.uploads, s.out = map[string]*upload{}, map[string]string{}
	return err
}

// Receive takes one file of an upload; several of one upload are imported together. The file is written as it comes.
func (s *Service) Receive(ctx context.Context, id, name string, r io.Reader) (err error) {
	if !uploadForm.MatchString(id) {
		return errUpload
	}
	u, path, err := s.scratch.place(id, name)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("the file can't be kept: %w", plainPath(err))
	}
	n, err := io.Copy(file, io.LimitReader(contextReader{ctx, r}, maxUpload-u.bytes+1))
	err = errors.Join(err, file.Close())
	s.scratch.mu.Lock()
	defer s.scratch.mu.Unlock()
	u.bytes += n
	switch {
	case err != nil:
		return errors.Join(errUpload, os.Remove(path))
	case u.bytes > maxUpload:
		return errors.Join(errTooBig, os.Remove(path))
	}
	u.files = append(u.files, path)
	return nil
}

// place finds a free name in an upload's folder, near the one that was given: the format may be told by it.
func (s *scratch) place(id, name string) (*upload, string, error) {
	s.mu.Lock()
	u := s.uploads[id]
	s.mu.Unlock()
	if u == nil {
		dir, err := s.folder()
		if err != nil {
			return nil, "", err
		}
		s.mu.Lock()
		if u = s.uploads[id]; u == nil {
			u = &upload{dir: dir}
			s.uploads[id] = u
		}
		s.mu.Unlock()
	}
	dir, err := os.MkdirTemp(u.dir, "")
	return u, filepath.Join(dir, safeName(name)), err
}

// safeName is the last part of a name without what a file system could take for more than a name.
func safeName(name string) string {
	name = filepath.Base(filepath.FromSlash(strings.ReplaceAll(name, `\`, "/")))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '/' {
			return '_'
		}
		return r
	}, name)
	if name = strings.TrimLeft(name, "."); name == "" {
		return "file"
	}
	return strings.ToValidUTF8(name[max(0, len(name)-maxNameBytes):], "")
}

// take hands an upload over to whoever imports it.
func (s *scratch) take(id string) (*upload, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.uploads[id]
	if u == nil || len(u.files) == 0 {
		return nil, errUpload
	}
	delete(s.uploads, id)
	return u, nil
}

// DropUpload implements api.Service.
func (s *Service) DropUpload(id string) error {
	s.scratch.mu.Lock()
	u := s.scratch.uploads[id]
	delete(s.scratch.uploads, id)
	s.scratch.mu.Unlock()
	if u == nil {
		return nil
	}
	return os.RemoveAll(u.dir)
}

// offer gives a ticket by which a file can be fetched once.
func (s *scratch) offer(path string) string {
	ticket := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out[ticket] = path
	return ticket
}

// Fetch gives what a ticket stands for, once. Whoever reads it calls done, which removes it.
func (s *Service) Fetch(ticket string) (file *os.File, done func(), err error) {
	s.scratch.mu.Lock()
	path, ok := s.scratch.out[ticket]
	delete(s.scratch.out, ticket)
	s.scratch.mu.Unlock()
	if !ok {
		return nil, nil, fmt.Errorf("this export was fetched already or is gone: %w", api.ErrNotFound)
	}
	if file, err = os.Open(path); err != nil {
		return nil, nil, fmt.Errorf("this export is gone: %w", api.ErrNotFound)
	}
	return file, func() { _ = file.Close(); _ = os.RemoveAll(filepath.Dir(path)) }, nil
}

// contextReader ends with its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// plainPath leaves path and system call out: a person reads it.
func plainPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
