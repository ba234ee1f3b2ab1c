package toolbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// framer cuts a server's output into messages. A message is one line; one that
// a server printed over several lines is joined. Anything else is noise.
type framer struct {
	br      *bufio.Reader
	limit   int
	message func(raw []byte)
	noise   func(raw []byte, why string)

	line    []byte
	pending []byte // an object begun on an earlier line
	scan    balance
	first   bool
}

func newFramer(src io.Reader, message func([]byte), noise func([]byte, string)) *framer {
	return &framer{
		br: bufio.NewReaderSize(src, readBufferBytes), limit: maxMessageBytes,
		message: message, noise: noise, first: true,
	}
}

// run reads to the end of the output. The bytes it hands over are the callee's.
func (f *framer) run() {
	for {
		err := f.readLine()
		if len(f.line) > 0 {
			f.take(f.line)
		}
		if err != nil {
			f.dropPending("the output ended within a message")
			return
		}
	}
}

// readLine reads one line, its end included. A line over the limit is dropped.
func (f *framer) readLine() error {
	f.line = f.line[:0]
	dropped := false
	for {
		part, err := f.br.ReadSlice('\n')
		if !dropped {
			f.line = append(f.line, part...)
		}
		if len(f.line) > f.limit {
			f.noise(bytes.Clone(f.line[:maxStderrLine]), "a message is longer than 64 MB and was dropped")
			f.line, dropped = f.line[:0], true
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return err
	}
}

func (f *framer) take(line []byte) {
	if f.first {
		line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		f.first = false
	}
	text := bytes.TrimSpace(line)
	if len(f.pending) > 0 {
		if isMessage(text) { // what was begun was never finished
			f.dropPending("not a message")
		} else {
			f.join(line)
			return
		}
	}
	switch {
	case len(text) == 0:
	case text[0] == '{' && json.Valid(text):
		f.emit(text)
	case text[0] == '[' && json.Valid(text):
		f.batch(text)
	case text[0] == '{':
		f.scan = balance{}
		f.join(line)
	default:
		f.noise(bytes.Clone(text), "not a message")
	}
}

// join adds a line to the object begun; at its closing brace it is judged.
func (f *framer) join(line []byte) {
	f.pending = append(f.pending, line...)
	closed := f.scan.closes(line)
	switch {
	case closed && json.Valid(f.pending):
		whole := bytes.TrimSpace(f.pending)
		f.emit(whole)
		f.pending = f.pending[:0]
	case closed:
		f.dropPending("not a message")
	case len(f.pending) > f.limit:
		f.dropPending("a message is longer than 64 MB and was dropped")
	}
}

func (f *framer) emit(raw []byte) {
	if !isMessage(raw) {
		f.noise(bytes.Clone(raw), "JSON that is not a message")
		return
	}
	f.message(bytes.Clone(raw))
}

// batch takes an array of messages, which one version of the protocol allowed.
func (f *framer) batch(raw []byte) {
	var list []json.RawMessage
	_ = json.Unmarshal(raw, &list)
	for _, one := range list {
		if !isMessage(one) {
			f.noise(bytes.Clone(raw), "not a message")
			return
		}
	}
	for _, one := range list {
		f.message(one)
	}
}

func (f *framer) dropPending(why string) {
	if len(f.pending) == 0 {
		return
	}
	shown := f.pending[:min(len(f.pending), maxStderrLine)]
	f.noise(bytes.Clone(bytes.TrimSpace(shown)), why)
	f.pending = f.pending[:0]
}

// isMessage reports whether raw is one JSON object that says jsonrpc.
func isMessage(raw []byte) bool {
	if len(raw) == 0 || raw[0] != '{' || !bytes.Contains(raw, []byte(`"jsonrpc"`)) {
		return false
	}
	var head struct {
		JSONRPC string `json:"jsonrpc"`
	}
	return json.Unmarshal(raw, &head) == nil && head.JSONRPC != ""
}

// balance follows the nesting of JSON text, each byte looked at once.
type balance struct {
	depth    int
	inString bool
	escaped  bool
}

// closes reports whether the outermost bracket was closed within text.
func (b *balance) closes(text []byte) bool {
	for _, c := range text {
		switch {
		case b.escaped:
			b.escaped = false
		case b.inString:
			if c == '\\' {
				b.escaped = true
			} else if c == '"' {
				b.inString = false
			}
		case c == '"':
			b.inString = true
		case c == '{' || c == '[':
			b.depth++
		case c == '}' || c == ']':
			b.depth--
			if b.depth <= 0 {
				return true
			}
		}
	}
	return false
}
