package importer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"zimoscope/backend/capture/bundle"
	"zimoscope/backend/capture/exchange"
)

// readBundle takes the bodies of a proof bundle in their order. It does not verify: that is a question of its own.
func readBundle(r *reading) error {
	raw, err := r.value()
	if err != nil {
		return r.torn(fmt.Errorf("%w (%w)", errCut, err))
	}
	var m bundle.Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return fmt.Errorf("%s: the manifest can't be read: %w", r.path, err)
	}
	root, err := os.OpenRoot(filepath.Dir(r.path)) // names in a manifest lead nowhere else
	if err != nil {
		return plain(r.path, err)
	}
	defer func() { _ = root.Close() }() // it was only read
	for _, q := range m.Requests {
		body, err := root.ReadFile(filepath.FromSlash(q.File))
		if err != nil {
			r.note("%s: a body is missing or can't be read", r.file)
			continue
		}
		e := exchange.Exchange{Request: body, Dialect: exchange.Dialect(q.Dialect), Meta: q.Meta, Status: q.Status, URL: q.URL}
		if e.Dialect == "" {
			e.Dialect = dialectOf(body, "")
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
		if err := r.take(e); err != nil {
			return err
		}
	}
	return nil
}
