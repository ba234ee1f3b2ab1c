package provider

import "fmt"

// What one answer may hold. No model asks for so much; a stream that is made to cost time does, and a few megabytes of
// tiny pieces would take hours to join.
const (
	maxCalls  = 1024     // tool calls
	maxName   = 4096     // bytes of a function's name
	maxFields = 256      // unknown fields of one call
	maxScan   = 64 << 20 // bytes of arguments that are read, over all pieces, to see whether a call is whole
	maxBlank  = 1024     // bytes of arguments among which an empty object is looked for
)

// hold notes the first limit that the answer goes over.
func (s *callSet) hold(c *callState) {
	for _, l := range []struct {
		count, limit int
		what         string
	}{
		{len(s.list), maxCalls, "tool calls"},
		{len(c.name), maxName, "bytes of a function's name"},
		{len(c.extra) + len(c.fnExtra), maxFields, "unknown fields of a tool call"},
		{s.scanned, maxScan, "bytes of arguments, sent so that they have to be read again and again"},
	} {
		if l.count > l.limit && s.over == "" {
			s.over = fmt.Sprintf("more than %d %s in one answer", l.limit, l.what)
		}
	}
}
