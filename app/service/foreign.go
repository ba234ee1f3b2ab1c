package service

import (
	"net/url"
	"slices"

	"zimoscope/app/api"
	"zimoscope/backend/agent"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/zimoos"
)

// blocksBytes is how much text of one message's blocks a view carries; the rest is asked for when a person opens it.
const blocksBytes = 16 << 10

// withPrompt puts a turn's words in their place, from 1.
func withPrompt(list []string, turn int, text string) []string {
	for len(list) < turn {
		list = append(list, "")
	}
	list[turn-1] = text
	return list
}

// notCompared is what the window shows of what passed by and is no request that is understood.
func notCompared(rec *agent.Record) api.RequestView {
	part := func(k wire.Kind) api.PartView { return api.PartView{Kind: string(k), Whole: true} }
	return api.RequestView{Row: rowOf(rec), Model: part(wire.KindModel), Tools: []api.PartView{}, System: part(wire.KindSystem), Rest: part(wire.KindRest),
		Messages: []api.MessageView{}, Hidden: []api.HiddenRun{}, Verdict: verdictView(verdict.Verdict{}), Redlines: []api.Redline{}, Foreign: foreignView(rec)}
}

func foreignView(rec *agent.Record) *api.ForeignView {
	f := rec.Foreign
	if f == nil {
		return nil
	}
	out := &api.ForeignView{Source: f.Source, Dialect: f.Dialect, Method: f.Method, URL: f.URL, HTTP: f.HTTP, FirstByte: f.FirstByte, Claimed: []api.ClaimedPart{},
		Notes: append([]string{}, f.Notes...), Inferred: []api.InferenceView{}, Conversation: f.Conversation, How: f.How, Told: f.Told, Model: f.Model, ProofNote: rec.ProofNote,
		RequestHeaders: headerLines(f.RequestHeader), ResponseHeaders: headerLines(f.ResponseHeader)}
	for _, c := range f.Claimed {
		out.Claimed = append(out.Claimed, api.ClaimedPart{Kind: string(c.Kind), Index: c.Index, Leaf: c.Leaf.String()})
	}
	for _, i := range f.Inferred {
		v := api.InferenceView{Cause: i.Cause, Evidence: i.Evidence, Words: inWords(i.Words), Path: i.Path, PartOffset: i.PartOffset, BodyOffset: i.BodyOffset}
		if i.Part != nil {
			v.PartKind, v.PartIndex = string(i.Part.Kind), i.Part.Index
		}
		out.Inferred = append(out.Inferred, v)
	}
	return out
}

func headerLines(h map[string][]string) []api.HeaderLine {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	out := []api.HeaderLine{}
	for _, name := range names {
		for _, v := range h[name] {
			out = append(out, api.HeaderLine{Name: name, Value: v})
		}
	}
	return out
}

// kindOf is what a row is listed as.
func kindOf(r *agent.Record) string {
	switch r.Meta.Kind {
	case verdict.KindSide, verdict.KindRetry, record.KindOther:
		return r.Meta.Kind
	}
	return verdict.KindMain
}

// pathOf is the path of an address, without what is asked for behind it.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Path
}

// foreignMessage describes one message of another agent, block by block. tools are the names of the calls before it.
func (v *viewer) foreignMessage(i int, tools map[string]string) api.MessageView {
	d := decode(v.body.Bytes(wire.KindMessage, i))
	m := api.MessageView{PartView: v.part(wire.KindMessage, i, d.words()), Role: d.role, Calls: []api.CallView{}, Pictures: []api.PictureView{}, Blocks: d.blocks}
	room := blocksBytes
	for k := range m.Blocks {
		b := &m.Blocks[k]
		switch b.Kind {
		case blockCall:
			tools[b.ID] = b.Name
			m.Calls = append(m.Calls, api.CallView{ID: b.ID, Name: b.Name, Arguments: zimoos.Cut(b.Text, previewBytes)})
		case blockResult:
			b.Name = tools[b.ID]
		case blockImage:
			m.Images++
		}
		if b.Bytes == 0 {
			b.Bytes = len(b.Text)
		}
		shown := zimoos.Cut(b.Text, min(room, previewBytes))
		b.Whole = len(shown) == len(b.Text)
		b.Text, room = shown, room-len(shown)
	}
	return m
}

// foreignChange compares a message with the predecessor's. What moved as a whole is the same message: another agent's
// window may slide without a word.
func (v *viewer) foreignChange(i int) string {
	if v.was == nil {
		v.was, v.is = leaves(v.base), leaves(v.body)
	}
	switch {
	case v.was[v.body.Messages.Part(i).Leaf]:
		return ""
	case i < v.base.Messages.Len()-verdict.TailMessages(v.base) && !v.is[v.base.Messages.Part(i).Leaf]:
		return "changed"
	}
	return "new"
}

func leaves(b *wire.Body) map[wire.Hash]bool {
	set := make(map[wire.Hash]bool, b.Messages.Len())
	for i := range b.Messages.Len() {
		set[b.Messages.Part(i).Leaf] = true
	}
	return set
}

// claimed says that a part is not what was seen on the wire: not yet, or a secret was taken out of it.
func (v *viewer) claimed(k wire.Kind, i int) bool {
	f := v.rec.Foreign
	if f == nil {
		return v.rec.Proof != agent.ProofHolds
	}
	return slices.ContainsFunc(f.Claimed, func(c record.ClaimedPart) bool { return c.Kind == k && c.Index == i })
}
