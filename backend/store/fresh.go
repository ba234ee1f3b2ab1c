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
		own := r.own()
		if len(own) == 0 && r.base == 0 {
			own = []ref{{kind: piecePart, a: int32(r.head)}}
		}
		read, size := s.reader(tx), int64(0)
		for _, piece := range own {
			if !next.take(after, piece) {
				continue
			}
			m, err := read.read(piece)
			if err != nil {
				return err
			}
			if size += int64(len(m)); size > s.maxBody {
				return fmt.Errorf("%w (request %d is larger than %d MiB)", ErrDamaged, next.Request, s.maxBody>>20)
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
		m.Part = max(m.Part, int(piece.a))
		return int(piece.a) > since.Part
	}
	event := int(max(piece.a, piece.b))
	m.Event = max(m.Event, event)
	return event > since.Event
}
