package store

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"

	bolt "go.etcd.io/bbolt"
)

// Facts is what is known of a request beside its bytes: how it was sent, what it was judged, what came back. The owner
// of Detail decides its shape; the store only counts by Verdict and Violation for the list.
type Facts struct {
	N         int             `json:"-"`
	Verdict   string          `json:"v,omitempty"`
	Violation bool            `json:"x,omitempty"`
	Detail    json.RawMessage `json:"d,omitempty"`
}

func (s *Session) putFacts(tx *bolt.Tx, list []Facts) error {
	b := tx.Bucket(bFacts)
	b.FillPercent = fill
	for _, f := range list {
		raw, err := json.Marshal(f)
		if err != nil {
			return err
		}
		var old Facts
		had := b.Get(key(f.N))
		if had != nil {
			_ = json.Unmarshal(had, &old)
		}
		if err := b.Put(key(f.N), raw); err != nil {
			return err
		}
		s.sums.replace(old, f, had != nil)
	}
	return nil
}

// AllFacts gives the facts of all requests, in order.
func (s *Session) AllFacts() (list []Facts, err error) {
	defer guard(&err)
	err = s.db.View(func(tx *bolt.Tx) error {
		return eachFacts(tx, func(f Facts) { list = append(list, f) })
	})
	return list, err
}

func eachFacts(tx *bolt.Tx, visit func(Facts)) error {
	return tx.Bucket(bFacts).ForEach(func(k, v []byte) error {
		var f Facts
		if err := json.Unmarshal(v, &f); err != nil {
			return fmt.Errorf("%w (facts of a request: %v)", ErrDamaged, err)
		}
		f.N = int(k[0])<<24 | int(k[1])<<16 | int(k[2])<<8 | int(k[3])
		visit(f)
		return nil
	})
}

// Response is the raw response of a request, as received, known secrets already removed.
type Response struct {
	N   int
	Raw []byte
}

func (s *Session) putResponse(tx *bolt.Tx, r *Response) error {
	var z bytes.Buffer
	w, err := flate.NewWriter(&z, flate.BestSpeed) // event streams repeat the same envelope around every few letters
	if err != nil {
		return err
	}
	if _, err := w.Write(r.Raw); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	b := tx.Bucket(bResponses)
	b.FillPercent = fill
	return b.Put(key(r.N), z.Bytes())
}

// Response gives the raw response of a request; ErrNotFound when none was stored.
func (s *Session) Response(n int) (raw []byte, err error) {
	defer guard(&err)
	var z []byte
	err = s.db.View(func(tx *bolt.Tx) error {
		z = append(z, tx.Bucket(bResponses).Get(key(n))...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(z) == 0 {
		return nil, fmt.Errorf("response %d: %w", n, ErrNotFound)
	}
	raw, err = io.ReadAll(flate.NewReader(bytes.NewReader(z)))
	if err != nil {
		return nil, fmt.Errorf("%w (response %d: %v)", ErrDamaged, n, err)
	}
	return raw, nil
}
