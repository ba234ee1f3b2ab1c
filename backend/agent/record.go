package agent

import (
	"zimoscope/backend/record"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/wire"
)

// Record is one request of a session with all that is known of it beside its bytes.
type Record = record.Record

// Sizes are the bytes of a body by segment.
type Sizes = record.Sizes

// Prediction is what a cache of one class would reuse, in tokens.
type Prediction = record.Prediction

// Status and proof of a request.
const (
	StatusStaged    = record.StatusStaged
	StatusSending   = record.StatusSending
	StatusDone      = record.StatusDone
	StatusError     = record.StatusError
	StatusCancelled = record.StatusCancelled
	ProofPending    = record.ProofPending
	ProofHolds      = record.ProofHolds
	ProofBroken     = record.ProofBroken
	ProofPartial    = record.ProofPartial
)

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
