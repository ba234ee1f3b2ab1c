package verdict

import (
	"regexp"
	"strings"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/said"
	"zimoscope/backend/zimoos"
)

// seal says how far a record has come.
type seal int

const (
	pending seal = iota
	sealedOwn
	sealedShared
	sealedDerived
)

// facts is what the redlines need to know of a message; it depends on the message's bytes alone.
type facts struct {
	role   string
	rec    *record // of tool messages only: what its text would be as a record
	calls  []call
	callID string
	state  *hit           // strict or loose, as the request it was found in
	name   *said.Sentence // why a function name is illegal
	ids    *said.Sentence // why the ids of one response are not usable
}

type call struct{ id, name string }

func readFacts(msg []byte, strict bool) *facts {
	f := &facts{role: roleOf(msg), state: stateIn(msg, strict)}
	switch f.role {
	case "tool":
		f.callID, _ = wire.String(wire.Get(msg, "tool_call_id"))
		f.rec = readRecord(textOf(msg))
	case "assistant":
		f.readCalls(msg)
	}
	return f
}

func (f *facts) readCalls(msg []byte) {
	list := wire.Get(msg, "tool_calls")
	if len(list) == 0 || list[0] != '[' {
		return
	}
	seen := map[string]bool{}
	_ = wire.Elements(list, func(start, end int) error {
		raw := list[start:end]
		id, _ := wire.String(wire.Get(raw, "id"))
		name := toolName(raw)
		f.calls = append(f.calls, call{id, name})
		switch {
		case id == "":
			f.ids = say("a11-no-id", name)
		case seen[id]:
			f.ids = say("a11-twice", id)
		}
		seen[id] = true
		if !legalName.MatchString(name) {
			f.name = say("a12-illegal", cutText(name, 80))
		}
		return nil
	})
}

// legalName is what providers accept (OpenAI's function calling reference).
var legalName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// record is a tool result read as an operation record.
type record struct {
	seal    seal
	form    bool   // it has the lines of a record
	tool    string // in the Action line
	broken  string // which line is missing
	outcome string
	cursor  string
	audits  int
	says    bool // it says Summary: somewhere, as other agents' records do
	waits   bool // and that it is pending
}

func readRecord(text string) *record {
	r := &record{audits: strings.Count(text, auditLine)}
	action, isRecord := strings.CutPrefix(text, recordStart)
	switch {
	case !isRecord:
		r.broken = "Action"
	case !strings.Contains(text, outcomeLine):
		r.broken = "Outcome"
	case r.audits == 0:
		r.broken = "Frame audit"
	}
	r.form = r.broken == ""
	if isRecord {
		r.tool, _, _ = strings.Cut(action, " ")
		r.tool = cutText(strings.Clone(r.tool), maxToolName)
	}
	r.outcome = strings.Clone(cutText(lineAfter(text, outcomeLine), maxToolName))
	if rest, ok := strings.CutPrefix(lineAfter(text, auditLine), "frameCursor="); ok {
		cursor, _, _ := strings.Cut(rest, " title=")
		r.cursor = strings.Clone(cursor)
	}
	switch {
	case strings.Contains(text, summaryDerived):
		r.seal = sealedDerived
	case strings.Contains(text, summaryShared):
		r.seal = sealedShared
	case strings.Contains(text, summaryLine):
		r.seal = sealedOwn
	}
	var rest string
	_, rest, r.says = strings.Cut(text, "Summary:")
	r.waits = strings.HasPrefix(strings.ToLower(strings.TrimSpace(cutText(rest, maxToolName))), "pending")
	return r
}

// maxToolName bounds, in bytes, the short words kept of a record.
const maxToolName = 256

// isOperation says whether the result of that function is one of a ZimoOS operation. What is a record is known by
// the call it answers; an ordinary result in the form of one is none.
func (r *record) isOperation(function string) bool {
	if strings.HasPrefix(publicName(function), "zimoos.") {
		return true
	}
	name, _ := zimoos.Legal(r.tool)
	const longest = 64 // a name of that length was cut and ends in a hash
	return r.form && (function == name || strings.HasSuffix(function, "__"+name) || len(function) == longest)
}

func lineAfter(text, label string) string {
	_, rest, ok := strings.Cut(text, label)
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// publicName decodes the part of a function name behind the server.
func publicName(function string) string {
	if i := strings.LastIndex(function, "__"); i >= 0 {
		function = function[i+2:]
	}
	return strings.ReplaceAll(function, "_x2e_", ".")
}
