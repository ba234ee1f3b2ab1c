package service

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"zimoscope/app/api"
)

// FuzzAnyFilterIsRead: whatever a person types, a filter is read and asked; another term only narrows it, and its
// order does not matter.
func FuzzAnyFilterIsRead(f *testing.F) {
	text, err := os.ReadFile("testdata/filter.json")
	if err != nil {
		f.Fatal(err)
	}
	var cases []struct{ Filter string }
	if err := json.Unmarshal(text, &cases); err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		f.Add(c.Filter, "tokens:>1k")
	}
	f.Add(`"`, `-"`)
	f.Add("-", "(?i)[")
	f.Add("text:\xff", "\xc3\x28")
	f.Add("bytes:..", "turn:1..9999999999999999999999999")
	var row api.RequestRow
	if err := json.Unmarshal([]byte(calm), &row); err != nil {
		f.Fatal(err)
	}
	holds := func(filter string) bool {
		_, ok := (&searcher{q: parseQuery(filter)}).fits(row, 1, nil)
		return ok
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		holds(a)
		holds(b)
		if strings.Count(a, `"`)%2 != 0 || strings.Count(b, `"`)%2 != 0 {
			return // an open quote takes in what follows
		}
		both, turned := holds(a+" "+b), holds(b+" "+a)
		if both != (holds(a) && holds(b)) || both != turned {
			t.Fatalf("%q holds: %v, %q: %v, both: %v, turned: %v", a, holds(a), b, holds(b), both, turned)
		}
	})
}
