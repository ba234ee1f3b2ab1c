package service

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"zimoscope/app/api"
	"zimoscope/app/predict"
	"zimoscope/app/stored"
	"zimoscope/backend/lab"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/store"
)

// predicted waits until every request of the open session is predicted, or it is said why not.
func (d *desk) predicted(rows int) api.Timeline {
	d.t.Helper()
	var tl api.Timeline
	d.until("the predictions", func(api.Snapshot) bool {
		var err error
		if tl, err = d.s.Timeline(""); err != nil || len(tl.Rows) != rows {
			return false
		}
		for _, r := range tl.Rows {
			if r.Unpredicted == counting {
				return false
			}
		}
		return true
	})
	return tl
}

// inLab is what the cache lab says of a session.
func (d *desk) inLab(id string) *lab.Result {
	d.t.Helper()
	var got *lab.Result
	err := d.s.onStored(id, func(sess *store.Session) error {
		recs, err := stored.Records(sess)
		if err == nil {
			got, err = lab.Run(context.Background(), stored.Lab(sess, recs), lab.Options{Strategies: []string{lab.AsRecorded}})
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return got
}

// agreesWithLab holds every request's predictions, and the class that its row shows, to the lab's.
func (d *desk) agreesWithLab(id string, tl api.Timeline) {
	d.t.Helper()
	for _, want := range d.inLab(id).Requests {
		v := d.view(want.N)
		if row := tl.Rows[want.N-1]; (row.Predicted == nil) != want.Elsewhere || row.Predicted != nil && row.Predicted.Reused != want.Predicted[row.Predicted.Class] {
			d.t.Errorf("request %d: row %+v %q, lab %+v", want.N, row.Predicted, row.Unpredicted, want)
		}
		if len(v.Predictions) != len(want.Predicted) || v.Row.Unpredicted != tl.Rows[want.N-1].Unpredicted {
			d.t.Errorf("request %d: %+v, lab %+v", want.N, v.Predictions, want.Predicted)
		}
		for _, p := range v.Predictions {
			if p.Reused != want.Predicted[p.Class] || p.Total != want.Prompt {
				d.t.Errorf("request %d, %s: %d of %d, lab %d of %d", want.N, p.Class, p.Reused, p.Total, want.Predicted[p.Class], want.Prompt)
			}
		}
	}
}

func TestAnImportedSessionIsPredictedAsTheLabSays(t *testing.T) {
	d := newDesk(t)
	id := d.imported("trace.har", harOf(t)).Session
	tl := d.predicted(6)
	d.agreesWithLab(id, tl)
	for n, want := range map[int]string{1: "minimum+step", 3: "minimum+step", 5: cachemodel.NameAnthropic} {
		if p := tl.Rows[n-1].Predicted; p == nil || p.Class != want || p.Exact != (want == "minimum+step") {
			t.Errorf("request %d: %+v, want %s", n, p, want)
		}
	}
	if tl.Figures.PredictedTotal == 0 || tl.Figures.PredictedExact {
		t.Errorf("%+v", tl.Figures)
	}
	if p := d.view(2).Predictions; p[0].Class != "token" || p[0].Reused == 0 {
		t.Errorf("%+v", p)
	}
}

// A session of our own that goes through a file is predicted as it was when it was played.
func TestAnImportOfOurOwnSessionIsPredictedAsWhenItWasSent(t *testing.T) {
	d := newDesk(t)
	own := d.demo()
	d.until("the demo's end", idle)
	before, err := d.s.Timeline(own)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.s.Export(context.Background(), api.ExportOrder{Session: own, Format: "proof"}); err != nil {
		t.Fatal(err)
	}
	j := d.job()
	file, done, err := d.s.Fetch(strings.Split(j.Download, "/")[2])
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := io.ReadAll(file)
	done()
	if err != nil {
		t.Fatal(err)
	}
	var bodies strings.Builder
	for _, r := range before.Rows {
		var raw []byte
		if err := d.s.onStored(own, func(s *store.Session) (err error) { raw, err = s.Body(r.N); return err }); err != nil {
			t.Fatal(err)
		}
		bodies.Write(append(raw, '\n'))
	}
	dir := t.TempDir()
	z, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
	if err == nil {
		err = os.CopyFS(dir, z)
	}
	paths, err2 := filepath.Glob(filepath.Join(dir, "*", "manifest.json"))
	here, err3 := filepath.Glob(filepath.Join(dir, "manifest.json"))
	if err := errors.Join(err, err2, err3, os.WriteFile(filepath.Join(dir, "own.jsonl"), []byte(bodies.String()), 0o600)); err != nil {
		t.Fatal(err)
	}
	if paths = append(paths, here...); len(paths) != 1 {
		t.Fatalf("manifests of one bundle: %v", paths)
	}
	for _, path := range append(paths, filepath.Join(dir, "own.jsonl")) {
		name := filepath.Base(path)
		if err := d.s.OpenFiles([]string{path}); err != nil {
			t.Fatal(err)
		}
		j := d.job()
		if !j.Opened {
			t.Fatalf("%s: %+v", name, j)
		}
		id, tl := j.Session, d.predicted(len(before.Rows))
		d.agreesWithLab(id, tl)
		for i, row := range before.Rows {
			was := row.Predicted
			if was == nil {
				t.Fatalf("request %d of our own is not predicted", row.N)
			}
			for _, p := range d.view(i + 1).Predictions {
				if p.Class == was.Class && (p.Reused != was.Reused || p.Total != was.Total) {
					t.Errorf("%s, request %d: %+v, when it was sent %+v", name, i+1, p, was)
				}
			}
		}
	}
}

func TestWhatAProxyRecordsIsPredictedAsItComes(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"id":"resp_1","usage":{"prompt_tokens":9}}`)
	}))
	defer provider.Close()
	d := newDesk(t)
	info, err := d.s.StartProxy(api.NewProxy{Upstream: provider.URL + "/v1", Name: "watched"})
	if err != nil {
		t.Fatal(err)
	}
	snap, _ := d.s.Snapshot()
	send := func(path, body string) { d.post(snap.State.Proxy.Address+path, body) }
	send("/v1/chat/completions", chatFirst)
	d.predicted(1)
	send("/v1/chat/completions", chatSecond)
	d.predicted(2)
	send("/v1/chat/completions", chatSecond)
	d.predicted(3) // what passes side by side may be recorded in any order
	send("/v1/embeddings", `{"input":"x"}`)
	d.predicted(4)
	send("/v1/responses", strings.TrimSuffix(responsesSecond, "}")+`,"previous_response_id":"resp_1"}`)
	tl := d.predicted(5)
	if a, b := tl.Rows[1], tl.Rows[2]; b.Kind != "retry" || a.Predicted == nil || b.Predicted == nil || a.Predicted.Reused == 0 || *a.Predicted != *b.Predicted || a.Predicted.Reused == a.Predicted.Total {
		t.Errorf("a retry %+v of %+v", b.Predicted, a.Predicted)
	}
	if r := tl.Rows[3]; r.Predicted != nil || r.Unpredicted != "" {
		t.Errorf("what is no request: %+v", r)
	}
	if r := tl.Rows[4]; r.Predicted != nil || r.Unpredicted != "elsewhere" || tl.Figures.PredictedTotal == 0 {
		t.Errorf("a history that is not in the bytes: %+v", r)
	}
	if v := d.view(5); v.Predictions == nil || len(v.Predictions) != 0 {
		t.Errorf("%+v", v.Predictions)
	}
	d.agreesWithLab(info.ID, tl)
}

// gate is a counter that holds whoever counts until it is opened.
type gate struct {
	counted atomic.Int64
	open    chan struct{}
	reached chan struct{}
	once    sync.Once
}

func newGate() *gate { return &gate{open: make(chan struct{}), reached: make(chan struct{})} }

func (g *gate) Count(text []byte) int {
	g.once.Do(func() { close(g.reached) })
	<-g.open
	g.counted.Add(1)
	return len(text)
}

func TestRequestsThatAreLookedAtMeanwhileAreToldOfWhenTheyArePredicted(t *testing.T) {
	d := newDesk(t)
	g := newGate()
	d.s.counter = g
	id := d.imported("a.jsonl", chatFirst+"\n"+chatSecond+"\n").Session
	<-g.reached
	if v := d.view(2); v.Row.Predicted != nil || v.Row.Unpredicted != counting || len(v.Predictions) != 0 {
		t.Errorf("%+v", v.Row)
	}
	events, stop := d.hub.Subscribe(d.hub.Seq())
	defer stop()
	close(g.open)
	for e := range events {
		if e.Topic == topicRequest && e.ID == fmt.Sprintf("%s/2", id) {
			break
		}
	}
	if v := d.view(2); v.Row.Predicted == nil || len(v.Predictions) == 0 {
		t.Errorf("%+v", v.Row)
	}
}

func TestASessionThatIsOpenedOnceMoreIsNotCountedAgain(t *testing.T) {
	d := newDesk(t)
	g := newGate()
	close(g.open)
	d.s.counter = g
	first := d.imported("a.jsonl", chatFirst+"\n"+chatSecond+"\n").Session
	before := d.predicted(2)
	d.imported("b.jsonl", claudeFirst+"\n"+claudeSecond+"\n")
	d.predicted(2)
	counted := g.counted.Load()
	if _, err := d.s.Open(first); err != nil {
		t.Fatal(err)
	}
	again, err := d.s.Timeline("")
	if err != nil || again.Rows[1].Predicted == nil || *again.Rows[1].Predicted != *before.Rows[1].Predicted || g.counted.Load() != counted {
		t.Errorf("%v %+v, before %+v, %d pieces were counted", err, again.Rows[1], before.Rows[1], g.counted.Load()-counted)
	}
}

// Closing waits for no session to be counted; TestMain finds what goes on behind it.
func TestCountingEndsWithItsSession(t *testing.T) {
	d := newDesk(t)
	g := newGate()
	d.s.counter = g
	var lines strings.Builder
	for n := range 200 {
		fmt.Fprintf(&lines, `{"model":"m","messages":[{"role":"user","content":"prompt %d"}]}`+"\n", n)
	}
	d.imported("many.jsonl", lines.String())
	<-g.reached
	d.s.mu.Lock()
	b := d.s.book
	d.s.mu.Unlock()
	b.stop() // as closing does first, which then waits for the one at the gate
	close(g.open)
	if err := d.s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := g.counted.Load(); n > 50 {
		t.Errorf("%d texts were counted of a session that was closed", n)
	}
}

type brokenCounter struct{}

func (brokenCounter) Count([]byte) int { panic("sk-secret") }

// What panics while another agent's session is counted is told, and costs that session's predictions alone.
func TestAPanicWhileCountingIsToldAndCostsThePredictionsAlone(t *testing.T) {
	d := newDesk(t)
	works := d.s.counter
	d.s.counter = brokenCounter{}
	d.imported("a.jsonl", chatFirst+"\n"+chatSecond+"\n")
	s := d.until("the mistake", func(s api.Snapshot) bool { return s.State.Error != "" })
	if !strings.HasPrefix(s.State.Error, mistakeWords) || strings.Contains(s.State.Error, "secret") {
		t.Errorf("%q", s.State.Error)
	}
	tl := d.predicted(2) // nothing is said to be counted any more
	if v := d.view(2); v.Row.N != 2 || v.Row.Predicted != nil || v.Row.Unpredicted != stopped || tl.Rows[0].Unpredicted != stopped {
		t.Errorf("%+v", v.Row)
	}
	d.s.counter = works
	d.imported("b.jsonl", claudeFirst+"\n"+claudeSecond+"\n")
	if tl := d.predicted(2); tl.Rows[1].Predicted == nil {
		t.Errorf("the next session: %+v", tl.Rows[1])
	}
}

// A request whose stored bytes can't be read is said to be, and those behind it are predicted.
func TestARequestThatCantBeReadEndsNoPredictions(t *testing.T) {
	d := newDesk(t)
	id := d.imported("a.jsonl", chatFirst+"\n"+chatSecond+"\n").Session
	err := d.s.onStored(id, func(sess *store.Session) error {
		recs, err := stored.Records(sess)
		if err != nil {
			return err
		}
		r, gone := predict.NewReader(sess, cachemodel.O200k()), *recs[0]
		gone.N = 99 // no bytes are stored under it
		for i, rec := range []*record.Record{recs[0], &gone, recs[1]} {
			got, err := r.Next(context.Background(), rec)
			if want := []string{"", predict.Unread, ""}[i]; err != nil || got.Why != want || (got.Reused == nil) != (want != "") {
				t.Errorf("number %d: %+v %v", i, got, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
