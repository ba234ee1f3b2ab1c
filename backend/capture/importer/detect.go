package importer

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"zimoscope/backend/requestview/wire"
)

// format is a way to read a file.
type format struct {
	name string
	read func(*reading) error
}

// reading is one file being read.
type reading struct {
	*run
	path string
	*stream
}

// The formats, as Result names them.
const (
	FormatBody   = "request body"
	FormatHAR    = "HAR"
	FormatLines  = "JSON lines"
	FormatOTLP   = "OTLP JSON"
	FormatDebug  = "MA debug log"
	FormatBundle = "proof bundle"
)

// What a line of a file of JSON lines was recognised as.
const (
	lineBody    = "request body, a line each"
	lineBatch   = "batch file"
	lineLogged  = "log of requests and responses"
	lineGateway = "gateway's log"
	lineSession = "MA session"
)

var debugLine = regexp.MustCompile(`(?m)^\[\d{4}-\d\d-\d\dT[^\]]+\] API REQUEST messages`)

// detect tells a format by what a file begins with; a name only decides between what that leaves open.
func detect(path string, head []byte) *format {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n\x00")
	switch {
	case filepath.Base(path) == manifestName && bytes.Contains(text, []byte(`"zimoscope-bundle/`)):
		return &format{FormatBundle, readBundle}
	case len(text) > 0 && text[0] == '[' && debugLine.Match(head):
		return &format{FormatDebug, readDebug}
	case len(text) > 0 && text[0] == '{':
		return detectObject(path, text)
	}
	return nil
}

func detectObject(path string, text []byte) *format {
	lines := &format{FormatLines, readLines}
	names, whole := firstMembers(text)
	if end := bytes.IndexByte(text, '\n'); end >= 0 && len(bytes.TrimSpace(text[end:])) > 0 && wire.IsValue(bytes.TrimSpace(text[:end])) {
		return lines
	}
	switch {
	case names["log"]:
		return &format{FormatHAR, readHAR}
	case strings.HasSuffix(path, ".jsonl"):
		return lines
	case names["resourceSpans"] || names["resource_spans"]:
		return &format{FormatOTLP, readOTLP}
	case names["messages"] && !names["response"] || names["input"] && names["model"] || !whole && names["model"]:
		return &format{FormatBody, readBody}
	}
	return lines
}

// firstMembers names the members of an object as far as it was read.
func firstMembers(text []byte) (names map[string]bool, whole bool) {
	names = map[string]bool{}
	s := newStream(bytes.NewReader(text), func(int) {})
	err := s.members(func(name string) error {
		names[name] = true
		return s.skip()
	})
	return names, err == nil || errors.Is(err, io.EOF)
}
