// Package record is what is known of one request beside its bytes: how it was sent, what it was judged, what came
// back. The agent fills it for its own requests, the recorder for those of others; the store keeps it as Facts.
//
// Contract: a Record is owned by one goroutine; copy it to keep it. The members with short JSON names are what a store
// keeps, so a name once used is never used for anything else.
package record

import (
	"encoding/json"

	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/said"
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
	ProofPending  = "pending"
	ProofHolds    = "proved"
	ProofBroken   = "broken"
	ProofPartial  = "partial"  // the server answered before it took the whole body
	ProofClaimed  = "claimed"  // a part held a secret: its hash was taken before, and can't be recomputed
	ProofImported = "imported" // the bytes come from a file; nobody here saw them on the wire
)

// KindOther is the kind of what passed by and is no request that is understood: it is listed, not compared.
const KindOther = "other"

// Record is one request of a session.
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
	Events    int                 `json:"ev,omitempty"` // how many events of the transcript it was built on
	Sizes     Sizes               `json:"z"`
	Seals     map[int]string      `json:"sl,omitempty"` // message index -> source of the Summary it got since the predecessor
	Foreign   *Foreign            `json:"fo,omitempty"` // of another agent; nil for our own

	View *requestview.View `json:"-"` // while the session is open and the request is the latest
}

// Prediction is what a cache of one class would reuse, in tokens.
type Prediction struct {
	Class  string `json:"c"`
	Reused int    `json:"r"`
	Total  int    `json:"t"`
	Exact  bool   `json:"e,omitempty"` // counted with the model's own tokenizer; else an estimate
}

// Sizes are the bytes of a body by segment. Prefix + Equal + New + Tail is the body, but for the bytes that close it.
type Sizes struct {
	Bytes  int `json:"b"`
	Prefix int `json:"p"` // model, parameters, tools, system
	Equal  int `json:"e"` // history that the predecessor had in the same place
	New    int `json:"n"` // history that is new or changed
	Tail   int `json:"t"` // request-only
}

// Foreign is what is known of a request that another agent sent. Nothing here was announced by its sender.
type Foreign struct {
	Source         string              `json:"s"` // proxy, or a file's name with what was recognised in it: traffic.har (HAR)
	Dialect        string              `json:"d"`
	Method         string              `json:"m,omitempty"`
	URL            string              `json:"u,omitempty"` // without secrets
	HTTP           int                 `json:"h,omitempty"` // status of the response, 0 when none came
	RequestHeader  map[string][]string `json:"q,omitempty"` // without secrets
	ResponseHeader map[string][]string `json:"p,omitempty"`
	FirstByte      int64               `json:"f,omitempty"` // ms
	Claimed        []ClaimedPart       `json:"c,omitempty"`
	Notes          []string            `json:"n,omitempty"`
	Inferred       []Inference         `json:"i,omitempty"`
	Conversation   string              `json:"v,omitempty"`  // what the source calls it, "" when it doesn't
	How            string              `json:"w,omitempty"`  // by what it was found to go on from its predecessor
	Told           bool                `json:"t,omitempty"`  // its sender told what it sent: Meta is the sender's own
	Prompt         string              `json:"pr,omitempty"` // the start of what a person wrote, on the request that begins a turn
	Model          string              `json:"mo,omitempty"`
}

// ClaimedPart is a part that held a secret: the hash of what was sent, taken before the secret was replaced.
type ClaimedPart struct {
	Kind  wire.Kind `json:"k"`
	Index int       `json:"i"`
	Leaf  wire.Hash `json:"l"`
}

// Inference is a named cause that the bytes show, with what shows it. It is never an announcement.
type Inference struct {
	Cause    string      `json:"c"`
	Evidence string      `json:"e"`
	Words    *said.Words `json:"w,omitempty"` // what Evidence says, by code; nil in what an older program stored
	verdict.Place
}

// Sent puts the hashes of what was sent in place of those of what is stored: parts that held a secret were changed
// before they were stored. A nil Foreign, or one without such parts, leaves the body as it is.
func (f *Foreign) Sent(b *wire.Body) *wire.Body {
	if f == nil || len(f.Claimed) == 0 {
		return b
	}
	type place struct {
		kind  wire.Kind
		index int
	}
	sent := make(map[place]wire.Hash, len(f.Claimed))
	for _, c := range f.Claimed {
		sent[place{c.Kind, c.Index}] = c.Leaf
	}
	out := b.WithLeaves(func(k wire.Kind, i int) (wire.Hash, bool) {
		h, ok := sent[place{k, i}]
		return h, ok
	})
	if rest, ok := sent[place{wire.KindRest, 0}]; ok {
		out.Rest = rest
	}
	return out
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

// Request joins the record with its body for comparing. A request of another agent has no Meta: what it would need to
// be believed was never announced.
func (r *Record) Request(body *wire.Body) *verdict.Request {
	if r.Foreign == nil || r.Foreign.Told {
		return &verdict.Request{Body: body, Meta: &r.Meta, Number: r.N}
	}
	return &verdict.Request{Body: body, Number: r.N, Thread: r.Meta.Thread, Side: r.Meta.Kind == verdict.KindSide, Follows: r.Meta.Predecessor}
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

// Of reads a stored record back.
func Of(f store.Facts) (*Record, error) {
	r := &Record{N: f.N}
	if len(f.Detail) == 0 {
		return r, nil
	}
	return r, json.Unmarshal(f.Detail, r)
}
