package importer

import (
	"errors"
	"io"
	"regexp"
	"time"

	"zimoscope/backend/capture/exchange"
)

var debugHead = regexp.MustCompile(`^\[(\d{4}-\d\d-\d\dT[^\]]+)\] API REQUEST messages \(\d+\):`)

const debugNote = "from a debug log: it shows the start of each message and no tools, so the bytes that were sent are not told and no hash of them can be"

// readDebug takes the requests that an agent's debug log shows.
func readDebug(r *reading) error {
	for {
		line, err := r.line()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return r.torn(err)
		}
		m := debugHead.FindSubmatch(line)
		if m == nil {
			continue
		}
		started, _ := time.Parse(time.RFC3339Nano, string(m[1])) // without a time the request is still one
		list, err := r.value()
		if errors.Is(err, io.EOF) {
			err = errCut
		}
		if err != nil {
			return r.torn(err)
		}
		body := append([]byte(`{"messages":`), list...)
		if err := r.take(exchange.Exchange{Started: started, Request: append(body, '}'), Dialect: exchange.Chat, Notes: []string{debugNote}}); err != nil {
			return err
		}
	}
}
