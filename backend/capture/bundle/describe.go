package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"zimoscope/backend/record"
	"zimoscope/backend/requestview/wire"
)

// describe lists the chain of a body. claimed are hashes of parts whose bytes are no longer there.
func describe(b *wire.Body, claimed []record.ClaimedPart) (parts []Part, last wire.Hash) {
	was := map[Part]wire.Hash{}
	for _, c := range claimed {
		was[Part{Kind: c.Kind, Index: c.Index}] = c.Leaf
	}
	full := b.WithLeaves(func(k wire.Kind, i int) (wire.Hash, bool) {
		h, ok := was[Part{Kind: k, Index: i}]
		return h, ok
	})
	add := func(k wire.Kind, i int, p wire.Part) {
		_, isClaimed := was[Part{Kind: k, Index: i}]
		from, to := full.Range(k, i)
		parts = append(parts, Part{Kind: k, Index: i, SHA256: p.Leaf, Link: p.Link, Start: from, End: to, Claimed: isClaimed})
	}
	add(wire.KindModel, 0, full.Model)
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem, wire.KindMessage} {
		for i := range full.Region(k).Len() {
			add(k, i, full.Region(k).Part(i))
		}
	}
	return parts, full.Last()
}

// paramsOf gives the members beside the chain, for reading.
func paramsOf(b *wire.Body) json.RawMessage {
	out := []byte{'{'}
	_ = wire.Members(b.Raw, func(m wire.Member) error {
		switch m.Name {
		case "model", "tools", "messages", "system", "instructions", "input":
			return nil
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(wire.AppendQuoted(out, m.Name), ':')
		out = append(out, b.Raw[m.Start:m.End]...)
		return nil
	})
	return append(out, '}')
}

// RequestOf describes one stored body.
func RequestOf(rec *record.Record, raw []byte) Request {
	q := Request{N: rec.N, SHA256: sha256.Sum256(raw), Kind: rec.Meta.Kind, Thread: rec.Meta.Thread, Follows: rec.Meta.Predecessor,
		Verdict: string(rec.Verdict.Verdict), SentAt: rec.SentAt, Millis: rec.Millis, Dialect: "chat", Model: json.RawMessage("null"), Params: json.RawMessage("{}"), Parts: []Part{}}
	var claimed []record.ClaimedPart
	if f := rec.Foreign; f != nil {
		q.Dialect, q.Status, q.URL, claimed = f.Dialect, f.HTTP, f.URL, f.Claimed
	}
	if rec.Foreign == nil || rec.Foreign.Told {
		meta := rec.Meta
		meta.BodySHA256 = q.SHA256
		q.Meta = &meta
	}
	if sent := rec.Meta.BodySHA256; sent != q.SHA256 && sent != (wire.Hash{}) {
		q.Sent = &sent
	}
	if rec.Meta.Kind == record.KindOther {
		return q
	}
	b, err := wire.Scan(raw)
	if err != nil {
		return q
	}
	q.Parts, q.Link = describe(b, claimed)
	q.Rest, q.Params = b.Rest, paramsOf(b)
	for _, c := range claimed {
		if c.Kind == wire.KindRest {
			q.Rest, q.RestHeld = c.Leaf, true
		}
	}
	if m := b.Bytes(wire.KindModel, 0); len(m) > 0 {
		q.Model = bytes.Clone(m)
	}
	return q
}
