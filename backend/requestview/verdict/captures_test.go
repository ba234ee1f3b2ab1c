package verdict

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"zimoscope/backend/requestview/wire"
)

const recorded = "../../../../shared/captures"

func load(t *testing.T, folder string) []*Request {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(recorded, folder, "req-*.body.json"))
	var out []*Request
	for i, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := wire.Scan(raw)
		if err != nil {
			t.Fatal(f, err)
		}
		out = append(out, &Request{Body: b, Name: f, Number: i + 1})
	}
	return out
}

// What an independent implementation found in recorded traffic; skipped where that folder is not beside the tree.
func TestRecordedTrafficIsLocatedAsExpected(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(recorded, "expected.json"))
	if err != nil {
		t.Skip("no recorded traffic beside this tree: nothing to compare with")
	}
	var want map[string]struct {
		Pairs []struct {
			From, To    int
			Part        *PartRef
			PartOffset  int  `json:"part_offset"`
			BodyOffset  int  `json:"body_offset"`
			HistoryLost int  `json:"history_lost"`
			RestEqual   bool `json:"rest_equal"`
		}
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for folder, w := range want {
		reqs := load(t, folder)
		for _, p := range w.Pairs {
			v := Compare(reqs[p.From], reqs[p.To])
			if v.Part == nil || *v.Part != *p.Part || v.PartOffset != p.PartOffset || v.BodyOffset != p.BodyOffset {
				t.Errorf("%s %d→%d: %+v, want %+v", folder, p.From, p.To, v.Place, p)
			}
			if v.HistoryLost != p.HistoryLost {
				t.Errorf("%s %d→%d: lost %d, want %d", folder, p.From, p.To, v.HistoryLost, p.HistoryLost)
			}
			if v.Has(RestChanged) == p.RestEqual {
				t.Errorf("%s %d→%d: rest %v", folder, p.From, p.To, v.Causes)
			}
		}
	}
}

func TestEveryRecordedPairIsRewritten(t *testing.T) {
	folders, _ := filepath.Glob(filepath.Join(recorded, "s*"))
	if len(folders) == 0 {
		t.Skip("no recorded traffic beside this tree: nothing to compare with")
	}
	for _, f := range folders {
		reqs := load(t, filepath.Base(f))
		for i := 1; i < len(reqs); i++ {
			v := Compare(reqs[i-1], reqs[i])
			if v.Verdict != Rewritten || v.Planned != nil {
				t.Errorf("%s %d→%d: %s, %+v", f, i-1, i, v.Verdict, v.Causes)
			}
			if testing.Verbose() && i == len(reqs)-1 {
				out, _ := json.MarshalIndent(v, "", " ")
				t.Logf("%s %d: %s", f, i, out)
			}
		}
	}
}
