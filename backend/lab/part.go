package lab

import (
	"bytes"
	"strings"

	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// Roles, as far as strategies tell them apart.
const (
	roleSystem = "system"
	roleUser   = "user"
	roleModel  = "assistant"
	roleTool   = "tool"
)

// part is one tool, system value or message, without cache marks. Equal ones are one part.
type part struct {
	kind    wire.Kind
	role    string
	pieces  []int32
	pending bool // an operation record without its Summary, ours or in another agent's form
	record  bool
}

// sentPart is a part as a request had it: which one, and behind which of its pieces marks stood.
type sentPart struct {
	id    int32
	marks []int
}

// parts interns the parts of a session.
type parts struct {
	pieces *cachemodel.Pieces
	list   []part
	bySent map[partKey]sentPart // by leaf as sent
	byText map[partKey]int32    // by leaf without marks
	forms  map[formKey]int32    // parts that strategies make of others

	records bool // some message is an operation record
}

type partKey struct {
	leaf wire.Hash
	kind wire.Kind
}

// formKey names what a strategy makes of a part.
type formKey struct {
	id   int32
	form string
}

func newParts(c cachemodel.Counter) *parts {
	return &parts{pieces: cachemodel.NewPieces(c), bySent: map[partKey]sentPart{}, byText: map[partKey]int32{}, forms: map[formKey]int32{}}
}

// sent takes a part of a body over.
func (p *parts) sent(b *wire.Body, k wire.Kind, i int) sentPart {
	key := partKey{b.Model.Leaf, k}
	if k != wire.KindModel {
		key.leaf = b.Region(k).Part(i).Leaf
	}
	if s, ok := p.bySent[key]; ok {
		return s
	}
	s := p.read(bytes.Clone(b.Bytes(k, i)), k, key.leaf)
	p.bySent[key] = s
	return s
}

// read cuts a part into pieces at the ends of its content blocks.
func (p *parts) read(raw []byte, k wire.Kind, leaf wire.Hash) sentPart {
	plain, marked := verdict.WithoutMarks(raw)
	switch {
	case k == wire.KindMessage: // a mark needs a part to stand on: the same text with and without one is one message
		leaf = wire.Leaf(k, verdict.OneText(plain))
	case marked:
		leaf = wire.Leaf(k, plain)
	}
	var marks []int
	if marked {
		marks = markedBlocks(raw, k)
	}
	return sentPart{p.add(plain, k, leaf, blockEnds(plain, k)), marks}
}

// add interns a part whose pieces end at the given offsets, the last of which is its length. What was first interned
// under a leaf stands for all that come later.
func (p *parts) add(text []byte, k wire.Kind, leaf wire.Hash, ends []int) int32 {
	key := partKey{leaf, k}
	if id, ok := p.byText[key]; ok {
		return id
	}
	x := part{kind: k}
	if k == wire.KindMessage || k == wire.KindSystem {
		x.role = roleOf(text, k)
	}
	if k == wire.KindMessage && x.role == roleTool {
		x.record, x.pending = recordState(text)
		x.pending = x.pending || !x.record && foreignPending(text)
		p.records = p.records || x.record
	}
	from := 0
	for i, end := range ends {
		l := leaf
		if len(ends) > 1 {
			l = wire.Leaf("piece", text[from:end])
		}
		last := i == len(ends)-1
		piece := cachemodel.Piece{Text: text[from:end:end], Blocks: 1}
		if i == 0 && end == len(opening) && k == wire.KindMessage && bytes.HasPrefix(text, opening) {
			piece.Blocks = 0
		}
		piece.Input = last && k == wire.KindMessage && x.role != roleModel
		piece.Output = last && len(ends) == 1 && k == wire.KindMessage && x.role == roleModel
		x.pieces = append(x.pieces, p.pieces.Add(l, piece))
		from = end
	}
	return p.put(key, x)
}

func (p *parts) put(key partKey, x part) int32 {
	id := int32(len(p.list))
	p.list = append(p.list, x)
	p.byText[key] = id
	return id
}

// opening starts most messages of the user. It is a piece of its own, so that the text behind it is counted once under
// whatever role a strategy sends it.
var opening = []byte(`{"role":"user",`)

// split interns a message of one content block from the texts that it is put together of.
func (p *parts) split(role string, texts ...[]byte) int32 {
	var key partKey
	pieces := make([]cachemodel.Piece, 0, len(texts)+1)
	leaves := make([]wire.Hash, 0, len(texts)+1)
	for i, text := range texts {
		if rest, ok := bytes.CutPrefix(text, opening); ok && i == 0 && len(rest) > 0 {
			pieces = append(pieces, cachemodel.Piece{Text: opening})
			leaves = append(leaves, wire.Leaf("piece", opening))
			text = rest
		}
		pieces = append(pieces, cachemodel.Piece{Text: text})
		leaves = append(leaves, wire.Leaf("piece", text))
	}
	for _, leaf := range leaves {
		key = partKey{wire.NextLink(key.leaf, leaf), "split"}
	}
	if id, ok := p.byText[key]; ok {
		return id
	}
	last := &pieces[len(pieces)-1]
	last.Blocks, last.Input = 1, true
	x := part{kind: wire.KindMessage, role: role}
	for i, piece := range pieces {
		x.pieces = append(x.pieces, p.pieces.Add(leaves[i], piece))
	}
	return p.put(key, x)
}

// form gives what a strategy makes of a part; make is asked once.
func (p *parts) form(id int32, form string, make func(text []byte) []byte) int32 {
	key := formKey{id, form}
	if made, ok := p.forms[key]; ok {
		return made
	}
	made := id
	if text := make(p.text(id)); text != nil {
		k := p.list[id].kind
		made = p.add(text, k, wire.Leaf(k, text), blockEnds(text, k))
	}
	p.forms[key] = made
	return made
}

// text is the whole part.
func (p *parts) text(id int32) []byte {
	x := p.list[id]
	if len(x.pieces) == 1 {
		return p.pieces.Get(x.pieces[0]).Text
	}
	var b []byte
	for _, piece := range x.pieces {
		b = append(b, p.pieces.Get(piece).Text...)
	}
	return b
}

func (p *parts) tokens(id int32) (n int) {
	for _, piece := range p.list[id].pieces {
		n += p.pieces.Tokens(piece)
	}
	return n
}

// contentOf gives the list whose elements are content blocks: a message's content, or a system value itself.
func contentOf(raw []byte, k wire.Kind) (list []byte, at int) {
	switch k {
	case wire.KindSystem:
		list = raw
	case wire.KindMessage:
		list, at = memberOf(raw, "content")
	}
	if len(list) == 0 || list[0] != '[' {
		return nil, 0
	}
	return list, at
}

// memberOf gives the value of a member and its offset; nil when there is none.
func memberOf(raw []byte, name string) (value []byte, at int) {
	_ = wire.Members(raw, func(m wire.Member) error {
		if m.Name == name {
			value, at = raw[m.Start:m.End], m.Start
		}
		return nil
	})
	return value, at
}

// blockEnds gives the offsets at which pieces end: behind each content block, the last one being the part's length.
func blockEnds(raw []byte, k wire.Kind) []int {
	var ends []int
	if k == wire.KindMessage && bytes.HasPrefix(raw, opening) && len(raw) > len(opening) {
		ends = append(ends, len(opening))
	}
	first := len(ends)
	if list, at := contentOf(raw, k); list != nil {
		_ = wire.Elements(list, func(_, end int) error {
			ends = append(ends, at+end)
			return nil
		})
	}
	if len(ends) == first {
		return append(ends, len(raw))
	}
	ends[len(ends)-1] = len(raw)
	return ends
}

// markedBlocks gives the pieces behind which a mark stands, counted from 0.
func markedBlocks(raw []byte, k wire.Kind) (marks []int) {
	n := 0
	if k == wire.KindMessage && bytes.HasPrefix(raw, opening) {
		n = 1
	}
	first := n
	if list, _ := contentOf(raw, k); list != nil {
		_ = wire.Elements(list, func(start, end int) error {
			if _, marked := verdict.WithoutMarks(list[start:end]); marked {
				marks = append(marks, n)
			}
			n++
			return nil
		})
	}
	if len(marks) == 0 {
		return []int{max(first, n-1)} // on the message itself, or on a tool
	}
	return marks
}

// roleOf names who speaks in a message, whatever the shape.
func roleOf(raw []byte, k wire.Kind) string {
	if k == wire.KindSystem {
		return roleSystem
	}
	role, _ := wire.String(wire.Get(raw, "role"))
	switch kind, _ := wire.String(wire.Get(raw, "type")); {
	case role == "developer":
		return roleSystem
	case strings.HasSuffix(kind, "_call_output"), role == roleUser && isResult(raw):
		return roleTool
	case strings.HasSuffix(kind, "_call"), kind == "reasoning":
		return roleModel
	case role == "":
		return roleUser
	}
	return role
}

// isResult finds a user message that carries results of tools.
func isResult(raw []byte) (found bool) {
	list, _ := contentOf(raw, wire.KindMessage)
	if list == nil || !bytes.Contains(list, []byte(`"tool_result"`)) {
		return false
	}
	_ = wire.Elements(list, func(start, end int) error {
		kind, _ := wire.String(wire.Get(list[start:end], "type"))
		found = found || kind == "tool_result"
		return nil
	})
	return found
}

// The lines that tell an operation record, as JSON text has them.
var (
	recordStart  = []byte(`"Action: `)
	recordAudit  = []byte(`\nFrame audit: `)
	recordSealed = []byte(`\nSummary`)
)

// foreignPending finds a record of another agent that says itself that its Summary is still to come.
func foreignPending(raw []byte) bool {
	return bytes.Contains(raw, []byte("Frame audit: ")) && bytes.Contains(raw, []byte("Summary: pending"))
}

// recordState says whether a tool message is an operation record, and whether it still waits for its Summary.
func recordState(raw []byte) (record, pending bool) {
	audit := bytes.Index(raw, recordAudit)
	if audit < 0 || !bytes.Contains(raw[:audit], recordStart) {
		return false, false
	}
	return true, !bytes.Contains(raw[audit:], recordSealed)
}
