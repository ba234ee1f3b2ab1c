package service

import (
	"strings"

	"zimoscope/app/api"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
	"zimoscope/backend/zimoos"
)

// message describes one message of the history. The text of the carrier's own message ends where its tail begins.
func (v *viewer) message(i int) api.MessageView {
	raw := v.body.Bytes(wire.KindMessage, i)
	text := transcript.TextOf(raw)
	if i == v.body.Messages.Len()-1 && v.rec.Carrier != requestview.NoCarrier {
		if at := strings.LastIndex(text, "\n\n"+zimoos.OpenTag); at >= 0 {
			text = text[:at]
		}
	}
	m := api.MessageView{PartView: v.part(wire.KindMessage, i, text), Calls: []api.CallView{}}
	m.Role, _ = wire.String(wire.Get(raw, "role"))
	m.Pictures = pictures(raw)
	m.Images = len(m.Pictures)
	_ = wire.Elements(wire.Get(raw, "tool_calls"), func(start, end int) error {
		m.Calls = append(m.Calls, v.call(wire.Get(raw, "tool_calls")[start:end]))
		return nil
	})
	if m.Role == "tool" && strings.HasPrefix(text, actionLabel) {
		m.Record = v.record(i, text)
	}
	return m
}

func (v *viewer) call(raw []byte) api.CallView {
	fn := wire.Get(raw, "function")
	c := api.CallView{}
	c.ID, _ = wire.String(wire.Get(raw, "id"))
	name, _ := wire.String(wire.Get(fn, "name"))
	c.Name, _ = v.b.public(name)
	c.Arguments, _ = wire.String(wire.Get(fn, "arguments"))
	return c
}

// Labels of a record's lines.
const (
	actionLabel  = "Action: "
	summaryLabel = "Summary"
)

// record reads an operation record line by line.
func (v *viewer) record(i int, text string) *api.RecordView {
	r := &api.RecordView{State: "pending"}
	for _, line := range strings.Split(text, "\n") {
		label, value, _ := strings.Cut(line, ": ")
		switch {
		case label == "Action":
			r.Tool, r.Arguments, _ = strings.Cut(value, " ")
		case label == "Outcome":
			r.Outcome = value
		case label == "Result":
			r.Result = value
		case label == "Frame audit":
			r.Audit = value
		case strings.HasPrefix(label, summaryLabel):
			r.Summary, r.State = value, "sealed"
			r.Source = strings.Trim(strings.TrimPrefix(label, summaryLabel), " ()")
		}
	}
	if source, ok := v.rec.Seals[i]; ok && r.State == "sealed" {
		r.Source = source
		if v.base != nil && i < v.base.Messages.Len() {
			r.State = "just-sealed"
			from, to := v.body.Range(wire.KindMessage, i)
			was, end := v.base.Range(wire.KindMessage, i)
			r.Grown = (to - from) - (end - was)
		}
	}
	return r
}

// carrier describes the request-only part.
func (v *viewer) carrier() api.CarrierView {
	if v.rec.Carrier == requestview.NoCarrier || v.rec.Meta.TailOffset < 0 {
		return api.CarrierView{}
	}
	i := v.body.Messages.Len() - 1
	c := api.CarrierView{Present: true, Index: i, Placement: string(v.rec.Carrier), Bytes: v.rec.Sizes.Tail, Offset: v.rec.Meta.TailOffset}
	c.Block, c.Notices = blockOf(v.body, i)
	c.Frame = parseBlock(c.Block)
	if v.base != nil && v.prev.Carrier != requestview.NoCarrier {
		c.Previous, _ = blockOf(v.base, v.base.Messages.Len()-1)
	}
	return c
}

// blockOf gives the block in the last message, and the notices behind it.
func blockOf(b *wire.Body, i int) (block, notices string) {
	text := transcript.TextOf(b.Bytes(wire.KindMessage, i))
	at := strings.LastIndex(text, zimoos.OpenTag)
	if at < 0 {
		return "", ""
	}
	block = text[at:]
	if end := strings.Index(block, zimoos.CloseTag); end >= 0 {
		end += len(zimoos.CloseTag)
		return block[:end], strings.TrimSpace(block[end:])
	}
	return block, ""
}
