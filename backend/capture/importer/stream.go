package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"zimoscope/backend/requestview/wire"
)

// readSize is how much is read at a time, in bytes.
const readSize = 1 << 20

var (
	errCut      = errors.New("the file ends in the middle of a record")
	errTooLarge = errors.New("a record is larger than any request")
)

// stream takes JSON values and lines out of a file, one at a time. What it gives is valid until the next is taken.
type stream struct {
	r    io.Reader
	read func(n int)
	buf  []byte
	at   int
	err  error // of reading; io.EOF at the end
}

func newStream(r io.Reader, read func(int)) *stream { return &stream{r: r, read: read} }

// fill reads more behind what is there; false at the end or on an error.
func (s *stream) fill() bool {
	if s.err != nil {
		return false
	}
	if s.at > 0 {
		s.buf = append(s.buf[:0], s.buf[s.at:]...)
		s.at = 0
	}
	want := max(readSize, len(s.buf)) // doubling: a large record is looked through a few times, not often
	old := len(s.buf)
	s.buf = append(s.buf, make([]byte, want)...)
	n, err := io.ReadFull(s.r, s.buf[old:])
	s.buf = s.buf[:old+n]
	s.read(n)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	s.err = err
	return n > 0
}

// space skips white space and gives the next byte, 0 at the end.
func (s *stream) space() byte {
	for {
		for s.at < len(s.buf) {
			c := s.buf[s.at]
			if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
				return c
			}
			s.at++
		}
		if !s.fill() {
			return 0
		}
	}
}

// value takes the next JSON value.
func (s *stream) value() ([]byte, error) {
	if s.space() == 0 {
		return nil, s.end()
	}
	for {
		_, end, err := wire.Skip(s.buf, s.at)
		if err == nil && (end < len(s.buf) || s.err != nil) {
			raw := s.buf[s.at:end]
			s.at = end
			return raw, nil
		}
		if len(s.buf)-s.at > maxRecord {
			return nil, errTooLarge
		}
		if !s.fill() {
			if err == nil {
				continue // the value ends with the file
			}
			if s.end() != nil && !errors.Is(s.err, io.EOF) {
				return nil, s.err
			}
			return nil, fmt.Errorf("%w (%w)", errCut, err)
		}
	}
}

func (s *stream) end() error {
	if errors.Is(s.err, io.EOF) {
		return io.EOF
	}
	return s.err
}

// line takes the next line, without its end. Zero bytes at its start and end, as a crash leaves them, are dropped.
func (s *stream) line() ([]byte, error) {
	from := 0
	for {
		if i := bytes.IndexByte(s.buf[s.at+from:], '\n'); i >= 0 {
			line := s.buf[s.at : s.at+from+i]
			s.at += from + i + 1
			return bytes.Trim(line, "\x00\r"), nil
		}
		from = len(s.buf) - s.at
		if from > maxRecord {
			return nil, errTooLarge
		}
		if !s.fill() {
			if from == 0 || !errors.Is(s.err, io.EOF) {
				return nil, s.end()
			}
			line := s.buf[s.at:]
			s.at = len(s.buf)
			return bytes.Trim(line, "\x00\r"), nil
		}
	}
}

// members walks the object that comes next. visit must take the value or call skip.
func (s *stream) members(visit func(name string) error) error {
	return s.inside('{', '}', func() error {
		key, err := s.value()
		if err != nil {
			return err
		}
		name, ok := wire.String(key)
		if !ok || s.space() != ':' {
			return fmt.Errorf("%w (no member where one should stand)", errCut)
		}
		s.at++
		return visit(name)
	})
}

// object walks what comes next when it is an object, and leaves it out when it is anything else.
func (s *stream) object(visit func(name string) error) error {
	if s.space() != '{' {
		return s.skip()
	}
	return s.members(visit)
}

// list walks what comes next when it is an array, and leaves it out when it is anything else. each takes one entry.
func (s *stream) list(each func() error) error {
	if s.space() != '[' {
		return s.skip()
	}
	return s.inside('[', ']', each)
}

// pick hands the value that comes next to whoever wants a member of that name, and leaves out what nobody wants.
func (s *stream) pick(name string, wanted map[string]func(raw []byte)) error {
	raw, err := s.value()
	if want := wanted[name]; err == nil && want != nil {
		want(raw)
	}
	return err
}

// elements walks an array of values, as list does.
func (s *stream) elements(visit func(raw []byte) error) error {
	return s.list(func() error {
		raw, err := s.value()
		if err != nil {
			return err
		}
		return visit(raw)
	})
}

// inside calls each at every entry between two brackets.
func (s *stream) inside(opening, closing byte, each func() error) error {
	if s.space() != opening {
		return fmt.Errorf("%w (no %c where one should stand)", errCut, opening)
	}
	s.at++
	for {
		switch s.space() {
		case closing:
			s.at++
			return nil
		case ',':
			s.at++
			continue
		case 0:
			return errCut
		}
		if err := each(); err != nil {
			return err
		}
	}
}

// skip leaves a value out.
func (s *stream) skip() error {
	_, err := s.value()
	return err
}
