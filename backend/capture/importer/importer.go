// Package importer reads traffic that other programs left in files: raw bodies, HAR, lines of JSON from batches and
// gateways, an agent's session and debug log, OpenTelemetry spans, and our own bundles.
//
// Contract: everything read is hostile until parsed. What can't be read is left out with a note, what is whole before
// and behind it is taken; a file that is cut gives all its whole records. Records are handed on in the order of the
// file, one at a time, and memory does not grow with the file but for its largest record. Nothing is written.
package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/safely"
)

// Limits of what is read.
const (
	// maxRecord bounds one record, in bytes: far above any request, below what exhausts memory.
	maxRecord = 256 << 20
	// firstRead is how much of a file is looked at to tell its format, in bytes.
	firstRead = 64 << 10
)

// Refusals, each wrapped with the file.
var (
	ErrUnknown = errors.New("its format is not known: a request body, HAR, JSON lines, a debug log, OpenTelemetry JSON or a proof bundle can be imported")
	ErrNothing = errors.New("no request was found in it")
)

// Progress tells how far an import is. Total is 0 when it isn't known.
type Progress struct {
	File     string
	Read     int64 // bytes of all files so far
	Total    int64
	Requests int
}

// Options say what an import tells on its way.
type Options struct {
	OnProgress func(Progress) // about every few megabytes, and at the end
}

// Result is what an import brought.
type Result struct {
	Format   string   `json:"format"` // of the first file
	Source   string   `json:"source"` // the file and what was recognised in it, or how many files: traffic.har (HAR)
	Requests int      `json:"requests"`
	Bytes    int64    `json:"bytes"`
	Notes    []string `json:"notes"` // what could not be read, or could not be told
}

// run is one import.
type run struct {
	ctx   context.Context
	sink  exchange.Sink
	o     Options
	res   Result
	file  string
	kind  string   // what the file was recognised as
	files int      // read so far
	kinds []string // of all files, each once
	total int64
	said  int64 // bytes at the last progress
	notes map[string]int
	order []string

	queue chan exchange.Exchange
	taken chan taken // one, when sink takes no more
	end   *taken
}

// taken is what became of the records that were handed on.
type taken struct {
	count int
	err   error
}

// ahead is how many records may be read before the one before them was taken: reading and recording keep a core each.
const ahead = 4

// Import reads files and folders in the order given and hands each exchange to sink. An error means that it ended
// early; what was taken until then stays taken, and Result says how much that is.
func Import(ctx context.Context, paths []string, sink exchange.Sink, o Options) (Result, error) {
	r := &run{ctx: ctx, sink: sink, o: o, notes: map[string]int{}, queue: make(chan exchange.Exchange, ahead), taken: make(chan taken, 1)}
	var files []string
	for _, p := range paths {
		list, err := expand(p)
		if err != nil {
			return r.result(), err
		}
		files = append(files, list...)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			r.total += info.Size()
		}
	}
	t := &taken{}
	safely.Go(func() error { return r.hand(t) }, func(err error) { t.err = err; r.taken <- *t })
	var err error
	for _, f := range files {
		if err = r.one(f); err != nil {
			break
		}
	}
	if err = r.finish(err); err != nil {
		return r.result(), err
	}
	if r.res.Requests == 0 {
		return r.result(), fmt.Errorf("%s: %w", strings.Join(paths, ", "), ErrNothing)
	}
	r.progress(true)
	return r.result(), nil
}

// expand gives the files of a folder that hold traffic, by name; a bundle is known by its manifest.
func expand(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, plain(path, err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	if m := filepath.Join(path, manifestName); exists(m) {
		return []string{m}, nil
	}
	for _, pattern := range []string{"*.body.json", "*.har", "*.jsonl", "*.json", "*.log"} {
		list, err := filepath.Glob(filepath.Join(globEscape(path), pattern))
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			slices.SortFunc(list, byNumber)
			return list, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", path, ErrNothing)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func globEscape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// byNumber compares names with the numbers in them by value: req-2 comes before req-10.
func byNumber(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			x, y := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
			if len(x) != len(y) {
				return len(x) - len(y)
			}
			if c := strings.Compare(x, y); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// plain leaves out the system call: a person reads it.
func plain(file string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// one reads one file in whatever format it is.
func (r *run) one(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return plain(file, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	r.file = filepath.Base(file)
	if r.file == manifestName { // a bundle is known by its folder
		r.file = filepath.Base(filepath.Dir(file))
	}
	head := make([]byte, firstRead)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return plain(file, err)
	}
	head = head[:n]
	format := detect(file, head)
	if format == nil {
		return fmt.Errorf("%s: %w", file, ErrUnknown)
	}
	if r.res.Format == "" {
		r.res.Format = format.name
	}
	r.opened(format.name)
	s := newStream(io.MultiReader(strings.NewReader(string(head)), f), func(n int) { r.res.Bytes += int64(n); r.progress(false) })
	return format.read(&reading{run: r, path: file, stream: s})
}

// manifestName is the file that a proof bundle is read by.
const manifestName = "manifest.json"

// opened notes a file for what Result says of where everything came from.
func (r *run) opened(kind string) {
	r.kind = kind
	if !slices.Contains(r.kinds, kind) {
		r.kinds = append(r.kinds, kind)
	}
	if r.files++; r.files == 1 {
		r.res.Source = source(r.file, kind)
		return
	}
	r.res.Source = source(fmt.Sprintf("%d files", r.files), strings.Join(r.kinds, ", "))
}

func source(name, kind string) string { return name + " (" + kind + ")" }

func (r *run) progress(end bool) {
	const every = 4 << 20 // bytes
	if r.o.OnProgress != nil && (end || r.res.Bytes-r.said >= every) {
		r.said = r.res.Bytes
		r.o.OnProgress(Progress{File: r.file, Read: r.res.Bytes, Total: r.total, Requests: r.res.Requests})
	}
}

// hand gives each record to the sink, beside the reading of the next.
func (r *run) hand(t *taken) error {
	for e := range r.queue {
		if err := r.ctx.Err(); err != nil {
			return fmt.Errorf("the import was stopped after %d requests: %w", t.count, err)
		}
		if err := r.sink.Take(r.ctx, e); err != nil {
			return err
		}
		t.count++
	}
	return nil
}

// finish waits for what is under way.
func (r *run) finish(err error) error {
	close(r.queue)
	if r.end == nil {
		t := <-r.taken
		r.end = &t
	}
	r.res.Requests = r.end.count
	if r.end.err != nil {
		return r.end.err
	}
	return err
}

// take hands one exchange on.
func (r *run) take(e exchange.Exchange) error {
	if e.Scan() != nil { // the record says why
		r.note("%s holds a body that can't be read as a request: it is listed, not compared", r.file)
	}
	if e.BadEncoding() {
		e.Notes = append(e.Notes, exchange.NoteEncoding)
		r.note("%s holds a body that is not valid UTF-8: it was taken as it is", r.file)
	}
	if e.Source == "" {
		e.Source = source(r.file, r.kind)
	}
	if r.files == 1 && r.res.Requests == 0 { // of JSON lines only a record says what they are
		r.res.Source = e.Source
	}
	select {
	case r.queue <- e:
		r.res.Requests++
		return nil
	case t := <-r.taken:
		r.end = &t
		return t.err
	}
}

// note counts what could not be read: the same thing a thousand times is one note.
func (r *run) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if r.notes[text]++; r.notes[text] == 1 {
		r.order = append(r.order, text)
	}
}

func (r *run) result() Result {
	res := r.res
	res.Notes = []string{}
	for _, n := range r.order {
		if k := r.notes[n]; k > 1 {
			n = fmt.Sprintf("%s (%d times)", n, k)
		}
		res.Notes = append(res.Notes, n)
	}
	return res
}
