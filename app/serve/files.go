package serve

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"path"
	"time"

	"zimoscope/app/api"
)

// Files is what a service may offer beside api.Service: files that a browser sends and fetches. A service without it has
// neither.
type Files interface {
	// Receive takes one file of an upload.
	Receive(ctx context.Context, upload, name string, r io.Reader) error
	// Fetch gives what a ticket stands for, once; done removes it.
	Fetch(ticket string) (file *os.File, done func(), err error)
}

// chunkTimeout is how long the next piece of a file may take: the whole may take hours.
const chunkTimeout = 60 * time.Second

// upload takes one file, as it comes.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	files, ok := s.svc.(Files)
	if !ok {
		fail(w, http.StatusNotFound, "This program takes no files.")
		return
	}
	control := http.NewResponseController(w)
	body := patient{r.Body, func() { _ = control.SetReadDeadline(time.Now().Add(chunkTimeout)) }}
	if err := files.Receive(r.Context(), r.PathValue("upload"), r.URL.Query().Get("name"), body); err != nil {
		fail(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// patient gives each piece its own time.
type patient struct {
	r    io.Reader
	more func()
}

func (p patient) Read(b []byte) (int, error) {
	p.more()
	return p.r.Read(b)
}

// download gives a file to the browser itself, which writes it to disk: it carries no token, so the ticket stands for one
// file and one time.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	files, ok := s.svc.(Files)
	if !ok {
		fail(w, http.StatusNotFound, "This program gives no files.")
		return
	}
	file, done, err := files.Fetch(r.PathValue("ticket"))
	if errors.Is(err, api.ErrNotFound) {
		fail(w, http.StatusNotFound, err.Error())
		return
	}
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	defer done()
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(r.PathValue("name"))}))
	h.Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	_, _ = io.Copy(w, patient{file, func() { _ = control.SetWriteDeadline(time.Now().Add(chunkTimeout)) }}) // who left gets no more
}
