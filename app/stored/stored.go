// Package stored reads sessions back from the store in the forms that other parts take.
package stored

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"

	"zimoscope/backend/agent"
	"zimoscope/backend/capture"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/safely/together"
	"zimoscope/backend/store"
)

// Records gives what is known of each request, in order.
func Records(s *store.Session) ([]*agent.Record, error) {
	facts, err := s.AllFacts()
	if err != nil {
		return nil, err
	}
	list := make([]*agent.Record, len(facts))
	workers := max(1, min(runtime.GOMAXPROCS(0), len(facts)/recordShare))
	errs := make([]error, workers)
	var all together.Group
	for w := range workers {
		all.Run(func() { errs[w] = recordsOf(facts, list, w*len(facts)/workers, (w+1)*len(facts)/workers) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return list, nil
}

// recordShare is how many records are at least worth a goroutine of their own; reading one takes about 10 µs.
const recordShare = 100

func recordsOf(facts []store.Facts, into []*agent.Record, from, to int) (err error) {
	for i := from; i < to; i++ {
		if into[i], err = record.Of(facts[i]); err != nil {
			return fmt.Errorf("what is known of request %d can't be read: %w", facts[i].N, err)
		}
	}
	return nil
}

// Request gives one stored request with its bytes scanned anew: nothing of what was claimed is taken over.
func Request(s *store.Session, rec *agent.Record) (*verdict.Request, error) {
	raw, err := s.Body(rec.N)
	if err != nil {
		return nil, err
	}
	body, err := wire.Scan(raw)
	if err != nil {
		return nil, fmt.Errorf("request %d in the store is damaged: %w", rec.N, err)
	}
	if err := Unaltered(body, rec); err != nil {
		return nil, err
	}
	r := rec.Request(body)
	r.Name = fmt.Sprintf("request %d", rec.N)
	return r, nil
}

// Unaltered holds a stored body to what was proved when it was sent. Ours are stored as they were sent; those of others
// may have lost a secret on the way into the store.
func Unaltered(body *wire.Body, rec *agent.Record) error {
	if rec.Foreign == nil && rec.Proof == record.ProofHolds && wire.Hash(sha256.Sum256(body.Raw)) != rec.Meta.BodySHA256 {
		return fmt.Errorf("request %d in the store is damaged: these are not the bytes that were sent", rec.N)
	}
	return nil
}

// Capture gives a whole session for checking.
func Capture(s *store.Session) (*capture.Capture, error) {
	recs, err := Records(s)
	if err != nil {
		return nil, err
	}
	c := &capture.Capture{}
	for _, rec := range recs {
		r, err := Request(s, rec)
		if err != nil {
			return nil, err
		}
		c.Requests = append(c.Requests, r)
	}
	return c, nil
}
