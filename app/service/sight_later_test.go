package service

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"zimoscope/app/api"
	"zimoscope/app/predict"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
)

// A report that tells another kind of cache changes the rows of its sender that were predicted before it came; those of
// another sender stand.
func TestAReportThatTellsTheKindOfCacheChangesTheRowsBeforeIt(t *testing.T) {
	reused := make([]int, len(cachemodel.AllClasses()))
	for c := range reused {
		reused[c] = 10 * (c + 1)
	}
	l := newLedger(nil, nil, newSight(nil))
	from := func(n int, host, usage string) *record.Record {
		return &record.Record{N: n, Usage: []byte(usage), Foreign: &record.Foreign{Dialect: "chat", URL: "http://" + host + "/v1/chat/completions"}}
	}
	for n, host := range []string{"10.0.0.9", "10.0.0.8"} {
		l.enter(from(n+1, host, ""))
		l.foretell(predict.Forecast{Model: "m", Total: 1000, Reused: reused})
	}
	rev := l.rev
	l.enter(from(3, "10.0.0.9", `{"prompt_tokens":3,"prompt_cache_hit_tokens":1}`))
	kinds := func(n int) string { return l.lines[n-1].row.Predicted.Class }
	if kinds(1) != cachemodel.NameDeepSeek || kinds(2) != cachemodel.Token().Name {
		t.Errorf("%s and %s", kinds(1), kinds(2))
	}
	if l.lines[0].rev <= rev || l.lines[1].rev > rev {
		t.Errorf("told of at %d and %d, behind %d", l.lines[0].rev, l.lines[1].rev, rev)
	}
	if got := l.sums.figures(); got != counted(&l) {
		t.Errorf("%+v, summed up anew %+v", got, counted(&l))
	}
}

// What was predicted when a session was open before is gone through once more when a request comes behind it, and stands.
func TestARecordingThatGoesOnIsPredictedFromWhatWasThere(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"id":"x","usage":{"prompt_tokens":9}}`)
	}))
	defer provider.Close()
	d := newDesk(t)
	var id string
	record := func(rows int, bodies ...string) api.Timeline {
		info, err := d.s.StartProxy(api.NewProxy{Upstream: provider.URL + "/v1", Name: "goes on"})
		if err != nil {
			t.Fatal(err)
		}
		if id != "" && info.ID != id {
			t.Fatalf("another session %s, not %s", info.ID, id)
		}
		id = info.ID
		snap, _ := d.s.Snapshot()
		for i, body := range bodies {
			d.post(snap.State.Proxy.Address+"/v1/chat/completions", body)
			d.predicted(rows - len(bodies) + i + 1)
		}
		if err := d.s.StopProxy(); err != nil {
			t.Fatal(err)
		}
		return d.predicted(rows)
	}
	before := record(2, chatFirst, chatSecond)
	d.imported("between.jsonl", claudeFirst+"\n")
	after := record(4, chatFirst, chatSecond)
	for i, row := range before.Rows {
		if row.Predicted == nil || after.Rows[i].Predicted == nil || *row.Predicted != *after.Rows[i].Predicted {
			t.Errorf("request %d: %+v, then %+v", i+1, row.Predicted, after.Rows[i].Predicted)
		}
	}
	d.agreesWithLab(id, after)
}
