package verdict

import (
	"bytes"
	"regexp"
	"strings"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/said"
	"zimoscope/backend/zimoos"
)

// hit is frame state that was found in a part.
type hit struct {
	what string
	at   int // offset in the raw part, at worst the start of the string that holds it
}

var stateNames = map[string]string{
	zimoos.StateTag:    "state-tag",
	zimoos.StateMarker: "state-marker",
	zimoos.StateFrame:  "state-frame",
}

// named says what was found.
func (h *hit) named() *said.Sentence { return say(stateNames[h.what]) }

// stateIn looks for frame state in every string of a raw value, decoded, and in a model's arguments decoded once
// more. Strict finds any tag at all: our own requests never hold one outside the tail. Without it a tag that is
// only spoken of is no state: it takes attributes, a closing tag, a filled marker, or a frame.
func stateIn(raw []byte, strict bool) *hit {
	var found *hit
	eachString(raw, func(t stringToken) {
		if found != nil || t.end-t.start < len("<zimoos") {
			return
		}
		text, _ := wire.String(raw[t.start:t.end])
		if what, at, ok := stateInText(text, strict); ok {
			found = &hit{what, t.start + rawOffset(raw[t.start:t.end], at)}
			return
		}
		if t.key != "arguments" || t.isKey {
			return
		}
		if inner := stateIn([]byte(text), strict); inner != nil {
			found = &hit{inner.what, t.start + rawOffset(raw[t.start:t.end], inner.at)}
		}
	})
	if found == nil && len(raw) > 0 && raw[0] == '{' {
		found = stateAcrossParts(raw, strict)
	}
	return found
}

// stateAcrossParts finds a tag that is split over two text parts: the model reads them as one text.
func stateAcrossParts(msg []byte, strict bool) *hit {
	content := wire.Get(msg, "content")
	if len(content) == 0 || content[0] != '[' {
		return nil
	}
	if what, _, ok := stateInText(textOf(msg), strict); ok {
		return &hit{what, bytes.Index(msg, content)}
	}
	return nil
}

var (
	tagWithAttribute = regexp.MustCompile(`(?i)^<\s*zimoos\s+[\w:-]+\s*=`)
	closingTag       = regexp.MustCompile(`(?i)^<\s*/\s*zimoos`)
	markerAlone      = regexp.MustCompile(`^\[[^\]]*\][ \t]*\r?\n\s*\S`)
)

// stateInText is zimoos.StateIn, from which the loose form takes away what is only mentioned.
func stateInText(text string, strict bool) (what string, at int, found bool) {
	from := 0
	opened := false
	for {
		what, at, found = zimoos.StateIn(text[from:])
		if !found {
			return "", 0, false
		}
		at += from
		if strict || what == zimoos.StateFrame {
			return what, at, true
		}
		rest := text[at:]
		switch {
		case what == zimoos.StateTag && tagWithAttribute.MatchString(rest):
			return what, at, true
		case what == zimoos.StateTag && closingTag.MatchString(rest):
			if opened && strings.Contains(text[:at], "\n") {
				return what, at, true
			}
		case what == zimoos.StateTag:
			opened = true
		case startsLine(text, at) && markerAlone.MatchString(rest):
			return what, at, true
		}
		from = at + 1
	}
}

func startsLine(text string, at int) bool {
	return strings.TrimSpace(text[strings.LastIndexByte(text[:at], '\n')+1:at]) == ""
}

// leaks lists the parts of a request that hold frame state outside its tail. Of a foreign body only messages are
// looked at: what its tools and its own words say about the block is not ours to judge.
func (v *view) leaks(inMessage func(i int) *hit) []Cause {
	out := v.prefixLeaks()
	for i := range v.hist {
		out = v.leak(out, wire.KindMessage, i, inMessage(i))
	}
	if v.partial != nil {
		out = v.leak(out, wire.KindMessage, v.hist, stateIn(v.partial.whole, true))
	}
	return out
}

func (v *view) prefixLeaks() (out []Cause) {
	if v.foreign {
		return nil
	}
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem} {
		for i := range v.body.Region(k).Len() {
			out = v.leak(out, k, i, stateIn(v.body.Bytes(k, i), true))
		}
	}
	return out
}

func (v *view) leak(out []Cause, k wire.Kind, i int, h *hit) []Cause {
	if h == nil {
		return out
	}
	return append(out, because(Leaked, v.never(), at(v.body, k, i, h.at), say("leaked", h.named())))
}

// scanMessage looks into a history message without any memory of it.
func (v *view) scanMessage(i int) *hit {
	return stateIn(v.body.Bytes(wire.KindMessage, i), !v.foreign)
}

// never is the answer to "planned" of a change that can't be planned.
func (v *view) never() *bool {
	if v.foreign {
		return nil
	}
	return no()
}
