package store

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestFactsReadAsTheStandardLibraryReadsThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Facts{Verdict: rapid.String().Draw(t, "verdict"), Violation: rapid.Bool().Draw(t, "violation")}
		if rapid.Bool().Draw(t, "detail") {
			raw, err := json.Marshal(map[string]any{"v": rapid.String().Draw(t, "inner"), "x": []int{1}, "d": nil})
			must(t, err)
			f.Detail = raw
		}
		raw, err := f.encode()
		must(t, err)
		var want Facts
		must(t, json.Unmarshal(raw, &want))
		got, err := decodeFacts(raw)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s reads as %+v (%v), not %+v", raw, got, err, want)
		}
		for cut := range raw {
			if got, err := decodeFacts(raw[:cut]); err == nil {
				t.Fatalf("%s reads as %+v", raw[:cut], got)
			}
		}
		if got, err := decodeFacts(append(raw, '}')); err == nil {
			t.Fatalf("%s} reads as %+v", raw, got)
		}
	})
}
