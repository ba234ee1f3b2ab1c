package store

import (
	"encoding/json"
	"fmt"

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
			if was, err := s.codec.unpack(had); err == nil {
				_ = json.Unmarshal(was, &old) // only counts for the list
			}
		}
		if err := b.Put(key(f.N), s.codec.pack(raw)); err != nil {
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
		return eachFacts(tx, s.codec, func(f Facts) { list = append(list, f) })
	})
	return list, err
}

// Facts gives the facts of one request; ErrNotFound when there are none.
func (s *Session) Facts(n int) (f Facts, err error) {
	defer guard(&err)
	err = s.db.View(func(tx *bolt.Tx) error {
		v := tx.Bucket(bFacts).Get(key(n))
		if v == nil {
			return fmt.Errorf("request %d: %w", n, ErrNotFound)
		}
		raw, err := s.codec.unpack(v)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(raw, &f); err != nil {
			return fmt.Errorf("%w (facts of request %d: %v)", ErrDamaged, n, err)
		}
		f.N = n
		return nil
	})
	return f, err
}

func eachFacts(tx *bolt.Tx, c *codec, visit func(Facts)) error {
	return tx.Bucket(bFacts).ForEach(func(k, v []byte) error {
		var f Facts
		raw, err := c.unpack(v)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(raw, &f); err != nil {
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
	b := tx.Bucket(bResponses)
	b.FillPercent = fill
	return b.Put(key(r.N), s.codec.pack(r.Raw))
}

// Response gives the raw response of a request; ErrNotFound when none was stored.
func (s *Session) Response(n int) (raw []byte, err error) {
	defer guard(&err)
	err = s.db.View(func(tx *bolt.Tx) error {
		v := tx.Bucket(bResponses).Get(key(n))
		if v == nil {
			return fmt.Errorf("response %d: %w", n, ErrNotFound)
		}
		raw, err = s.codec.unpack(v)
		return err
	})
	return raw, err
}

// BytesInUse gives, by bucket, the bytes that its pages really use.
func (s *Session) BytesInUse() (use map[string]int, err error) {
	defer guard(&err)
	use = map[string]int{}
	err = s.db.View(func(tx *bolt.Tx) error {
		for _, name := range buckets {
			st := tx.Bucket(name).Stats()
			use[string(name)] = st.LeafInuse + st.BranchInuse + st.InlineBucketInuse
		}
		return nil
	})
	return use, err
}
