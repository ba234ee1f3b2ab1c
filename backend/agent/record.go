package agent

import (
	"encoding/json"

	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

// Status of a request.
const (
	StatusStaged    = "staged"
	StatusSending   = "sending"
	StatusDone      = "done"
	StatusError     = "error"
	StatusCancelled = "cancelled"
)

// Proof of a request: whether the bytes that left were hashed and agree with what was claimed.
const (
	ProofPending = "pending"
	ProofHolds   = "proved"
	ProofBroken  = "broken"
	ProofPartial = "partial" // the server answered before it took the whole body
)

// Record is one request of a session with all that is known of it beside its bytes. The members with short JSON names
// are what a store keeps.
type Record struct {
	N         int                 `json:"-"`
	Meta      verdict.Meta        `json:"m"`
	Status    string              `json:"s"`
	Proof     string              `json:"p,omitempty"`
	ProofNote string              `json:"pn,omitempty"`
	Verdict   verdict.Verdict     `json:"v"`
	Redlines  []verdict.Redline   `json:"r,omitempty"`
	SentAt    int64               `json:"a,omitempty"` // ms
	Millis    int64               `json:"ms,omitempty"`
	Attempts  int                 `json:"n,omitempty"`
	Tools     []string            `json:"t,omitempty"` // public names of the calls it was answered with
	Finish    string              `json:"f,omitempty"`
	Usage     json.RawMessage     `json:"u,omitempty"`
	Predicted *Prediction         `json:"c,omitempty"`
	Error     string              `json:"e,omitempty"`
	Carrier   requestview.Carrier `json:"k,omitempty"`
	Turn      int                 `json:"tu,omitempty"`
	Sizes     Sizes               `json:"z"`
	Seals     map[int]string      `json:"sl,omitempty"` // message index -> source of the Summary it got since the predecessor

	View *requestview.View `json:"-"` // while the session is open and the request is the latest
}

// Sizes are the bytes of a body by segment. Prefix + Equal + New + Tail is the body, but for the bytes that close it.
type Sizes struct {
	Bytes  int `json:"b"`
	Prefix int `json:"p"` // model, parameters, tools, system
	Equal  int `json:"e"` // history that the predecessor had in the same place
	New    int `json:"n"` // history that is new or changed
	Tail   int `json:"t"` // request-only
}

// sizesOf measures a request against its predecessor, by links: no old message is looked at.
func sizesOf(v, prev *requestview.View) Sizes {
	b := v.Body
	z := Sizes{Bytes: len(b.Raw), Tail: len(b.Raw) - v.TailOffset, Prefix: b.Messages.At}
	if b.Messages.Len() == 0 {
		return z
	}
	_, z.Prefix = b.Range(wire.KindMessage, 0)
	if prev != nil {
		if n := wire.SharedMessages(prev.Body, b); n > 1 {
			_, end := b.Range(wire.KindMessage, n-1)
			z.Equal = min(end, v.TailOffset) - z.Prefix
		}
	}
	z.New = v.TailOffset - z.Prefix - z.Equal
	return z
}

// Violation says that the verdict or a redline of this request failed.
func (r *Record) Violation() bool {
	for _, l := range r.Redlines {
		if l.OK != nil && !*l.OK {
			return true
		}
	}
	return r.Verdict.Violation() || r.Proof == ProofBroken
}

// Facts is the record in the form that a store keeps. Redlines that hold or can't be checked are left out: they follow
// from the bytes.
func (r *Record) Facts() store.Facts {
	kept := *r
	kept.Redlines = nil
	for _, l := range r.Redlines {
		if l.OK != nil && !*l.OK || l.Degraded {
			kept.Redlines = append(kept.Redlines, l)
		}
	}
	kept.Verdict.Context = nil
	raw, err := json.Marshal(kept)
	if err != nil {
		raw = nil
	}
	return store.Facts{N: r.N, Verdict: string(r.Verdict.Verdict), Violation: r.Violation(), Detail: raw}
}

// RecordOf reads a stored record back.
func RecordOf(f store.Facts) (*Record, error) {
	r := &Record{N: f.N}
	if len(f.Detail) == 0 {
		return r, nil
	}
	return r, json.Unmarshal(f.Detail, r)
}
