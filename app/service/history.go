package service

import (
	"zimoscope/app/api"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
)

// reach is where the history stands among the messages of a body: all but the system's and an own carrier.
type reach struct{ from, end int }

func (v *viewer) history() reach {
	n := v.body.Messages.Len()
	if v.rec.Foreign == nil {
		end := n
		if v.rec.Carrier == requestview.OwnMessage {
			end--
		}
		return reach{min(1, end), end}
	}
	h := reach{0, n - verdict.TailMessages(v.body)}
	if v.body.System.Len() == 0 && verdict.HasSystem(v.body) && h.end > 0 {
		h.from = 1
	}
	return h
}

// system describes the system text, wherever the dialect has it.
func (v *viewer) system() api.PartView {
	var p api.PartView
	switch {
	case v.body.System.Len() > 0:
		p = v.part(wire.KindSystem, 0, systemText(v.body.Bytes(wire.KindSystem, 0)))
	case v.rec.Foreign != nil && v.history().from == 1:
		p = v.part(wire.KindMessage, 0, messageText(v.body.Bytes(wire.KindMessage, 0)))
	case v.rec.Foreign == nil && v.body.Messages.Len() > 0:
		p = v.part(wire.KindMessage, 0, transcript.TextOf(v.body.Bytes(wire.KindMessage, 0)))
	default:
		return p
	}
	p.Name = "system"
	return p
}

// shownFrom is the place in the history from which a view shows it: around what broke, else its end.
func (v *viewer) shownFrom(h reach) int {
	total := h.end - h.from
	last := max(0, total-firstMessages)
	if v.base == nil || last == 0 {
		return last
	}
	for _, run := range v.hidden() {
		if run.Request == v.rec.N {
			return clamp(run.Before-h.from-leadMessages, last)
		}
	}
	for i := min(wire.SharedMessages(v.base, v.body), h.end); i < h.end; i++ {
		if i >= h.from && v.changed(wire.KindMessage, i) == "changed" {
			return clamp(i-h.from-leadMessages, last)
		}
	}
	return last
}

func clamp(at, last int) int { return max(0, min(at, last)) }

func (v *viewer) bytesOf(h reach) (sum int) {
	for i := h.from; i < h.end; i++ {
		from, to := v.body.Range(wire.KindMessage, i)
		sum += to - from
	}
	return sum
}

// messages describes messages of the history, by place. Results get the names of the calls before them.
func (v *viewer) messages(h reach, from, count int) []api.MessageView {
	out := []api.MessageView{}
	first, end := h.from+from, min(h.end, h.from+from+count)
	if v.rec.Foreign == nil {
		for i := first; i < end; i++ {
			out = append(out, v.message(i))
		}
		return out
	}
	tools := map[string]string{}
	for i := max(h.from, first-leadMessages); i < end; i++ {
		if m := v.foreignMessage(i, tools); i >= first {
			out = append(out, m)
		}
	}
	return out
}
