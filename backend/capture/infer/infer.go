// Package infer names what the bytes of two requests of another agent show about why its prefix moved. Nobody
// announced anything there, so nothing here is a plan: each inference is a named cause with what shows it, and where
// the bytes show nothing, nothing is said.
//
// Contract: a pure function of two requests. It never says more than the bytes: a cause is named only when what it
// claims can be checked on them, and its evidence quotes them.
package infer

import (
	"fmt"
	"strings"

	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/said"
)

// The causes.
const (
	ToolsReordered  = "tools-reordered"     // the same tools in another order
	ToolsAdded      = "tools-added"         // tools behind those that were there
	ToolsRemoved    = "tools-removed"       //
	ToolDescription = "tool-description"    // a tool says something else of itself
	ToolSchema      = "tool-schema"         // a tool takes other arguments
	TimeInSystem    = "time-in-system"      // the system text differs in dates or times alone
	NumberInSystem  = "number-in-system"    // it differs in numbers alone
	IDInSystem      = "id-in-system"        // it differs in identifiers alone
	SystemText      = "system-text"         // it differs in words
	Serialisation   = "serialisation"       // the same values in other bytes: member order, white space, escapes
	Compacted       = "history-compacted"   // a run of old messages gave way to a text that was not there before
	WindowSlides    = "window-slides"       // a run of old messages left, what follows stands
	MessageMoves    = "message-moves"       // a message keeps its distance to the end
	ResultCleared   = "tool-result-cleared" // an old tool result became shorter
	ResultChanged   = "tool-result-changed" // the result of a call, in its old place, says something else
	ReasoningGone   = "reasoning-dropped"   // an old answer lost its reasoning, nothing else
	UserTextChanged = "user-text-changed"   // what a person wrote before reads otherwise
	HistoryAway     = "history-elsewhere"   // the provider keeps it: it is not in the bytes
)

// maxInferences bounds the list of one request.
const maxInferences = 16

// Infer lists what the bytes show.
func Infer(prev, next *verdict.Request, v *verdict.Verdict) []record.Inference {
	p := &pair{a: prev.Body, b: next.Body, v: v}
	p.tools()
	p.system()
	p.history()
	for _, n := range v.Notes {
		if strings.Contains(n, "previous response") {
			p.say(HistoryAway, verdict.Place{Path: "$.previous_response_id", PartOffset: -1, BodyOffset: -1}, say("elsewhere"))
		}
	}
	return p.list
}

type pair struct {
	a, b *wire.Body
	v    *verdict.Verdict
	list []record.Inference
}

func (p *pair) say(cause string, at verdict.Place, s *said.Sentence) {
	if len(p.list) < maxInferences {
		p.list = append(p.list, record.Inference{Cause: cause, Evidence: s.Text, Words: s.Words, Place: at})
	}
}

// at names a part of the later request, and the offset in it where it first differs from other.
func (p *pair) at(k wire.Kind, i int, other []byte) verdict.Place {
	raw := p.b.Bytes(k, i)
	off := min(wire.CommonPrefix(raw, other), max(0, len(raw)-1))
	from, _ := p.b.Range(k, i)
	name := map[wire.Kind]string{wire.KindTool: "tools", wire.KindMessage: "messages", wire.KindSystem: "system"}[k]
	return verdict.Place{Part: &verdict.PartRef{Kind: k, Index: i}, Path: fmt.Sprintf("$.%s[%d]", name, i), PartOffset: off, BodyOffset: from + off}
}

// tools compares the lists by name.
func (p *pair) tools() {
	na, nb := p.a.Tools.Len(), p.b.Tools.Len()
	if na == nb && (na == 0 || p.a.Tools.Part(na-1).Link == p.b.Tools.Part(nb-1).Link) {
		return
	}
	before, after := p.named(p.a), p.named(p.b)
	var order, added []string
	at := map[string]int{}
	for i := range nb {
		name := after[i]
		j := index(before, name)
		if j < 0 {
			added = append(added, name)
			at[ToolsAdded] = i
			continue
		}
		order = append(order, name)
		p.tool(name, p.a.Bytes(wire.KindTool, j), i)
	}
	var was, removed []string
	for _, name := range before {
		if index(after, name) < 0 {
			removed = append(removed, name)
		} else {
			was = append(was, name)
		}
	}
	if i := firstDifference(was, order); i >= 0 {
		j := index(after, order[i])
		p.say(ToolsReordered, p.at(wire.KindTool, j, nil), say("reordered", cut(order[i]), cut(was[i]), len(order)))
	}
	if len(added) > 0 {
		p.say(ToolsAdded, p.at(wire.KindTool, at[ToolsAdded], nil), names(added))
	}
	if len(removed) > 0 {
		p.say(ToolsRemoved, verdict.Place{Path: "$.tools", PartOffset: -1, BodyOffset: -1}, names(removed))
	}
}

// tool says which member of a tool changed.
func (p *pair) tool(name string, was []byte, i int) {
	is := p.b.Bytes(wire.KindTool, i)
	if string(was) == string(is) {
		return
	}
	place := p.at(wire.KindTool, i, was)
	if sameValue(was, is) {
		p.say(Serialisation, place, say("tool-same", cut(name)))
		return
	}
	a, b := inner(was), inner(is)
	if x, y := wire.Get(a, "description"), wire.Get(b, "description"); string(x) != string(y) {
		p.say(ToolDescription, place, say("tool", cut(name), change(text(x), text(y))))
	}
	for _, schema := range []string{"parameters", "input_schema"} {
		if x, y := wire.Get(a, schema), wire.Get(b, schema); string(x) != string(y) {
			p.say(ToolSchema, place, say("tool", cut(name), change(string(x), string(y))))
		}
	}
}

// inner is the object that names a tool: beside the type, or in function.
func inner(raw []byte) []byte {
	if f := wire.Get(raw, "function"); f != nil {
		return f
	}
	return raw
}

func (p *pair) named(b *wire.Body) (list []string) {
	for i := range b.Tools.Len() {
		name, _ := wire.String(wire.Get(inner(b.Bytes(wire.KindTool, i)), "name"))
		if name == "" {
			name = fmt.Sprintf("#%d", i)
		}
		list = append(list, name)
	}
	return list
}

func index(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}

func firstDifference(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// system compares the system text, wherever it stands.
func (p *pair) system() {
	k := wire.KindSystem
	if p.a.System.Len() == 0 || p.b.System.Len() == 0 {
		if !verdict.HasSystem(p.a) || !verdict.HasSystem(p.b) {
			return
		}
		k = wire.KindMessage
	}
	if verdict.PlainLeaf(p.a, k, 0) == verdict.PlainLeaf(p.b, k, 0) {
		return
	}
	was, is := p.a.Bytes(k, 0), p.b.Bytes(k, 0)
	place := p.at(k, 0, was)
	if sameValue(was, is) {
		p.say(Serialisation, place, say("system-same"))
		return
	}
	cause, evidence := classify(allText(was), allText(is))
	p.say(cause, place, evidence)
}
