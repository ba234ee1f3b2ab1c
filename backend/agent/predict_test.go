package agent

import (
	"testing"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// prefixOf predicts the bytes that two requests in a row have in common.
type prefixOf struct{ last *wire.Body }

func (p *prefixOf) Predict(r *verdict.Request) *Prediction {
	n := 0
	if p.last != nil {
		for n < len(r.Body.Raw) && n < len(p.last.Raw) && r.Body.Raw[n] == p.last.Raw[n] {
			n++
		}
	}
	p.last = r.Body
	return &Prediction{Class: "bytes", Reused: n, Total: len(r.Body.Raw)}
}

func TestTheFirstRequestAfterResumeIsPredictedFromTheOnesBefore(t *testing.T) {
	r := newRig(t, Options{Predictor: &prefixOf{}})
	r.model.replies = []reply{{text: "One."}, {text: "Two."}, {text: "Three."}}
	r.must("first")
	r.o.Predictor = &prefixOf{}
	r.reopen()
	r.must("second")
	r.must("third")
	list := r.records()
	for i, want := range []int{0, len(r.model.bodies[0]) - len("]}"), len(r.model.bodies[1]) - len("]}")} {
		if p := list[i].Predicted; p == nil || p.Reused != want {
			t.Errorf("request %d: %+v, not %d", i+1, p, want)
		}
	}
}
