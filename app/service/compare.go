package service

import (
	"errors"
	"fmt"

	"zimoscope/app/api"
	"zimoscope/app/stored"
	"zimoscope/backend/agent"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/store"
)

// States of a pair.
const (
	pairSame     = "same"
	pairDiffers  = "differs"
	pairBaseOnly = "base-only"
	pairNextOnly = "next-only"
)

var errSameSession = errors.New("these are one and the same session: choose another one to compare it with")

// CompareSessions implements api.Service. Requests stand beside each other by turn and place in it; leaves and what is
// not compared are left out.
func (s *Service) CompareSessions(base, next string) (api.SessionsDiff, error) {
	if base == next {
		return api.SessionsDiff{}, errSameSession
	}
	a, err := s.side(base)
	if err != nil {
		return api.SessionsDiff{}, err
	}
	b, err := s.side(next)
	if err != nil {
		return api.SessionsDiff{}, err
	}
	out := api.SessionsDiff{Base: a.figures, Next: b.figures, Pairs: pair(a.recs, b.recs), First: -1, Where: verdictView(verdict.Verdict{})}
	for i, p := range out.Pairs {
		if p.State == pairSame {
			out.Same++
		} else if out.First < 0 {
			out.First = i
		}
	}
	if out.First >= 0 && out.Pairs[out.First].State == pairDiffers {
		p := out.Pairs[out.First]
		d, err := s.Diff(api.RequestRef{Session: base, N: p.Base.N}, api.RequestRef{Session: next, N: p.Next.N})
		if err != nil {
			return api.SessionsDiff{}, err
		}
		out.Where = d.Verdict
	}
	return out, nil
}

// side is one of two sessions.
type side struct {
	recs    []*agent.Record
	figures api.SideFigures
}

func (s *Service) side(id string) (out side, err error) {
	err = s.onStored(id, func(sess *store.Session) error {
		recs, err := stored.Records(sess)
		if err != nil {
			return err
		}
		var total sums
		for _, r := range recs {
			total.add(line{rec: r, row: rowOf(r)}, 1)
			if r.Meta.Kind != verdict.KindSide && r.Meta.Kind != record.KindOther {
				out.recs = append(out.recs, r)
			}
		}
		out.figures = api.SideFigures{Session: id, Name: sess.Info().Name, Figures: total.figures()}
		out.figures.Figures.StoreBytes = sess.Summary().Bytes
		return nil
	})
	if err != nil {
		err = fmt.Errorf("session %s can't be read: %w", id, err)
	}
	return out, err
}

// pair puts the requests of each turn beside each other, in their order.
func pair(a, b []*agent.Record) []api.Pair {
	out := []api.Pair{}
	for len(a) > 0 || len(b) > 0 {
		var x, y *agent.Record
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Turn < b[0].Turn:
			x, a = a[0], a[1:]
		case len(a) == 0 || b[0].Turn < a[0].Turn:
			y, b = b[0], b[1:]
		default:
			x, y, a, b = a[0], b[0], a[1:], b[1:]
		}
		out = append(out, pairOf(x, y))
	}
	return out
}

func pairOf(x, y *agent.Record) api.Pair {
	p := api.Pair{}
	if x != nil {
		row := rowOf(x)
		p.Base, p.Turn, p.State = &row, x.Turn, pairBaseOnly
	}
	if y != nil {
		row := rowOf(y)
		p.Next, p.Turn, p.State = &row, y.Turn, pairNextOnly
	}
	if x != nil && y != nil {
		if p.State = pairDiffers; x.Meta.BodySHA256 == y.Meta.BodySHA256 {
			p.State = pairSame
		}
	}
	return p
}
