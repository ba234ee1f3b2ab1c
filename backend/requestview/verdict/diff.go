package verdict

import "zimoscope/backend/requestview/wire"

// PartDiff is one changed part with the difference of its decoded text.
type PartDiff struct {
	Rung Rung     `json:"rung"`
	Text TextDiff `json:"text"`
}

// RequestDiff is what a window draws of two requests.
type RequestDiff struct {
	Rungs   []Rung     `json:"rungs"`
	Parts   []PartDiff `json:"parts"`
	Omitted int        `json:"omitted"` // changed parts whose text is not here; ask for them one by one
}

// maxDiffParts bounds the parts that Diff compares as text; DiffPart gives any other on demand.
const maxDiffParts = 50

// Diff compares any two requests for drawing: all parts as a ladder, and the text of the changed ones.
func Diff(prev, next *Request) RequestDiff {
	d := RequestDiff{Rungs: Ladder(prev, next), Parts: []PartDiff{}}
	for _, r := range d.Rungs {
		switch r.State {
		case RungEqual, RungSameBytes, RungNew, RungGone: // nothing to compare, or nothing to compare with
			continue
		}
		if len(d.Parts) >= maxDiffParts {
			d.Omitted++
			continue
		}
		d.Parts = append(d.Parts, PartDiff{r, DiffPart(prev, next, r)})
	}
	return d
}

// DiffPart compares the text of the first part of a rung.
func DiffPart(prev, next *Request, r Rung) TextDiff {
	if r.Kind == wire.KindRest {
		return DiffText(restText(prev.Body), restText(next.Body))
	}
	return DiffText(textAt(prev.Body, r.Kind, r.Prev), textAt(next.Body, r.Kind, r.Next))
}

func textAt(b *wire.Body, k wire.Kind, i int) string {
	switch {
	case i < 0:
		return ""
	case k == wire.KindModel:
		return string(b.Bytes(k, 0))
	case i >= b.Region(k).Len():
		return ""
	}
	if k == wire.KindTool {
		return string(b.Bytes(k, i)) // a schema is read with its structure
	}
	return partText(b.Bytes(k, i))
}

func restText(b *wire.Body) string {
	out := ""
	for _, p := range restPieces(b) {
		out += string(p.raw) + "\n"
	}
	return out
}
