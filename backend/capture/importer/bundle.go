package importer

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"zimoscope/backend/capture/bundle"
	"zimoscope/backend/capture/exchange"
)

// readBundle takes the bodies of a proof bundle in their order. It does not verify: that is a question of its own.
func readBundle(r *reading) error {
	root, err := os.OpenRoot(filepath.Dir(r.path)) // names in a manifest lead nowhere else
	if err != nil {
		return plain(r.path, err)
	}
	defer func() { _ = root.Close() }() // it was only read
	err = r.members(func(name string) error {
		if name != "requests" {
			return r.skip()
		}
		return r.elements(func(raw []byte) error {
			var q bundle.Request
			if err := json.Unmarshal(raw, &q); err != nil {
				r.note("%s: a request of the manifest can't be read", r.file)
				return nil
			}
			return r.bundled(root, &q)
		})
	})
	if errors.Is(err, io.EOF) {
		err = errCut
	}
	return r.torn(err)
}

const claimedNote = "parts of it held a secret when it was sent, and the bundle claims their hashes: here they are hashed as they are stored, so its links are others"

// bundled takes one request of a bundle with its response.
func (r *reading) bundled(root *os.Root, q *bundle.Request) error {
	body, err := root.ReadFile(filepath.FromSlash(q.File))
	if err != nil {
		r.note("%s: a body is missing or can't be read", r.file)
		return nil
	}
	e := exchange.Exchange{Request: body, Dialect: exchange.Dialect(q.Dialect), Meta: q.Meta, Status: q.Status, URL: q.URL}
	if e.Dialect == "" {
		e.Dialect = dialectOf(body, "")
	}
	if q.RestHeld || slices.ContainsFunc(q.Parts, func(p bundle.Part) bool { return p.Claimed }) {
		e.Notes = append(e.Notes, claimedNote)
	}
	if q.Response != "" {
		if e.Response, err = root.ReadFile(filepath.FromSlash(q.Response)); err != nil {
			r.note("%s: a response is missing or can't be read", r.file)
		}
	}
	if q.SentAt > 0 {
		e.Started = time.UnixMilli(q.SentAt)
		e.Ended = e.Started.Add(time.Duration(q.Millis) * time.Millisecond)
	}
	return r.take(e)
}
