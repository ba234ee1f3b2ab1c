package provider

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

const (
	// maxLineBytes bounds one line of a stream: far above any delta seen (40 MB
	// lines exist), low enough that a server can't fill the memory.
	maxLineBytes = 64 << 20
	// readBufferBytes is the size of one read from the connection.
	readBufferBytes = 64 << 10
)

var errLineTooLong = errors.New("a line of the stream is longer than 64 MB")

// event is one server-sent event. name is empty for the usual kind.
type event struct {
	name string
	data []byte
}

// eventReader reads server-sent events as servers really send them: with byte
// order mark, comments, CRLF, fields it does not know, empty data, no space
// after the colon, no blank line between events or after the last one.
type eventReader struct {
	br    *bufio.Reader
	limit int
	line  []byte // the line begun, across buffers
	name  string
	data  []byte
	had   bool   // a data field was seen since the last event
	held  []byte // a line read ahead
	ended error
}

func newEventReader(br *bufio.Reader) *eventReader {
	return &eventReader{br: br, limit: maxLineBytes}
}

// next returns the next event that has data. At the end it returns io.EOF, or
// the error that ended the stream; an unfinished event is delivered before
// that only when its data is whole.
func (r *eventReader) next() (event, error) {
	for {
		line, err := r.readLine()
		if err != nil {
			if r.had && wholeData(r.data) {
				return r.take(), nil
			}
			return event{}, err
		}
		if len(line) == 0 {
			if r.had && len(bytes.TrimSpace(r.data)) > 0 {
				return r.take(), nil
			}
			r.reset()
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			r.name = string(value)
		case "data":
			// Some servers leave out the blank line: a second data line after
			// whole data is the next event.
			if r.had && wholeData(r.data) {
				r.held = bytes.Clone(line)
				return r.take(), nil
			}
			if r.had && len(r.data) > 0 {
				r.data = append(r.data, '\n')
			}
			r.had = true
			r.data = append(r.data, value...)
		}
	}
}

func wholeData(data []byte) bool {
	return isDone(data) || json.Valid(data)
}

func isDone(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("[DONE]"))
}

func (r *eventReader) take() event {
	ev := event{name: r.name, data: r.data}
	r.data = nil
	r.reset()
	return ev
}

func (r *eventReader) reset() {
	r.name, r.data, r.had = "", r.data[:0], false
}

// readLine returns one line without its end. The last line counts even when
// nothing ends it.
func (r *eventReader) readLine() ([]byte, error) {
	if r.held != nil {
		line := r.held
		r.held = nil
		return line, nil
	}
	if r.ended != nil {
		return nil, r.ended
	}
	r.line = r.line[:0]
	for {
		part, err := r.br.ReadSlice('\n')
		r.line = append(r.line, part...)
		if len(r.line) > r.limit {
			r.ended = errLineTooLong
			return nil, r.ended
		}
		switch {
		case err == nil:
			return bytes.TrimRight(r.line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		default:
			r.ended = err
			if len(r.line) > 0 {
				return bytes.TrimRight(r.line, "\r\n"), nil
			}
			return nil, err
		}
	}
}

// skipPreamble drops a byte order mark and leading white space and returns the
// first byte of the body. io.EOF means an empty body.
func skipPreamble(br *bufio.Reader) (byte, error) {
	if mark, err := br.Peek(3); err == nil && bytes.Equal(mark, []byte{0xEF, 0xBB, 0xBF}) {
		if _, err := br.Discard(3); err != nil {
			return 0, err
		}
	}
	for {
		b, err := br.ReadByte()
		if err != nil {
			return 0, err
		}
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b, br.UnreadByte()
		}
	}
}

// readBounded reads the rest of a body that is no stream.
func readBounded(r io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxLineBytes+1))
	if err == nil && len(body) > maxLineBytes {
		err = errLineTooLong
	}
	return body, err
}
