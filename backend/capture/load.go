package capture

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// Refusals of Load, each wrapped with the file. The input can't be used at all.
var (
	ErrNoBodies = errors.New("it holds no request bodies (req-001.body.json and so on)")
	ErrMeta     = errors.New("the file beside the body can't be read; remove it to check the body as a foreign one")
	ErrTooLarge = errors.New("it is larger than any request")
)

// maxBody bounds one file, in bytes: far above what any provider takes.
const maxBody = 1 << 30

const (
	bodySuffix = ".body.json"
	metaSuffix = ".meta.json"
	dirMode    = 0o700
	fileMode   = 0o600
)

// Capture is a list of requests in the order they were sent.
type Capture struct {
	Requests   []*verdict.Request
	Violations []Violation
	Files      bool // they were read from files, which their names are
	Whole      bool // the one folder of a session: a request that is not here is nowhere
}

// Violation is a sidecar that doesn't belong to its body.
type Violation struct {
	Request int    `json:"request"` // index in Requests
	File    string `json:"file"`
	Detail  string `json:"detail"`
}

// Load reads raw bodies in the order given; a folder stands for the bodies in it, by number. Errors name the file,
// and the byte where a body stops being one.
func Load(paths []string) (*Capture, error) {
	c := &Capture{Files: true, Whole: len(paths) == 1}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, plainError(p, err)
		}
		files := []string{p}
		if info.IsDir() {
			if files, err = bodiesIn(p); err != nil {
				return nil, err
			}
		} else {
			c.Whole = false
		}
		for _, f := range files {
			if err := c.load(f); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// plainError leaves out the system call: a person reads it.
func plainError(file string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

func bodiesIn(dir string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(globEscape(dir), "*"+bodySuffix))
	if err != nil || len(all) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoBodies)
	}
	slices.SortFunc(all, func(a, b string) int {
		if n, m := numberOf(a), numberOf(b); n != m {
			return n - m
		}
		return strings.Compare(a, b)
	})
	return all, nil
}

func globEscape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// numberOf is the number in req-NNN.body.json; files without one come last, by name.
func numberOf(file string) int {
	base := strings.TrimSuffix(filepath.Base(file), bodySuffix)
	n, err := strconv.Atoi(base[strings.LastIndexByte(base, '-')+1:])
	if err != nil || n < 0 {
		return int(^uint(0) >> 1)
	}
	return n
}

func (c *Capture) load(file string) error {
	raw, err := readBounded(file)
	if err != nil {
		return err
	}
	body, err := wire.Scan(raw)
	if err == nil {
		err = encoding(raw)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r := &verdict.Request{Body: body, Name: file}
	if n := numberOf(file); strings.HasSuffix(file, bodySuffix) && n < int(^uint(0)>>1) {
		r.Number = n
	}
	index := len(c.Requests)
	c.Requests = append(c.Requests, r)
	if !strings.HasSuffix(file, bodySuffix) {
		return nil
	}
	metaFile := sidecarOf(file)
	meta, err := readMeta(metaFile)
	if err != nil || meta == nil {
		return err
	}
	r.Meta = meta
	if sum := wire.Hash(sha256.Sum256(raw)); sum != meta.BodySHA256 {
		c.Violations = append(c.Violations, Violation{index, metaFile, fmt.Sprintf("it was written for a body with sha256 %s, %s has %s", meta.BodySHA256, filepath.Base(file), sum)})
	}
	if err := verdict.CheckTail(r); err != nil {
		c.Violations = append(c.Violations, Violation{index, metaFile, err.Error()})
	}
	return nil
}

// sidecarOf names the file beside a body; of a stored request there is none beside it.
func sidecarOf(name string) string {
	if base, ok := strings.CutSuffix(name, bodySuffix); ok {
		return base + metaSuffix
	}
	return name
}

// encoding refuses what is no UTF-8: JSON has to be (RFC 8259, section 8.1), and what a provider makes of such a byte
// nobody can tell. The scanner itself passes over it, so that what a proxy saw is recorded as it was.
func encoding(raw []byte) error {
	if utf8.Valid(raw) {
		return nil
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n <= 1 {
			return &wire.SyntaxError{Offset: i, Reason: fmt.Sprintf("%#x is not UTF-8, as JSON has to be; a body that was sent so can be imported and looked at", raw[i])}
		}
		i += n
	}
}

func readBounded(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, plainError(file, err)
	}
	if info.Size() > maxBody {
		return nil, fmt.Errorf("%s: %w", file, ErrTooLarge)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, plainError(file, err)
	}
	return raw, nil
}

// readMeta gives nil without an error when there is no such file: the body is a foreign one then.
func readMeta(file string) (*verdict.Meta, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, plainError(file, err)
	}
	m := &verdict.Meta{TailOffset: -1}
	if err := json.Unmarshal(raw, m); err != nil {
		return nil, fmt.Errorf("%s: %w: %v", file, ErrMeta, err)
	}
	return m, nil
}

// WriteCapture writes request n of a capture: the body as sent, and what was known about it. The hash of the body
// is filled in. Both files are readable by their owner only.
func WriteCapture(dir string, n int, body []byte, meta verdict.Meta) error {
	meta.BodySHA256 = sha256.Sum256(body)
	side, err := json.MarshalIndent(meta, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return fmt.Errorf("the capture folder can't be made: %w", err)
	}
	base := filepath.Join(dir, fmt.Sprintf("req-%03d", n))
	if err := os.WriteFile(base+bodySuffix, body, fileMode); err != nil {
		return fmt.Errorf("the capture can't be written: %w", err)
	}
	if err := os.WriteFile(base+metaSuffix, append(side, '\n'), fileMode); err != nil {
		return fmt.Errorf("the capture can't be written: %w", err)
	}
	return nil
}
