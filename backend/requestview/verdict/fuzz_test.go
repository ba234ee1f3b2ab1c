package verdict

import (
	"testing"

	"zimoscope/backend/requestview/wire"
)

// FuzzAnyTwoBodiesAreCompared: whatever two bodies are and wherever their tails are claimed to start, a comparison ends,
// names places that exist, and a body is no violation of itself.
func FuzzAnyTwoBodiesAreCompared(f *testing.F) {
	d := before()
	prev, next := d.request(f), after().request(f)
	f.Add(prev.Body.Raw, next.Body.Raw, prev.Meta.TailOffset, next.Meta.TailOffset, 1)
	f.Add(prev.Body.Raw, prev.Body.Raw, prev.Meta.TailOffset, prev.Meta.TailOffset, 0)
	for _, s := range []string{
		`{"messages":[]}`, `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a <zimoos>"}]}]}`, `{"messages":[null,1,"x",[]]}`,
		`{"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":""}]}`,
		`{"input":"text","instructions":"i","previous_response_id":"r"}`, `{"tools":[{}],"messages":[{"role":"tool","content":"Action: x\nOutcome: ok"}]}`,
	} {
		f.Add(prev.Body.Raw, []byte(s), prev.Meta.TailOffset, len(s)-3, 2)
		f.Add([]byte(s), []byte(s), -1, 5, 3)
	}
	f.Fuzz(func(t *testing.T, a, b []byte, tailA, tailB, kind int) {
		prev, ok := requestOf(a, tailA, kind&1 == 0)
		if !ok {
			t.Skip("no request")
		}
		next, ok := requestOf(b, tailB, kind&2 == 0)
		if !ok {
			t.Skip("no request")
		}
		placed(t, Compare(prev, next), prev, next)
		for _, r := range []*Request{prev, next} {
			if v := Compare(r, r); CheckTail(r) == nil && v.HistoryLost != 0 {
				t.Fatalf("%d bytes of a request's history are not in itself", v.HistoryLost)
			}
			reasoned(t, r)
		}
		for _, p := range Diff(prev, next).Parts {
			for _, h := range p.Text.Hunks {
				if len(h.Lines) == 0 {
					t.Fatalf("a hunk without lines: %+v", h)
				}
			}
		}
	})
}

func requestOf(raw []byte, tail int, foreign bool) (*Request, bool) {
	body, err := wire.Scan(raw)
	if err != nil {
		return nil, false
	}
	r := &Request{Body: body, Number: 1}
	if !foreign {
		r.Meta = &Meta{Thread: "t", Kind: KindMain, TailOffset: max(-1, min(tail, len(raw)+1))}
	}
	return r, true
}

// reasoned runs every redline on a request alone.
func reasoned(t *testing.T, r *Request) {
	t.Helper()
	for _, l := range NewChecker().Add(r).Redlines {
		if l.ID == "" || l.OK != nil && !*l.OK && l.Detail == "" {
			t.Fatalf("a redline without a reason: %+v", l)
		}
	}
}

// placed says that every place of a verdict is one.
func placed(t *testing.T, v Verdict, prev, next *Request) {
	t.Helper()
	if v.HistoryLost < 0 || v.HistoryLost > len(prev.Body.Raw) {
		t.Fatalf("%d bytes of %d are lost", v.HistoryLost, len(prev.Body.Raw))
	}
	places := []Place{v.Place}
	for _, c := range v.Causes {
		places = append(places, c.Place)
		if rank(c.Kind) < rank(v.Verdict) {
			t.Fatalf("%s is worse than the verdict %s", c.Kind, v.Verdict)
		}
		if c.Detail == "" {
			t.Fatalf("a cause without a reason: %+v", c)
		}
	}
	for _, p := range places {
		if p.Part == nil {
			continue
		}
		if p.BodyOffset < -1 || p.BodyOffset > len(next.Body.Raw) || p.PartOffset < -1 {
			t.Fatalf("%+v in a body of %d bytes", p, len(next.Body.Raw))
		}
		most := max(prev.Body.Region(p.Part.Kind).Len(), next.Body.Region(p.Part.Kind).Len())
		if p.Part.Index < 0 || p.Part.Index > most {
			t.Fatalf("part %+v of %d", *p.Part, most)
		}
	}
}
