package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"

	"zimoscope/backend/requestview/wire"
)

// Facts is what is known of a request beside its bytes: how it was sent, what it was judged, what came back. The owner
// of Detail decides its shape; the store only counts by Verdict and Violation for the list.
type Facts struct {
	N         int             `json:"-"`
	Verdict   string          `json:"v,omitempty"`
	Violation bool            `json:"x,omitempty"`
	Detail    json.RawMessage `json:"d,omitempty"`
}

// encode gives {"v","x","d"} as json.Marshal would, without reading Detail by reflection.
func (f Facts) encode() ([]byte, error) {
	out := make([]byte, 0, len(f.Detail)+len(f.Verdict)+32)
	sep := byte('{')
	field := func(name string) {
		out = append(append(append(out, sep), name...), ':')
		sep = ','
	}
	if f.Verdict != "" {
		field(`"v"`)
		out = wire.AppendQuoted(out, f.Verdict)
	}
	if f.Violation {
		field(`"x"`)
		out = append(out, "true"...)
	}
	if len(f.Detail) > 0 {
		if !json.Valid(f.Detail) {
			return nil, fmt.Errorf("the facts of request %d are no JSON; they were not stored", f.N)
		}
		field(`"d"`)
		out = append(out, f.Detail...)
	}
	if sep == '{' {
		out = append(out, '{')
	}
	return append(out, '}'), nil
}

func (s *Session) putFacts(tx *bolt.Tx, list []Facts, late bool) error {
	for _, f := range list {
		raw, err := f.encode()
		if err != nil {
			return err
		}
		if err := s.put(tx, bFacts, key(f.N), s.codec.pack(raw), late); err != nil {
			return err
		}
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
		v := lookup(tx, bFacts, key(n))
		if v == nil {
			return fmt.Errorf("request %d: %w", n, ErrNotFound)
		}
		raw, err := s.codec.unpack(v)
		if err != nil {
			return err
		}
		if f, err = decodeFacts(raw); err != nil {
			return fmt.Errorf("%w (facts of request %d: %v)", ErrDamaged, n, err)
		}
		f.N = n
		return nil
	})
	return f, err
}

// decodeFacts reads what encode wrote, in one pass: opening a session reads the facts of all requests. Detail is part of
// raw.
func decodeFacts(raw []byte) (f Facts, err error) {
	end := 0
	err = wire.Members(raw, func(m wire.Member) error {
		value := raw[m.Start:m.End]
		switch m.Name {
		case "v":
			f.Verdict, _ = wire.String(value)
		case "x":
			f.Violation = string(value) == "true"
		case "d":
			f.Detail = value
		}
		end = m.End
		return nil
	})
	if rest := string(raw[end:]); err == nil && rest != "}" && (end > 0 || rest != "{}") {
		err = wire.ErrTrailing
	}
	return f, err
}

func eachFacts(tx *bolt.Tx, c *codec, visit func(Facts)) error {
	read := func(k, v []byte) error {
		raw, err := c.unpack(v)
		if err != nil {
			return err
		}
		f, err := decodeFacts(raw)
		if err != nil || len(k) != 4 {
			return fmt.Errorf("%w (facts of a request: %v)", ErrDamaged, err)
		}
		f.N = int(binary.BigEndian.Uint32(k))
		visit(f)
		return nil
	}
	waiting := map[string][]byte{}
	err := eachLate(tx, func(bucket, key, value []byte) error {
		if bytes.Equal(bucket, bFacts) {
			waiting[string(key)] = value
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = tx.Bucket(bFacts).ForEach(func(k, v []byte) error {
		if newer, ok := waiting[string(k)]; ok {
			v = newer
			delete(waiting, string(k))
		}
		return read(k, v)
	})
	for _, k := range slices.Sorted(maps.Keys(waiting)) {
		if err == nil {
			err = read([]byte(k), waiting[k])
		}
	}
	return err
}

// Response is the raw response of a request, as received, known secrets already removed.
type Response struct {
	N   int
	Raw []byte
}

func (s *Session) putResponse(tx *bolt.Tx, r *Response, late bool) error {
	return s.put(tx, bResponses, key(r.N), s.codec.pack(r.Raw), late)
}

// Response gives the raw response of a request; ErrNotFound when none was stored.
func (s *Session) Response(n int) (raw []byte, err error) {
	defer guard(&err)
	err = s.db.View(func(tx *bolt.Tx) error {
		v := lookup(tx, bResponses, key(n))
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
