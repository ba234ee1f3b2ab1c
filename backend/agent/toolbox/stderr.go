package toolbox

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// tail keeps the last part of a server's error output.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) add(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - maxTailBytes; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
		// Begin at a line, so that no character is cut.
		if nl := bytes.IndexByte(t.buf, '\n'); nl >= 0 && nl < len(t.buf)-1 {
			t.buf = append(t.buf[:0], t.buf[nl+1:]...)
		}
	}
}

// text decodes the whole tail at once: half of it in another encoding than the
// rest would be a guess per line.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(readable(t.buf))
}

// readable makes text of bytes that should be UTF-8 and are GBK at times.
func readable(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	decoded, err := simplifiedchinese.GB18030.NewDecoder().Bytes(b)
	if err == nil && !bytes.ContainsRune(decoded, utf8.RuneError) {
		return string(decoded)
	}
	return strings.ToValidUTF8(string(b), "�")
}

// drainStderr reads error output to its end; it never stops while the process
// may write, whatever it writes.
func drainStderr(src io.Reader, keep *tail, show func(line []byte)) {
	br := bufio.NewReaderSize(src, maxStderrLine)
	for {
		line, err := br.ReadSlice('\n')
		if len(line) > 0 {
			keep.add(line)
			if text := bytes.TrimRight(line, "\r\n"); len(text) > 0 {
				show([]byte(readable(text)))
			}
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}
