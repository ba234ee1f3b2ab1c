package verdict

import (
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/said"
)

// Kind names a verdict, and a cause that may become one.
type Kind string

// The verdicts, worst first. MarkMoved is only ever a cause.
const (
	Leaked        Kind = "leaked"
	Rewritten     Kind = "rewritten"
	SystemChanged Kind = "system-changed"
	ToolsChanged  Kind = "tools-changed"
	ModelChanged  Kind = "model-changed"
	Windowed      Kind = "windowed"
	RestChanged   Kind = "rest-changed"
	Sealed        Kind = "sealed"
	Extended      Kind = "extended"
	First         Kind = "first"
	MarkMoved     Kind = "mark-moved"
)

// rank orders causes: the lowest names the verdict.
func rank(k Kind) int {
	for i, other := range []Kind{Leaked, Rewritten, SystemChanged, ToolsChanged, ModelChanged, Windowed, RestChanged, Sealed, Extended, First} {
		if k == other {
			return i
		}
	}
	return 1 << 10
}

// PartRef names a part of a body; the index counts from 0 within its kind.
type PartRef struct {
	Kind  wire.Kind `json:"kind"`
	Index int       `json:"index"`
}

// Place is where something is in the later request. Part is nil when nothing in it differs; the offsets are -1
// then. For a part that is gone, Part names its place in the earlier request and BodyOffset where it would stand.
type Place struct {
	Part       *PartRef `json:"part"`
	Path       string   `json:"path"`
	PartOffset int      `json:"part_offset"`
	BodyOffset int      `json:"body_offset"`
}

// Cause is one thing that changed.
type Cause struct {
	Kind    Kind   `json:"kind"`
	Planned *bool  `json:"planned"` // nil: nobody can tell (a foreign body), or it needs no plan
	Detail  string `json:"detail"`
	Place
	Range *Range      `json:"range,omitempty"` // windowed: which messages of the earlier request left
	Words *said.Words `json:"words,omitempty"` // what Detail says, by code
}

func because(k Kind, planned *bool, p Place, s *said.Sentence) Cause {
	return Cause{Kind: k, Planned: planned, Place: p, Detail: s.Text, Words: s.Words}
}

// detail is what a cause says of itself, for a sentence around it. One that was stored without words has English ones.
func (c *Cause) detail() *said.Sentence { return &said.Sentence{Text: c.Detail, Words: c.Words} }

// Range is messages[From:To).
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Context is the decoded text around a place, in both requests.
type Context struct {
	Before string `json:"before"` // the earlier request
	After  string `json:"after"`  // the later one
}

// Verdict is the comparison of a request with an earlier one. Place is the first part whose link differs; of a leak
// and of changed parameters it is the place of that.
type Verdict struct {
	Verdict Kind    `json:"verdict"`
	Causes  []Cause `json:"causes"`
	Planned *bool   `json:"planned"`
	Place
	HistoryLost int           `json:"history_lost"` // bytes of the messages before the earlier tail that the later request no longer starts with
	Context     *Context      `json:"context,omitempty"`
	Notes       []string      `json:"notes,omitempty"`
	NoteWords   []*said.Words `json:"note_words,omitempty"` // what Notes say, one by one, by code
}

// Violation says whether the verdict breaks the promise of a stable prefix: an unannounced or unplannable change.
func (v *Verdict) Violation() bool {
	for _, c := range v.Causes {
		if c.Violates() {
			return true
		}
	}
	return false
}

// Violates says that the cause breaks the promise of a stable prefix.
func (c *Cause) Violates() bool {
	switch c.Kind {
	case Leaked, Rewritten:
		return true
	case SystemChanged, ToolsChanged, ModelChanged, Windowed:
		return c.Planned == nil || !*c.Planned
	}
	return false
}

// Has says whether a cause of that kind is among the causes.
func (v *Verdict) Has(k Kind) bool {
	for _, c := range v.Causes {
		if c.Kind == k {
			return true
		}
	}
	return false
}

func yes() *bool { b := true; return &b }
func no() *bool  { b := false; return &b }

func known(b bool) *bool { return &b }
