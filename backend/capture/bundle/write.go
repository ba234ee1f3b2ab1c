package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the verifier and its page
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

//go:embed verify.py
var script []byte

//go:embed VERIFY.md
var page []byte

// ErrExists means that the folder is there already: a bundle is never mixed with what was there before.
var ErrExists = errors.New("it is there already: name a folder that is not")

const (
	dirMode  = 0o700
	fileMode = 0o600
)

// Verdict is one line of verdicts.json.
type Verdict struct {
	N        int               `json:"n"`
	Follows  int               `json:"follows"`
	Verdict  verdict.Verdict   `json:"verdict"`
	Redlines []verdict.Redline `json:"redlines"` // those that fail or are degraded
	Proof    string            `json:"proof"`
	Notes    []string          `json:"notes,omitempty"`
}

// Progress tells how far a bundle is.
type Progress struct {
	Requests, Of int   // written, and to write
	Bytes        int64 // of bodies and responses so far
}

// Options say who writes a bundle, and whom to tell.
type Options struct {
	Program    string         // its version line, for the manifest
	OnProgress func(Progress) // after each request; nil: nobody
}

// Write makes a bundle of a stored session in a new folder. It is built beside it and renamed when it is whole; when
// the context ends before that, nothing of it stays, and the error says so.
func Write(ctx context.Context, dir string, sess *store.Session, recs []*record.Record, o Options) (err error) {
	if _, err := os.Stat(dir); err == nil {
		return fmt.Errorf("%s: %w", dir, ErrExists)
	}
	if err := os.MkdirAll(filepath.Dir(dir), dirMode); err != nil {
		return fmt.Errorf("the folder for the bundle can't be made: %w", err)
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), ".bundle-")
	if err != nil {
		return fmt.Errorf("the bundle can't be written: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	w := &writer{ctx: ctx, o: o, dir: work, manifest: Manifest{Bundle: Version, Chain: wire.Version, Program: o.Program, Files: []File{}, Requests: []Request{}}}
	info := sess.Info()
	w.manifest.Session = Session{Name: info.Name, Model: info.Model, Host: info.Host, Foreign: info.Foreign}
	if err := w.all(sess, recs); err != nil {
		return fmt.Errorf("the bundle can't be written: %w", err)
	}
	if err := os.Chmod(work, dirMode); err != nil {
		return err
	}
	return os.Rename(work, dir)
}

type writer struct {
	ctx      context.Context
	o        Options
	bytes    int64
	dir      string
	manifest Manifest
	sums     []File // every file so far
}

func (w *writer) all(sess *store.Session, recs []*record.Record) error {
	if err := os.MkdirAll(filepath.Join(w.dir, BodiesDir), dirMode); err != nil {
		return err
	}
	verdicts := []Verdict{}
	for i, rec := range recs {
		if err := w.ctx.Err(); err != nil {
			return fmt.Errorf("it was stopped after %d of %d requests, and nothing of it was kept: %w", i, len(recs), err)
		}
		if err := w.request(sess, rec); err != nil {
			return err
		}
		v := Verdict{N: rec.N, Follows: rec.Meta.Predecessor, Verdict: rec.Verdict, Redlines: []verdict.Redline{}, Proof: rec.Proof}
		v.Redlines = append(v.Redlines, rec.Redlines...)
		if rec.Foreign != nil {
			v.Notes = rec.Foreign.Notes
		}
		verdicts = append(verdicts, v)
		if w.o.OnProgress != nil {
			w.o.OnProgress(Progress{Requests: i + 1, Of: len(recs), Bytes: w.bytes})
		}
	}
	raw, err := json.MarshalIndent(verdicts, "", " ")
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{VerdictsFile: raw, ScriptFile: script, PageFile: page} {
		if err := w.file(name, text); err != nil {
			return err
		}
	}
	raw, err = json.MarshalIndent(w.manifest, "", " ")
	if err != nil {
		return err
	}
	if err := w.put(ManifestFile, append(raw, '\n')); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.dir, SumsFile), sumsOf(w.sums), fileMode)
}

// sumsOf is the list in the form of sha256sum, by name.
func sumsOf(list []File) []byte {
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.File, b.File) })
	var b bytes.Buffer
	for _, f := range list {
		fmt.Fprintf(&b, "%s  %s\n", f.SHA256, f.File)
	}
	return b.Bytes()
}

func (w *writer) request(sess *store.Session, rec *record.Record) error {
	raw, err := sess.Body(rec.N)
	if err != nil {
		return err
	}
	q := RequestOf(rec, raw)
	q.File = path.Join(BodiesDir, fmt.Sprintf("req-%05d.body.json", rec.N))
	if err := w.put(q.File, raw); err != nil {
		return err
	}
	if resp, err := sess.Response(rec.N); err == nil && len(resp) > 0 {
		q.Response = path.Join(BodiesDir, fmt.Sprintf("resp-%05d.txt", rec.N))
		if err := w.file(q.Response, resp); err != nil {
			return err
		}
	} else if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	w.manifest.Requests = append(w.manifest.Requests, q)
	return nil
}

// file writes a file and lists it.
func (w *writer) file(name string, text []byte) error {
	w.manifest.Files = append(w.manifest.Files, File{File: name, SHA256: sha256.Sum256(text)})
	return w.put(name, text)
}

func (w *writer) put(name string, text []byte) error {
	w.sums = append(w.sums, File{File: name, SHA256: sha256.Sum256(text)})
	w.bytes += int64(len(text))
	return os.WriteFile(filepath.Join(w.dir, filepath.FromSlash(name)), text, fileMode)
}
