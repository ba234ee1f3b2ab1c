package provider

import (
	"encoding/json"
	"strconv"
	"strings"
)

// callSet joins the pieces of tool calls. Which call a piece belongs to is
// decided by what real servers send:
//
//   - a known id wins over the index, and a new id opens a call;
//   - a piece with neither continues the current call;
//   - a call whose arguments are whole takes no second set: a piece that names a
//     function and brings arguments again is another call, even under the same
//     id or index;
//   - two elements of one chunk are two calls, unless one is a bare fragment.
//
// Calls stand in order of first appearance; nothing is made up for gaps.
type callSet struct {
	list    []*callState
	current *callState
	chunk   int
	scanned int    // bytes read to see whether arguments are whole
	over    string // the limit that the answer went over
}

type callState struct {
	id, kind, name string
	index          int
	hasIndex       bool
	args           strings.Builder
	extra, fnExtra []Field
	legacy         bool
	touched        int  // chunk that touched it last
	scanned        *int // of its set
}

// piece is one element of tool_calls.
type piece struct {
	id, kind, name string
	index          int
	hasIndex       bool
	args           string
	extra, fnExtra []Field
}

func (s *callSet) newChunk() { s.chunk++ }

// add takes one element of tool_calls and returns the place of its call and the
// piece of arguments, -1 when the element says nothing.
func (s *callSet) add(element []member) (int, string) {
	if element == nil || s.over != "" {
		return -1, ""
	}
	return s.place(readPiece(element))
}

func (s *callSet) addLegacy(object []member) (int, string) {
	var p piece
	p.readFunction(object)
	at, text := s.place(p)
	if at >= 0 {
		s.list[at].legacy = true
	}
	return at, text
}

func (s *callSet) place(p piece) (int, string) {
	c := s.find(p)
	if c == nil {
		if p.id == "" && p.name == "" && strings.TrimSpace(p.args) == "" {
			return -1, ""
		}
		c = &callState{index: p.index, hasIndex: p.hasIndex, scanned: &s.scanned}
		s.list = append(s.list, c)
	} else if c.repeats(p) {
		p.args = ""
	}
	c.merge(p)
	c.touched = s.chunk
	s.current = c
	s.hold(c)
	for i := range s.list {
		if s.list[i] == c {
			return i, p.args
		}
	}
	return -1, ""
}

// find returns the call that p continues, nil when p opens one.
func (s *callSet) find(p piece) *callState {
	c := s.candidate(p)
	if c == nil {
		return nil
	}
	fresh := p.name != "" && strings.TrimSpace(p.args) != ""
	if c.touched == s.chunk && (p.id != "" || p.name != "") {
		return nil
	}
	if fresh && c.complete() && !c.repeats(p) {
		return nil
	}
	if p.id == "" && p.name != "" && p.name != c.name && c.args.Len() > 0 {
		return nil
	}
	return c
}

func (s *callSet) candidate(p piece) *callState {
	if p.id != "" {
		if known := s.byID(p); known != nil {
			return known
		}
		// A new id continues a call only where that call has none yet, or where
		// the server makes up a new one for each bare fragment.
		at := s.byIndex(p)
		switch {
		case at == nil:
			return nil
		case at.id == "" && !at.complete():
			return at
		case p.name == "" && at.name != "" && at.args.Len() > 0 && !at.complete():
			return at
		}
		return nil
	}
	if p.hasIndex {
		if at := s.byIndex(p); at != nil {
			return at
		}
		if p.name == "" && s.current != nil && !s.current.hasIndex {
			return s.current
		}
		return nil
	}
	return s.current
}

// byID returns the latest call of that id, unless p opens another call at
// another index under the same id.
func (s *callSet) byID(p piece) *callState {
	for i := len(s.list) - 1; i >= 0; i-- {
		c := s.list[i]
		if c.id != p.id {
			continue
		}
		if p.name != "" && p.hasIndex && c.hasIndex && p.index != c.index {
			continue
		}
		return c
	}
	return nil
}

func (s *callSet) byIndex(p piece) *callState {
	if !p.hasIndex {
		return nil
	}
	for i := len(s.list) - 1; i >= 0; i-- {
		if s.list[i].hasIndex && s.list[i].index == p.index {
			return s.list[i]
		}
	}
	return nil
}

// repeats reports whether p is a whole call sent a second time, as some servers
// do at the end: running it twice would be worse than once.
func (c *callState) repeats(p piece) bool {
	return p.args != "" && p.id == c.id && p.name == c.name && p.args == c.args.String() && c.complete()
}

// complete reports whether the arguments are one whole JSON object.
func (c *callState) complete() bool {
	all := c.args.String()
	text := strings.TrimSpace(all)
	*c.scanned += len(all) - len(text)
	// Only a text that begins and ends like an object is worth the scan.
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return false
	}
	*c.scanned += len(text)
	return json.Valid([]byte(text))
}

func (c *callState) merge(p piece) {
	if p.id != "" && c.id == "" {
		c.id = p.id
	}
	if p.kind != "" {
		c.kind = p.kind
	}
	if p.hasIndex && !c.hasIndex {
		c.index, c.hasIndex = p.index, true
	}
	c.name = joinName(c.name, p.name, c.args.Len() > 0)
	if c.args.Len() <= maxBlank && strings.TrimSpace(c.args.String()) == "{}" && strings.HasPrefix(strings.TrimSpace(p.args), "{") {
		c.args.Reset() // an empty object was a placeholder for what follows
	}
	c.args.WriteString(p.args)
	c.extra = keepFields(c.extra, p.extra)
	c.fnExtra = keepFields(c.fnExtra, p.fnExtra)
}

// joinName: the same name again is a repetition, a longer one that begins with
// it has grown, another one is its continuation. Once arguments have begun the
// name is whole.
func joinName(have, next string, argsBegan bool) string {
	switch {
	case next == "" || next == have:
		return have
	case have == "":
		return next
	case argsBegan:
		return have
	case strings.HasPrefix(next, have):
		return next
	}
	return have + next
}

func keepFields(have, next []Field) []Field {
	for _, f := range next {
		replaced := false
		for i := range have {
			if have[i].Key == f.Key {
				have[i].Raw, replaced = f.Raw, true
			}
		}
		if !replaced {
			have = append(have, f)
		}
	}
	return have
}

func readPiece(element []member) piece {
	var p piece
	for _, m := range element {
		if m.key == "index" {
			if n, err := strconv.Atoi(looseString(m.raw)); err == nil {
				p.index, p.hasIndex = n, true
			}
			continue
		}
		if isNull(m.raw) {
			continue
		}
		switch m.key {
		case "id":
			p.id = looseString(m.raw)
		case "type":
			p.kind = looseString(m.raw)
		case "function":
			p.readFunction(split(m.raw))
		default:
			p.extra = withField(p.extra, m)
		}
	}
	return p
}

func (p *piece) readFunction(object []member) {
	for _, m := range object {
		if isNull(m.raw) {
			continue
		}
		switch m.key {
		case "name":
			p.name = looseString(m.raw)
		case "arguments":
			// An object in place of a string is its own JSON text.
			p.args = looseString(m.raw)
		default:
			p.fnExtra = withField(p.fnExtra, m)
		}
	}
}

// withField keeps one field more than there may be, so that too many are seen as such.
func withField(list []Field, m member) []Field {
	if len(list) > maxFields {
		return list
	}
	return append(list, Field{Key: m.key, Raw: append(json.RawMessage(nil), m.raw...)})
}

// result makes the calls as they stand; arguments count as valid only in the
// final ones.
func (s *callSet) result(final bool) []Call {
	calls := make([]Call, 0, len(s.list))
	for _, c := range s.list {
		kind := c.kind
		if kind == "" {
			kind = "function"
		}
		args := c.args.String()
		calls = append(calls, Call{
			ID: c.id, Type: kind, Name: c.name, Arguments: args,
			ArgumentsValid: final && (isBlank(args) || c.complete()),
			Extra:          append([]Field(nil), c.extra...),
			FunctionExtra:  append([]Field(nil), c.fnExtra...),
			Legacy:         c.legacy,
		})
	}
	return calls
}

func isBlank(args string) bool {
	t := strings.TrimSpace(args)
	return t == "" || t == "null"
}
