// Package exporter writes a stored session for other programs and people: HAR 1.2, OpenTelemetry JSON, the session's
// own JSONL, one self-contained page, one request as a command.
//
// Contract: nothing is written that is not in the store, so no secret is; bodies stand in an export as they are
// stored, byte by byte. Requests are written as they are read, one at a time. A Source is read, never changed.
package exporter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

// The formats.
const (
	JSONL = "jsonl"
	HAR   = "har"
	OTLP  = "otlp"
	HTML  = "html"
	Curl  = "curl"
	Proof = "proof"
)

// Formats lists them all.
func Formats() []string { return []string{JSONL, HAR, OTLP, HTML, Curl, Proof} }

// Source is what is exported.
type Source struct {
	Session *store.Session
	Records []*record.Record // those to export, in order
	Version string           // of this program
}

// ErrOneRequest means that a format is of one request and none, or several, were named.
var ErrOneRequest = errors.New("a command is of one request: say which with --request N")

// Write writes a session in one of the formats that are one file.
func Write(w io.Writer, format string, s Source) error {
	switch format {
	case JSONL:
		return s.jsonl(w)
	case HAR:
		return s.har(w)
	case OTLP:
		return s.otlp(w)
	case HTML:
		return s.html(w)
	case Curl:
		return s.curl(w)
	}
	return fmt.Errorf("%q is no format of an export; choose one of: %s", format, strings.Join(Formats(), ", "))
}

// jsonl is the conversation, one message a line: of our own sessions as the transcript holds it, of others' the history
// of the last request of each conversation. Neither holds what was sent for one request only.
func (s Source) jsonl(w io.Writer) error {
	if s.Session.Info().Foreign == "" {
		events, err := s.Session.Events()
		if err != nil {
			return err
		}
		t, err := transcript.Replay(events)
		if err != nil {
			return err
		}
		_, err = w.Write(t.JSONL())
		return err
	}
	last, order := map[string]*record.Record{}, []string{}
	for _, r := range s.Records {
		if r.Meta.Kind != verdict.KindMain && r.Meta.Kind != verdict.KindRetry {
			continue
		}
		if last[r.Meta.Thread] == nil {
			order = append(order, r.Meta.Thread)
		}
		last[r.Meta.Thread] = r
	}
	for _, thread := range order {
		if err := s.history(w, last[thread]); err != nil {
			return err
		}
	}
	return nil
}

func (s Source) history(w io.Writer, r *record.Record) error {
	body, err := s.body(r)
	if err != nil {
		return err
	}
	from := 0
	if verdict.HasSystem(body) {
		from = 1
	}
	for i := from; i < body.Messages.Len()-verdict.TailMessages(body); i++ {
		var line bytes.Buffer
		if err := json.Compact(&line, body.Bytes(wire.KindMessage, i)); err != nil {
			return err
		}
		line.WriteByte('\n')
		if _, err := w.Write(line.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func (s Source) body(r *record.Record) (*wire.Body, error) {
	raw, err := s.Session.Body(r.N)
	if err != nil {
		return nil, err
	}
	return wire.Scan(raw)
}

// response gives what came back, "" when nothing did.
func (s Source) response(n int) (string, error) {
	raw, err := s.Session.Response(n)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	return string(raw), err
}

// unknownAddress stands where a format needs an address and none was told. The name can never be anybody's.
const unknownAddress = "http://unknown.invalid/"

// address is where a request went, without secrets.
func (s Source) address(r *record.Record) string {
	if r.Foreign != nil {
		if r.Foreign.URL != "" {
			return r.Foreign.URL
		}
		return unknownAddress
	}
	return strings.TrimRight(s.Session.Info().Endpoint, "/") + "/chat/completions"
}

func (s Source) curl(w io.Writer) error {
	if len(s.Records) != 1 {
		return ErrOneRequest
	}
	raw, err := s.Session.Body(s.Records[0].N)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, Command(s.address(s.Records[0]), dialectOf(s.Records[0]), raw))
	return err
}

func dialectOf(r *record.Record) string {
	if r.Foreign != nil {
		return r.Foreign.Dialect
	}
	return "chat"
}

// Command is a shell command that sends a body as it is. The body goes through a pipe: a command line has a limit that
// long requests pass. The key is taken from the environment by name.
func Command(address, dialect string, body []byte) string {
	key := `-H "Authorization: Bearer $OPENAI_API_KEY"`
	if dialect == "messages" {
		key = `-H "x-api-key: $ANTHROPIC_API_KEY" -H 'anthropic-version: 2023-06-01'`
	}
	return "printf '%s' '" + quoted(string(body)) + "' |\n  curl --no-buffer '" + quoted(address) + "' \\\n  -H 'Content-Type: application/json' \\\n  " + key + " \\\n  --data-binary @-\n"
}

// quoted escapes text for POSIX single quotes: only the quote itself ends them.
func quoted(s string) string { return strings.ReplaceAll(s, "'", `'\''`) }

// stream writes the pieces of a JSON document.
type stream struct {
	w   io.Writer
	err error
}

func (s *stream) text(t string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.w, t)
	}
}

func (s *stream) value(v any) {
	if s.err != nil {
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if s.err = enc.Encode(v); s.err == nil {
		_, s.err = s.w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	}
}
