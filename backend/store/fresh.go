package store

import (
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// Mark is how far a reading of a session has come: the last request read, and the highest numbers of events and parts
// that the requests up to there hold. The zero Mark is the start.
type Mark struct {
	Request int `json:"request"`
	Event   int `json:"event"`
	Part    int `json:"part"`
}

// Fresh gives what the request after a mark holds and no request before it did: messages as JSON, a record that was
// sealed meanwhile whole, and for a body without messages all of it. next is the mark to go on from. ErrNotFound: there is
// no such request. Events and parts are numbered as they come, so what is new has a higher number than all before:
// nothing is compared.
func (s *Session) Fresh(after Mark) (messages [][]byte, next Mark, err error) {
	defer guard(&err)
	next = after
	next.Request++
	err = s.db.View(func(tx *bolt.Tx) error {
		r, err := s.readRecipe(tx, next.Request)
		if err != nil {
			return err
		}
		own, err := r.own()
		if err != nil {
			return err
		}
		if len(own) == 0 && r.base == 0 {
			own = []ref{{kind: piecePart, a: r.head}}
		}
		for _, piece := range own {
			if !next.take(after, piece) {
				continue
			}
			m, err := s.read(tx, piece)
			if err != nil {
				return err
			}
			messages = append(messages, m)
		}
		next.Part = max(next.Part, r.head, r.end)
		return nil
	})
	return messages, next, err
}

// take says whether a piece is new since a mark, and moves this one on.
func (m *Mark) take(since Mark, piece ref) bool {
	if piece.kind == piecePart {
		m.Part = max(m.Part, piece.a)
		return piece.a > since.Part
	}
	m.Event = max(m.Event, piece.a, piece.b)
	return piece.a > since.Event || piece.b > since.Event
}

// own gives the pieces that a recipe doesn't copy from its base.
func (r recipe) own() ([]ref, error) {
	d := decoder{b: r.pieces}
	var out []ref
	for len(d.b) > 0 && !d.bad {
		kind := int(d.b[0])
		d.b = d.b[1:]
		switch kind {
		case pieceCopy:
			d.next()
			d.next()
		case pieceSealed:
			out = append(out, ref{kind: kind, a: d.next(), b: d.next()})
		case pieceEvent, piecePart:
			out = append(out, ref{kind: kind, a: d.next()})
		case pieceGap:
			d.next()
		default:
			d.bad = true
		}
	}
	if d.bad {
		return nil, fmt.Errorf("%w (a recipe can't be read)", ErrDamaged)
	}
	return out, nil
}
