package service

import (
	"encoding/json"
	"os"
	"testing"

	"zimoscope/app/api"
)

// calm is the row that the cases change; the front end's tests have the same one.
const calm = `{"n": 1, "kind": "main", "verdict": "extended", "planned": true, "staged": false, "proof": "proved", "status": "done", "sentAt": 1, "millis": 10, "attempts": 1,
	"tools": [], "bytes": 100, "prefix": 50, "equal": 20, "new": 20, "tail": 10, "lost": 0, "usage": {"reported": true, "prompt": 30, "cached": 10, "cachedSaid": true, "completion": 5},
	"predicted": {"class": "token", "reused": 20, "total": 30, "exact": true}, "violations": [], "error": ""}`

func TestTheSearchSpeaksTheFilterLanguageOfTheTimeline(t *testing.T) {
	text, err := os.ReadFile("testdata/filter.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Filter string
		Row    json.RawMessage
		Turn   int
		Holds  bool
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 40 {
		t.Fatalf("%v, %d cases", err, len(cases))
	}
	for _, c := range cases {
		var row api.RequestRow
		for _, raw := range []string{calm, string(c.Row)} {
			if err := json.Unmarshal([]byte(raw), &row); err != nil {
				t.Fatal(err)
			}
		}
		w := searcher{q: parseQuery(c.Filter)}
		if _, ok := w.fits(row, c.Turn, nil); ok != c.Holds {
			t.Errorf("%q on %s: %v", c.Filter, c.Row, ok)
		}
	}
}
