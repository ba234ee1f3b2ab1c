// Package exchange is one request of any agent together with what came back, as the proxy saw it or a file tells it:
// the form in which other agents' traffic reaches the recorder.
//
// Contract: an Exchange is a value; nothing here does I/O. Bodies are as sent, secrets included, and live in memory
// only: the recorder takes the secrets out before anything is stored.
package exchange

import (
	"context"
	"net/http"
	"time"
	"unicode/utf8"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// Dialect is the shape of a request body.
type Dialect string

// The dialects whose parts are understood, and what else passes by.
const (
	Chat      Dialect = "chat"      // OpenAI chat completions: messages, tools
	Responses Dialect = "responses" // OpenAI Responses: input, instructions, tools
	Messages  Dialect = "messages"  // Anthropic Messages: system, messages, tools
	Other     Dialect = "other"     // listed, not compared
)

// Exchange is one attempt at one request.
type Exchange struct {
	Source    string        // the file that it comes from, and what was recognised in it; "" when it came from none
	Started   time.Time     // zero: not told
	Ended     time.Time     // zero: not told, or it has not ended
	FirstByte time.Duration // from Started to the first byte of the response; 0 when not told
	Method    string
	URL       string // where it went, query included; of a file, as that tells it
	Dialect   Dialect

	Request         []byte     // the body, content encoding removed
	Scanned         *wire.Body // what Request holds, when that was looked at already: Scan
	RequestHeader   http.Header
	Status          int // 0: no response came
	Response        []byte
	ResponseHeader  http.Header
	ResponseCut     bool   // the response ended before its end, or was larger than what is kept
	RequestCut      bool   // the request was larger than what is kept, or the client left in its middle
	ResponseBytes   int64  // of the response as it went over the wire
	Error           string // how far it went, a sentence; "" when it went all the way
	Secrets         []string
	Conversation    string        // what a file says it belongs to: a session, a trace; "" when not told
	ConversationOf  string        // how that was told: "file", "trace", "bundle"
	Meta            *verdict.Meta // only from our own captures and bundles
	Notes           []string      // what the source could not tell, in sentences
	UsageRaw        []byte        // a usage report that came apart from a response; nil otherwise
	ReportedModel   string        // when the body does not name it
	ReportedByProxy bool          // its bytes were seen on the wire, not read from a file
}

// Scan looks at the body beside whoever records. An error means that it can't be read as a request; what is listed only
// is not looked at.
func (e *Exchange) Scan() (err error) {
	if e.Dialect != Other && !e.RequestCut {
		e.Scanned, err = wire.Scan(e.Request)
	}
	return err
}

// NoteEncoding is the note of a request whose bytes are kept as they were and are no UTF-8, as JSON has to be.
const NoteEncoding = "The request body is not valid UTF-8."

// BadEncoding says that the request was to be compared and is no UTF-8.
func (e *Exchange) BadEncoding() bool {
	return e.Dialect != Other && !e.RequestCut && !utf8.Valid(e.Request)
}

// Sink takes exchanges, one at a time, in the order their responses ended. An error means that it was not kept.
type Sink interface {
	Take(ctx context.Context, e Exchange) error
}
