package infer

import (
	"strings"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// history says what became of the messages behind the system text.
func (p *pair) history() {
	from := 0
	if verdict.HasSystem(p.a) && verdict.HasSystem(p.b) {
		from = 1
	}
	na, nb := p.a.Messages.Len()-verdict.TailMessages(p.a), p.b.Messages.Len()-verdict.TailMessages(p.b)
	same := from
	for same < min(na, nb) && p.equal(same) {
		same++
	}
	if same >= na {
		return // all of it stands
	}
	where := map[wire.Hash]int{}
	for j := nb - 1; j >= same; j-- {
		where[p.plain(p.b, j)] = j
	}
	if next := p.inPlace(same, na, nb, where); next > same && next < na {
		p.rewritten(same, next, next, where) // what follows has causes of its own
		same = next
	}
	if p.moves(same, na, nb, where) {
		return
	}
	if p.left(same, na, nb, where) {
		return
	}
	p.rewritten(same, na, nb, where)
}

// equal says that both hold the same message at i; most do, to the byte.
func (p *pair) equal(i int) bool {
	return p.a.Messages.Part(i).Leaf == p.b.Messages.Part(i).Leaf || p.plain(p.a, i) == p.plain(p.b, i)
}

func (p *pair) plain(b *wire.Body, i int) wire.Hash { return verdict.TextLeaf(b, i) }

// inPlace passes over results of tools that say something else now, as records do whose summary was written later.
func (p *pair) inPlace(same, na, nb int, where map[wire.Hash]int) int {
	for same < min(na, nb) {
		was, is := p.a.Bytes(wire.KindMessage, same), p.b.Bytes(wire.KindMessage, same)
		id := wire.Get(was, "tool_call_id")
		if _, stands := where[p.plain(p.a, same)]; stands || len(id) == 0 || string(id) != string(wire.Get(is, "tool_call_id")) {
			break
		}
		same++
	}
	return same
}

// moves finds a message that was last, or near it, and is so again behind what was added: a state or an attachment
// that an agent carries along. What it says may have changed; who says it and how it begins did not.
func (p *pair) moves(same, na, nb int, where map[wire.Hash]int) bool {
	back := na - same
	j := nb - back
	if back > 3 || j <= same || j >= nb {
		return false
	}
	was, is := p.a.Bytes(wire.KindMessage, same), p.b.Bytes(wire.KindMessage, j)
	if role(was) != role(is) || role(was) == "assistant" || len(wire.Get(was, "tool_call_id")) > 0 {
		return false
	}
	if at, ok := where[p.plain(p.a, same)]; !ok || at != j {
		a, b := allText(was), allText(is)
		begin := wire.CommonPrefix([]byte(a), []byte(b))
		if begin < minLike || role(was) == "user" && 3*begin < min(len(a), len(b)) { // nobody but the agent writes system messages
			return false
		}
	}
	fromEnd := back
	if tail := verdict.TailMessages(p.b); tail == verdict.TailMessages(p.a) {
		fromEnd += tail
	}
	p.say(MessageMoves, p.at(wire.KindMessage, same, was), say("moves", role(was), cut(firstLine(allText(was))), same, j, fromEnd))
	return true
}

// minLike is how many bytes two texts must begin with in common to be the same message, carried along.
const minLike = 12

// left finds a run of messages that is gone while what follows it stands, and says what stands in its place.
func (p *pair) left(same, na, nb int, where map[wire.Hash]int) bool {
	next := same
	for next < na {
		if _, ok := where[p.plain(p.a, next)]; ok {
			break
		}
		next++
	}
	gone := next - same
	if gone == 0 {
		return false
	}
	bytes := 0
	for i := same; i < next; i++ {
		bytes += len(p.a.Bytes(wire.KindMessage, i))
	}
	stands := nb
	if next < na {
		stands = where[p.plain(p.a, next)]
	}
	fresh := 0
	for j := same; j < stands; j++ {
		fresh += len(p.b.Bytes(wire.KindMessage, j))
	}
	switch {
	case next < na && stands == same:
		p.say(WindowSlides, p.at(wire.KindMessage, same, nil), say("slides", same, next-1, bytes))
		return true
	case gone >= minCompacted && stands-same < gone && 2*fresh < bytes && generatedBetween(p.a, same, next):
		p.say(Compacted, p.at(wire.KindMessage, min(same, nb-1), nil), say("compacted", gone, bytes, stands-same, fresh, cut(firstLine(allText(p.b.Bytes(wire.KindMessage, min(same, nb-1)))))))
		return true
	}
	return false
}

// minCompacted is how many messages must have left before their replacement counts as a summary of them.
const minCompacted = 4

func generatedBetween(b *wire.Body, from, to int) bool {
	for i := from; i < to; i++ {
		if role(b.Bytes(wire.KindMessage, i)) == "assistant" {
			return true
		}
	}
	return false
}

// rewritten says of each message in its old place how it changed.
func (p *pair) rewritten(same, na, nb int, where map[wire.Hash]int) {
	for i := same; i < min(na, nb); i++ {
		was, is := p.a.Bytes(wire.KindMessage, i), p.b.Bytes(wire.KindMessage, i)
		if p.plain(p.a, i) == p.plain(p.b, i) || role(was) != role(is) {
			continue
		}
		if _, ok := where[p.plain(p.a, i)]; ok {
			continue
		}
		place := p.at(wire.KindMessage, i, was)
		a, b := allText(was), allText(is)
		switch {
		case sameValue(was, is):
			p.say(Serialisation, place, say("message-same", i))
		case sameValue(without(was), without(is)):
			p.say(ReasoningGone, place, say("reasoning", i, len(was), len(is)))
		case isResult(was) && 2*len(b) < len(a):
			p.say(ResultCleared, place, say("cleared", i, len(was)-len(is), change(a, b)))
		case role(was) == "user" && !isResult(was) && a != b:
			p.say(UserTextChanged, place, say("message", i, change(a, b)))
		default:
			p.otherResult(i, place, results(was), results(is))
		}
	}
}

func role(msg []byte) string {
	r, _ := wire.String(wire.Get(msg, "role"))
	return r
}

// isResult says that a message holds the result of a tool, in any of the shapes.
func isResult(msg []byte) bool {
	if role(msg) == "tool" || len(wire.Get(msg, "call_id")) > 0 {
		return true
	}
	found := false
	_ = wire.Elements(wire.Get(msg, "content"), func(start, end int) error {
		kind, _ := wire.String(wire.Get(wire.Get(msg, "content")[start:end], "type"))
		found = found || kind == "tool_result"
		return nil
	})
	return found
}

// otherResult names the first result that says something else than the one of the same call did there.
func (p *pair) otherResult(i int, place verdict.Place, was, is []toolResult) {
	for k := range min(len(was), len(is)) {
		a, b := was[k], is[k]
		switch more, grew := strings.CutPrefix(b.text, a.text); {
		case a.call == "" || a.call != b.call || a.text == b.text:
			continue
		case grew && a.text != "":
			p.say(ResultChanged, place, say("result-grew", i, cut(a.call), len(more), cut(more)))
		default:
			p.say(ResultChanged, place, say("result-changed", i, cut(a.call), change(a.text, b.text)))
		}
		return
	}
}

// toolResult is what a tool said, by the id of its call.
type toolResult struct{ call, text string }

// results lists what a message holds of them, in any of the shapes.
func results(msg []byte) (list []toolResult) {
	add := func(id, value []byte) {
		call, _ := wire.String(id)
		list = append(list, toolResult{call, allText(value)})
	}
	if id := wire.Get(msg, "tool_call_id"); len(id) > 0 {
		add(id, wire.Get(msg, "content"))
	}
	if id := wire.Get(msg, "call_id"); len(id) > 0 {
		add(id, wire.Get(msg, "output"))
	}
	content := wire.Get(msg, "content")
	_ = wire.Elements(content, func(start, end int) error {
		if part := content[start:end]; len(wire.Get(part, "tool_use_id")) > 0 {
			add(wire.Get(part, "tool_use_id"), wire.Get(part, "content"))
		}
		return nil
	})
	return list
}

// without is a message with the members that hold reasoning set to null.
func without(msg []byte) []byte {
	v, ok := decode(msg)
	m, isObject := v.(map[string]any)
	if !ok || !isObject {
		return msg
	}
	for _, name := range []string{"reasoning_content", "reasoning", "reasoning_details", "thinking"} {
		delete(m, name)
	}
	if list, ok := m["content"].([]any); ok {
		kept := []any{}
		for _, part := range list {
			if o, ok := part.(map[string]any); ok && (o["type"] == "thinking" || o["type"] == "redacted_thinking") {
				continue
			}
			kept = append(kept, part)
		}
		m["content"] = kept
	}
	return encode(m)
}
