package verdict

import (
	"bytes"
	"strings"

	"zimoscope/backend/requestview/wire"
)

// The lines of an operation record.
const (
	recordStart    = "Action: "
	outcomeLine    = "\nOutcome: "
	auditLine      = "\nFrame audit: "
	outcomeOK      = "ok"
	summaryLine    = "\nSummary: "
	summaryShared  = "\nSummary (shared): "
	summaryDerived = "\nSummary (derived): "
)

// summaryForms are the ways in which a record may be sealed.
var summaryForms = []string{summaryLine, summaryShared, summaryDerived}

func hasSummary(text string) bool {
	for _, s := range summaryForms {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// withoutCloser drops the brackets and the quote that end a message, with white space between them.
func withoutCloser(raw []byte) []byte {
	cut := bytes.TrimRight(raw, "}] \t\r\n")
	return bytes.TrimSuffix(cut, []byte(`"`))
}

// isCloser says whether b only ends what is open: at most one quote, then brackets and white space.
func isCloser(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	b = bytes.TrimPrefix(b, []byte(`"`))
	return len(bytes.Trim(b, "}] \t\r\n")) == 0
}

// growth is how a later part relates to an earlier one in the same place.
type growth int

const (
	different growth = iota
	same
	grew
	sealed
)

// compareElems says how b follows from a. at is the offset in b of the first byte that is not in a.
func compareElems(a, b *elem) (g growth, at int) {
	if sameElem(a, b) {
		return same, 0
	}
	if pa, pb := a.withoutMarks(), b.withoutMarks(); pa != a || pb != b { // a mark may come with the Summary
		g, at = compareElems(pa, pb)
		if at >= wire.CommonPrefix(pb.raw, b.raw) {
			at += len(b.raw) - len(pb.raw)
		}
		return g, at
	}
	core := a.raw
	if !a.partial {
		core = withoutCloser(a.raw)
	}
	if !bytes.HasPrefix(b.raw, core) || len(core) == 0 {
		return different, wire.CommonPrefix(a.raw, b.raw)
	}
	if isSeal(b.whole, len(core)) {
		return sealed, len(core)
	}
	return grew, len(core)
}

// sameElem also knows the message that carried a tail: what stood before the tail is the whole later message, bar
// its closer.
func sameElem(a, b *elem) bool {
	switch {
	case a.leaf == b.leaf, sameForMark(a, b):
		return true
	case a.partial && !b.partial:
		return bytes.HasPrefix(b.raw, a.raw) && isCloser(b.raw[len(a.raw):])
	case b.partial && !a.partial:
		return bytes.HasPrefix(a.raw, b.raw) && isCloser(a.raw[len(b.raw):])
	}
	return false
}

// isSeal says whether msg is an operation record that was pending up to its byte at, and grew from there by exactly
// one Summary line.
func isSeal(msg []byte, at int) bool {
	if roleOf(msg) != "tool" {
		return false
	}
	done := false
	ok := false
	eachString(msg, func(t stringToken) {
		if done || t.isKey || at <= t.start || at >= t.end {
			return
		}
		done = true
		text, _ := wire.String(msg[t.start:t.end])
		before, valid := wire.String(append(bytes.Clone(msg[t.start:at]), '"'))
		added, follows := strings.CutPrefix(text, before)
		ok = valid && follows && isCloser(msg[t.end-1:]) && strings.HasPrefix(before, recordStart) &&
			!hasSummary(before) && isSummaryLine(added)
	})
	return ok
}

func isSummaryLine(added string) bool {
	for _, s := range summaryForms {
		if rest, ok := strings.CutPrefix(added, s); ok {
			return strings.TrimSpace(rest) != "" && !strings.ContainsAny(rest, "\n\r")
		}
	}
	return false
}
