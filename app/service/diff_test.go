package service

import (
	"testing"

	"zimoscope/app/api"
	"zimoscope/backend/requestview/verdict"
)

// A diff comes with its request when it is quickly made, and waits to be asked for else.
func TestOnlyALittleDiffComesWithItsRequest(t *testing.T) {
	row := func(bytes, same, lost int, v verdict.Kind) api.RequestRow {
		return api.RequestRow{Bytes: bytes, Prefix: same / 2, Equal: same - same/2, Lost: lost, Verdict: string(v)}
	}
	for name, c := range map[string]struct {
		row  api.RequestRow
		want bool
	}{
		"a step":            {row(10<<20, 10<<20-1000, 10, verdict.Extended), true},
		"much is new":       {row(littleDiff+2, 1, 0, verdict.Extended), false},
		"as much as may be": {row(littleDiff+1, 1, 0, verdict.Extended), true},
		"much is gone":      {row(1000, 900, littleDiff, verdict.Windowed), false},
		"not judged":        {row(1000, 900, 0, ""), false},
		"a leak":            {row(1000, 900, 0, verdict.Leaked), false},
	} {
		if got := differsLittle(c.row); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
