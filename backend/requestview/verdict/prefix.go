package verdict

import (
	"fmt"
	"strings"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/said"
)

// prefix compares model, tools and system, each on its own, so that one change doesn't hide another.
func (c *comparison) prefix() {
	a, b := c.a.body, c.b.body
	if a.Model.Leaf != b.Model.Leaf {
		n := wire.CommonPrefix(a.Bytes(wire.KindModel, 0), b.Bytes(wire.KindModel, 0))
		p := Place{Part: &PartRef{wire.KindModel, 0}, Path: "$.model", PartOffset: 0, BodyOffset: 0}
		if b.Model.End > 0 {
			p = at(b, wire.KindModel, 0, n)
		}
		detail := say("model", orNone(a.Bytes(wire.KindModel, 0)), orNone(b.Bytes(wire.KindModel, 0)))
		c.add(ModelChanged, c.isAnnounced(AnnounceModel, b.Model.Leaf), p, detail)
	}
	c.tools()
	c.system()
}

func orNone(raw []byte) *said.Sentence {
	if len(raw) == 0 {
		return say("no-model")
	}
	return said.Plain(cutText(string(raw), 80))
}

func (c *comparison) add(k Kind, planned bool, p Place, s *said.Sentence) {
	c.causes = append(c.causes, because(k, c.b.planned(planned), p, s))
}

// isAnnounced says whether exactly this new value was announced.
func (c *comparison) isAnnounced(kind string, leaf wire.Hash) bool {
	for _, n := range c.announced {
		if n.Kind == kind && n.Leaf == leaf {
			return true
		}
	}
	return false
}

// system compares the system message at the front, or the system value that stands outside messages.
func (c *comparison) system() {
	a, b := c.a, c.b
	if a.body.System.Len() > 0 || b.body.System.Len() > 0 {
		c.systemPart(wire.KindSystem, a.body.System.Len(), b.body.System.Len())
	}
	if a.sys > 0 || b.sys > 0 {
		c.systemPart(wire.KindMessage, a.sys, b.sys)
	}
}

func (c *comparison) systemPart(k wire.Kind, inA, inB int) {
	a, b := c.a.body, c.b.body
	switch {
	case inA == 0:
		leaf := b.Region(k).Part(0).Leaf
		c.add(SystemChanged, c.isAnnounced(AnnounceSystem, leaf), at(b, k, 0, 0), say("system-appeared"))
	case inB == 0:
		c.add(SystemChanged, false, gone(b, k, 0), say("system-gone"))
	default:
		x, y := a.Region(k).Part(0).Leaf, b.Region(k).Part(0).Leaf
		if x == y {
			return
		}
		rx, ry := a.Bytes(k, 0), b.Bytes(k, 0)
		p := at(b, k, 0, min(wire.CommonPrefix(rx, ry), max(0, len(ry)-1)))
		if plainLeaf(k, rx, x) == plainLeaf(k, ry, y) {
			c.markMoved(p)
			return
		}
		c.add(SystemChanged, c.isAnnounced(AnnounceSystem, y), p, say("system-text"))
	}
}

func (c *comparison) markMoved(p Place) {
	c.causes = append(c.causes, because(MarkMoved, nil, p, say("mark-moved")))
}

// tools says what became of the list: by name, so that a moved tool is not taken for a changed one.
func (c *comparison) tools() {
	a, b := c.a.body, c.b.body
	first := equalParts(a, b, wire.KindTool)
	if first == a.Tools.Len() && first == b.Tools.Len() {
		return
	}
	t := &toolDiff{comparison: c, from: first, planned: c.isAnnounced(AnnounceTools, base(b, wire.KindSystem))}
	t.namesA, t.namesB = toolNames(a), toolNames(b)
	before := len(c.causes)
	t.removed()
	t.addedOrChanged()
	if t.moved >= 0 {
		c.add(ToolsChanged, t.planned, at(b, wire.KindTool, t.moved, t.difference(t.moved)), say("tools-reordered"))
	}
	if len(c.causes) == before { // the same names and leaves, only more or fewer copies of one
		c.add(ToolsChanged, t.planned, gone(b, wire.KindTool, first), say("tools-list"))
	}
}

type toolDiff struct {
	*comparison
	from           int
	planned        bool
	namesA, namesB []string
	moved          int
}

func (t *toolDiff) removed() {
	for i, n := range t.namesA {
		if i >= t.from && !contains(t.namesB, n) {
			t.add(ToolsChanged, t.planned, gone(t.b.body, wire.KindTool, i), say("tool-removed", n))
		}
	}
}

func (t *toolDiff) addedOrChanged() {
	t.moved = -1
	var common []string
	for _, n := range t.namesA {
		if contains(t.namesB, n) {
			common = append(common, n)
		}
	}
	place := 0
	for j, n := range t.namesB {
		i := index(t.namesA, n)
		if i < 0 {
			t.add(ToolsChanged, t.planned, at(t.b.body, wire.KindTool, j, 0), say("tool-added", n))
			continue
		}
		if t.moved < 0 && place < len(common) && common[place] != n {
			t.moved = j
		}
		place++
		t.changed(i, j, n)
	}
}

// changed compares the tool of one name on both sides.
func (t *toolDiff) changed(i, j int, name string) {
	x, y := t.a.body.Tools.Part(i).Leaf, t.b.body.Tools.Part(j).Leaf
	if x == y {
		return
	}
	rx, ry := t.a.body.Bytes(wire.KindTool, i), t.b.body.Bytes(wire.KindTool, j)
	p := at(t.b.body, wire.KindTool, j, min(wire.CommonPrefix(rx, ry), max(0, len(ry)-1)))
	if plainLeaf(wire.KindTool, rx, x) == plainLeaf(wire.KindTool, ry, y) {
		t.markMoved(p)
		return
	}
	what := p.Path[strings.LastIndexByte(p.Path, '.')+1:]
	t.add(ToolsChanged, t.planned, p, say("tool-changed", name, what))
}

// difference is the first byte in which the tool at a place differs from the one that stood there.
func (t *toolDiff) difference(j int) int {
	if j >= t.a.body.Tools.Len() {
		return 0
	}
	return wire.CommonPrefix(t.a.body.Bytes(wire.KindTool, j), t.b.body.Bytes(wire.KindTool, j))
}

// toolNames gives each tool a name; unnamed ones and repeated names get their place as a name.
func toolNames(b *wire.Body) []string {
	var out []string
	for i := range b.Tools.Len() {
		n := toolName(b.Bytes(wire.KindTool, i))
		if n == "" || contains(out, n) {
			n = fmt.Sprintf("%s#%d", n, i)
		}
		out = append(out, n)
	}
	return out
}

// toolName reads both shapes: the name inside function, or beside the type.
func toolName(raw []byte) string {
	if f := wire.Get(raw, "function"); f != nil {
		raw = f
	}
	n, _ := wire.String(wire.Get(raw, "name"))
	return n
}

func contains(list []string, s string) bool { return index(list, s) >= 0 }

func index(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}

func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
