package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"zimoscope/backend/zimoos"
)

// Limits of a record's lines, in bytes.
const (
	maxArguments = 600
	maxResult    = 800
	maxSummary   = 1200 // 400 characters of any script
)

// Operation is one ZimoOS operation that came back, or did not.
type Operation struct {
	CallID    string
	Tool      string // public name, such as zimoos.act
	Arguments string // as the model wrote them
	Outcome   Outcome
	Result    string        // readable text beside the frame
	Frame     *zimoos.Frame // nil when there is none
	Malformed string        // why a claimed frame is none
	Images    int
}

// The Summary lines. Shared is written when the next operation of the same step follows; no request has held the
// record before.
const (
	summaryLabel = "Summary: "
	derivedLabel = "Summary (derived): "
	sharedLine   = "Summary (shared): told with the last operation of this step."
)

// recordText is the pending form of a record: everything but the Summary, one line each.
func recordText(op Operation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Action: %s %s\n", oneLine(op.Tool, 200), actionArguments(op.Arguments))
	fmt.Fprintf(&b, "Outcome: %s\n", op.Outcome)
	if r := resultText(op); r != "" {
		fmt.Fprintf(&b, "Result: %s\n", r)
	}
	b.WriteString("Frame audit: " + auditText(op))
	return b.String()
}

func actionArguments(args string) string {
	if strings.TrimSpace(args) == "" { // what a server is sent then, and what history holds
		return "{}"
	}
	clean, _ := zimoos.NeutraliseArguments(args)
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(clean)) == nil {
		clean = compact.String()
	}
	return bounded(zimoos.OneLine(zimoos.Valid(clean)), maxArguments)
}

func resultText(op Operation) string {
	parts := []string{}
	if op.Result != "" {
		parts = append(parts, bounded(zimoos.OneLine(zimoos.Neutralise(zimoos.Valid(op.Result))), maxResult))
	}
	if op.Outcome != OK && op.Frame != nil {
		parts = append(parts, zimoos.ErrorLine(op.Frame))
	}
	if op.Images > 0 {
		parts = append(parts, fmt.Sprintf("(%d image(s) left out)", op.Images))
	}
	return strings.Join(parts, " ")
}

func auditText(op Operation) string {
	switch {
	case op.Malformed != "":
		return "none (" + oneLine(op.Malformed, 200) + ")"
	case op.Frame == nil || op.Outcome == Failed:
		return "none"
	}
	return zimoos.Audit(op.Frame)
}

func oneLine(s string, limit int) string {
	return zimoos.Cut(zimoos.OneLine(zimoos.Neutralise(zimoos.Valid(s))), limit)
}

// bounded shortens text and states its true size.
func bounded(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return fmt.Sprintf("%s (%d bytes in all)", zimoos.Cut(s, limit), len(s))
}

// summaryLine is the line that seals a record, without its line break.
func summaryLine(text string, source Source) string {
	switch source {
	case SharedLater:
		return sharedLine
	case FromCode:
		return derivedLabel + oneLine(strings.TrimSpace(text), maxSummary)
	}
	return summaryLabel + oneLine(strings.TrimSpace(text), maxSummary)
}
