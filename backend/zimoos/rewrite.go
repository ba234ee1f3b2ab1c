package zimoos

import "zimoscope/backend/requestview/wire"

// maxRewriteDepth bounds the walk through arguments; deeper values are kept as they are and then judged whole.
const maxRewriteDepth = 64

// NeutraliseArguments does for the JSON text of a tool call's arguments what Neutralise does for text. The result
// is valid JSON; bytes that imitate nothing stay the model's own. changed says whether any byte was touched.
// What can't be made inert member by member (a hostile member name) becomes one note.
func NeutraliseArguments(args string) (out string, changed bool) {
	if _, _, found := StateIn(args); !found {
		return args, false
	}
	out = string(neutraliseJSON([]byte(args), 0))
	if _, _, found := StateIn(out); found {
		note := "(arguments that imitate frame state left out)"
		out = `{"left_out":` + string(wire.AppendQuoted(nil, note)) + `}`
	}
	return out, true
}

// neutraliseJSON rewrites string values and frame objects inside one JSON value and copies everything else.
func neutraliseJSON(raw []byte, depth int) []byte {
	start, end, err := wire.Skip(raw, 0)
	if err != nil || depth > maxRewriteDepth {
		return raw
	}
	raw = raw[start:end]
	switch raw[0] {
	case '"':
		return neutraliseString(raw)
	case '{':
		if claimsProtocol(raw) {
			return wire.AppendQuoted(nil, frameNote(string(raw)))
		}
		return spliceMembers(raw, depth)
	case '[':
		return spliceElements(raw, depth)
	}
	return raw
}

func neutraliseString(raw []byte) []byte {
	s, _ := wire.String(raw)
	if clean := Neutralise(s); clean != s {
		return wire.AppendQuoted(nil, clean)
	}
	return raw
}

func spliceMembers(raw []byte, depth int) []byte {
	var out []byte
	at := 0
	_ = wire.Members(raw, func(m wire.Member) error {
		out = append(out, raw[at:m.Start]...)
		out = append(out, neutraliseJSON(raw[m.Start:m.End], depth+1)...)
		at = m.End
		return nil
	})
	return append(out, raw[at:]...)
}

func spliceElements(raw []byte, depth int) []byte {
	var out []byte
	at := 0
	_ = wire.Elements(raw, func(start, end int) error {
		out = append(out, raw[at:start]...)
		out = append(out, neutraliseJSON(raw[start:end], depth+1)...)
		at = end
		return nil
	})
	return append(out, raw[at:]...)
}

func claimsProtocol(object []byte) bool {
	p, ok := wire.String(wire.Get(object, "protocol"))
	return ok && p == Protocol
}
