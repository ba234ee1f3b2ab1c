package lab

import (
	"bytes"
	"slices"

	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// draft is one request as a strategy would send it.
type draft struct {
	model    int32
	tools    []int32
	system   []int32
	messages []int32
	marks    []mark // as they were sent
	after    []int  // behind which messages marks are put, counted from 0; -1: behind the head
	explicit bool   // no mark stands that is not named here
}

// prompt is the draft as a cache sees it.
func (r *recording) prompt(d *draft, at int64) cachemodel.Prompt {
	p := cachemodel.Prompt{At: at, Explicit: d.explicit, Pieces: make([]int32, 0, 2+len(d.tools)+len(d.system)+len(d.messages))}
	p.Pieces = append(p.Pieces, r.list[d.model].pieces...)
	sent := d.marks
	add := func(k wire.Kind, ids []int32, from int) {
		for i, id := range ids {
			for len(sent) > 0 && sent[0].kind == k && sent[0].part == from+i {
				p.Marks = append(p.Marks, len(p.Pieces)+min(sent[0].piece+1, len(r.list[id].pieces)))
				sent = sent[1:]
			}
			p.Pieces = append(p.Pieces, r.list[id].pieces...)
		}
	}
	add(wire.KindTool, d.tools, 0)
	first := 0
	if len(d.system) > 0 {
		add(r.list[d.system[0]].kind, d.system, 0)
		if r.list[d.system[0]].kind == wire.KindMessage {
			first = len(d.system)
		}
	}
	p.Head = len(p.Pieces)
	if len(d.after) == 0 {
		add(wire.KindMessage, d.messages, first)
		return p
	}
	for i := -1; i < len(d.messages); i++ {
		if i >= 0 {
			p.Pieces = append(p.Pieces, r.list[d.messages[i]].pieces...)
		}
		if slices.Contains(d.after, i) {
			p.Marks = append(p.Marks, len(p.Pieces))
		}
	}
	return p
}

// body writes the draft as a body: the parts between which the recorded request stood, with these parts in them.
func (r *recording) body(d *draft, s *step) (*wire.Body, error) {
	messages := d.messages
	if len(d.system) > 0 && r.list[d.system[0]].kind == wire.KindMessage {
		messages = slices.Concat(d.system, d.messages)
	}
	var b bytes.Buffer
	for i, literal := range s.skeleton.between {
		b.Write(literal)
		if i == len(s.skeleton.regions) {
			break
		}
		list := messages
		switch s.skeleton.regions[i] {
		case wire.KindTool:
			list = d.tools
		case wire.KindSystem:
			list = d.system
		}
		for n, id := range list {
			if n > 0 {
				b.WriteByte(',')
			}
			b.Write(r.text(id))
		}
	}
	return wire.Scan(b.Bytes())
}

// Rebuild gives the bodies that a strategy would have sent in place of the recorded ones. It is a pure function. Cache
// marks are no content and are left out; where they would stand belongs to the strategy's simulation. The error names a
// request that can't be rebuilt.
func Rebuild(strategy string, requests []*verdict.Request) ([]*wire.Body, error) {
	s, err := strategyNamed(strategy)
	if err != nil {
		return nil, err
	}
	r := newRecording(cachemodel.O200k())
	for _, q := range requests {
		r.take(q, Request{})
	}
	if err := r.pieces.Count(noWait, nil); err != nil {
		return nil, err
	}
	next := s.start(r)
	out := make([]*wire.Body, len(requests))
	for i := range requests {
		d := next(i)
		if out[i], err = r.body(&d, &r.steps[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
