package verdict

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"zimoscope/backend/requestview/wire"
)

func TestContextOfAKnownVerdictIsThatOfTheComparison(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prev := randomDraft(t).request(t)
		raw := bytes.Clone(prev.Body.Raw)
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			raw[rapid.IntRange(1, len(raw)-2).Draw(t, "byte")] = rapid.SampledFrom([]byte("aZ7 x0")).Draw(t, "with")
		}
		if rapid.Bool().Draw(t, "a parameter") {
			raw = append([]byte(`{"seed":7,`), raw[1:]...)
		}
		body, err := wire.Scan(raw)
		if err != nil {
			t.Skip("not another request")
		}
		next := &Request{Body: body, Name: "next"}
		v := Compare(prev, next)
		if got := ContextOf(v.Verdict, prev, next); v.Verdict != Leaked && !reflect.DeepEqual(got, v.Context) {
			t.Fatalf("%s: %+v, not %+v", v.Verdict, got, v.Context)
		}
	})
}
