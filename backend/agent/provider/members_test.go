package provider

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// TestSplittingAgreesWithTheJSONDecoder compares the scanner with the decoder
// on any object.
func TestSplittingAgreesWithTheJSONDecoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOf(rapid.String(), anyValue(3)).Draw(t, "object")
		indent := rapid.SampledFrom([]string{"", " ", "\r\n\t"}).Draw(t, "indent")
		raw, err := json.MarshalIndent(object, indent, indent)
		if err != nil {
			t.Fatal(err)
		}
		if indent == "" {
			raw, _ = json.Marshal(object)
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got := membersOf(raw)
		if len(got) != len(want) {
			t.Fatalf("%d members, want %d in %s", len(got), len(want), raw)
		}
		for _, m := range got {
			if string(want[m.key]) != string(m.raw) {
				t.Fatalf("%q: %q, want %q", m.key, m.raw, want[m.key])
			}
			if string(m.raw) != "null" && m.raw[0] == '[' {
				var list []json.RawMessage
				_ = json.Unmarshal(m.raw, &list)
				if len(list) != len(elementsOf(m.raw)) {
					t.Fatalf("%d elements in %s", len(elementsOf(m.raw)), m.raw)
				}
			}
		}
	})
}

func anyValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kinds := 6
		if depth == 0 {
			kinds = 4
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return rapid.String().Draw(t, "s")
		case 1:
			return rapid.Float64Range(-1e9, 1e9).Draw(t, "n")
		case 2:
			return rapid.Bool().Draw(t, "b")
		case 3:
			return nil
		case 4:
			return rapid.SliceOfN(anyValue(depth-1), 0, 4).Draw(t, "list")
		}
		return rapid.MapOfN(rapid.String(), anyValue(depth-1), 0, 4).Draw(t, "object")
	})
}
