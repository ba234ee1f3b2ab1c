package recorder

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/store"
)

type world struct {
	t    *testing.T
	dir  string
	st   *store.Store
	sess *store.Session
	rec  *Recorder
	got  map[int]*record.Record
}

func newWorld(t *testing.T, o Options) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), got: map[int]*record.Record{}}
	var err error
	if w.st, err = store.New(w.dir); err != nil {
		t.Fatal(err)
	}
	if w.sess, err = w.st.Create(store.Info{Name: "x", Foreign: "proxy"}); err != nil {
		t.Fatal(err)
	}
	w.start(o)
	t.Cleanup(func() { _ = w.sess.Close() })
	return w
}

func (w *world) start(o Options) {
	w.t.Helper()
	o.Session, o.Source = w.sess, "proxy"
	o.OnRecord = func(r *record.Record, _ *answer.Answer) { w.got[r.N] = r }
	var err error
	if w.rec, err = New(o); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) take(body string, change ...func(*exchange.Exchange)) {
	w.t.Helper()
	e := exchange.Exchange{Method: "POST", URL: "http://provider.example/v1/chat/completions", Dialect: exchange.Chat, Request: []byte(body), Status: 200, ReportedByProxy: true}
	for _, f := range change {
		f(&e)
	}
	if err := w.rec.Take(context.Background(), e); err != nil {
		w.t.Fatal(err)
	}
}

const (
	first  = `{"model": "m", "messages": [{"role":"system","content":"s"}, {"role":"user","content":"hi"}]}`
	second = `{"model": "m", "messages": [{"role":"system","content":"s"}, {"role":"user","content":"hi"}, {"role":"assistant","content":"yes"}, {"role":"user","content":"go"}]}`
)

func TestAStepOfAnotherAgentIsComparedWithTheOneBefore(t *testing.T) {
	w := newWorld(t, Options{})
	w.take(first, func(e *exchange.Exchange) {
		e.Response = []byte(`{"id":"r","choices":[{"message":{"content":"yes"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":0}}}`)
	})
	w.take(second)
	a, b := w.got[1], w.got[2]
	if a.Verdict.Verdict != verdict.First || b.Verdict.Verdict != verdict.Extended || b.Meta.Predecessor != 1 || b.Verdict.Planned != nil {
		t.Fatalf("got %+v then %+v", a.Verdict, b.Verdict)
	}
	if a.Proof != record.ProofHolds || a.Finish != "stop" || !strings.Contains(string(a.Usage), "9") || a.Foreign.Prompt != "hi" || b.Turn != 2 {
		t.Fatalf("what is known of request 1: %+v", a)
	}
	if b.Sizes.Equal == 0 || b.Sizes.Prefix+b.Sizes.Equal+b.Sizes.New+b.Sizes.Tail != len(second) {
		t.Fatalf("sizes %+v of %d bytes", b.Sizes, len(second))
	}
	if got, err := w.sess.Body(2); err != nil || string(got) != second {
		t.Fatalf("the stored body is %q (%v)", got, err)
	}
}

// A capture of our own says where the request-only part starts: a person's words stand before it in the same message.
func TestWordsBeforeTheLiveBlockBeginATurn(t *testing.T) {
	const block = `\n\n<zimoos state=\"none\"></zimoos>"}]}`
	w := newWorld(t, Options{})
	for i, start := range []string{
		`{"model":"m","messages":[{"role":"user","content":"first words`,
		`{"model":"m","messages":[{"role":"user","content":"first words"},{"role":"assistant","content":"yes"},{"role":"user","content":"second words`,
	} {
		w.take(start+block, func(e *exchange.Exchange) {
			e.Meta = &verdict.Meta{Thread: "t", Kind: verdict.KindMain, Predecessor: i, TailOffset: len(start)}
		})
	}
	if a, b := w.got[1], w.got[2]; a.Foreign.Prompt != "first words" || b.Foreign.Prompt != "second words" || b.Turn != 2 {
		t.Fatalf("turns %d and %d begin with %q and %q", a.Turn, b.Turn, a.Foreign.Prompt, b.Foreign.Prompt)
	}
}

func TestARetryIsNotComparedWithItself(t *testing.T) {
	w := newWorld(t, Options{})
	w.take(first)
	w.take(second, func(e *exchange.Exchange) { e.Status = 503 })
	w.take(second)
	r := w.got[3]
	if r.Meta.Kind != verdict.KindRetry || r.Meta.Predecessor != 1 || r.Verdict.Verdict != verdict.Extended {
		t.Fatalf("the retry is %s after %d, %s", r.Meta.Kind, r.Meta.Predecessor, r.Verdict.Verdict)
	}
	if w.got[2].Status != record.StatusError || !strings.Contains(w.got[2].Error, "503") {
		t.Fatalf("the failed attempt says %q", w.got[2].Error)
	}
}

func TestALeafIsMarkedWhenTheNextRequestLeavesItOut(t *testing.T) {
	w := newWorld(t, Options{})
	w.take(first)
	w.take(strings.Replace(first, `"hi"}`, `"hi"}, {"role":"user","content":"a title, please"}`, 1))
	w.take(second)
	if w.got[2].Meta.Kind != verdict.KindSide || w.got[3].Meta.Predecessor != 1 || w.got[3].Verdict.Verdict != verdict.Extended {
		t.Fatalf("request 2 is %s, request 3 follows %d: %s", w.got[2].Meta.Kind, w.got[3].Meta.Predecessor, w.got[3].Verdict.Verdict)
	}
	f, err := w.sess.Facts(2)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := record.Of(f); err != nil || r.Meta.Kind != verdict.KindSide {
		t.Fatalf("the store says %v (%v)", r, err)
	}
}

// What was recorded before goes on when recording starts again, in batches or one by one.
func TestRecordingGoesOnWhereItWasLeft(t *testing.T) {
	for _, batch := range []int{1, 10} {
		w := newWorld(t, Options{Batch: batch})
		w.take(first)
		if err := w.rec.Close(); err != nil {
			t.Fatal(err)
		}
		w.start(Options{Batch: batch})
		w.take(second)
		w.take(strings.Replace(second, `"yes"`, `"no"`, 1))
		if err := w.rec.Close(); err != nil {
			t.Fatal(err)
		}
		if w.got[2].Meta.Predecessor != 1 || w.got[2].Verdict.Verdict != verdict.Extended {
			t.Fatalf("batches of %d: request 2 follows %d: %s", batch, w.got[2].Meta.Predecessor, w.got[2].Verdict.Verdict)
		}
	}
}

const secretValue = "sk-very-secret/0123456789"

// A known value is on no page of the store, and the verdict is still about what was sent.
func TestSecretsAreNotStored(t *testing.T) {
	w := newWorld(t, Options{Secrets: []string{secretValue}})
	with := strings.Replace(first, `"hi"`, `"hi `+secretValue+`"`, 1)
	leave := func(e *exchange.Exchange) {
		e.URL += "?key=" + secretValue
		e.Response = []byte(`{"error":{"message":"bad key ` + secretValue + `"}}`)
		e.Error = "refused: " + secretValue
		e.RequestHeader = map[string][]string{"Authorization": {"Bearer " + secretValue}}
		e.Secrets = []string{"another-secret-in-a-header"}
		e.Notes = []string{"another-secret-in-a-header"}
	}
	w.take(with, leave)
	w.take(strings.Replace(second, `"hi"`, `"hi `+secretValue+`"`, 1), leave)
	if err := w.rec.Close(); err != nil {
		t.Fatal(err)
	}
	r := w.got[2]
	if r.Verdict.Verdict != verdict.Extended || r.Proof != record.ProofClaimed || len(r.Foreign.Claimed) != 1 || r.Foreign.Claimed[0].Index != 1 {
		t.Fatalf("verdict %s, proof %s, claimed %+v", r.Verdict.Verdict, r.Proof, r.Foreign.Claimed)
	}
	for n := 1; n <= 2; n++ {
		body, _ := w.sess.Body(n)
		resp, _ := w.sess.Response(n)
		facts, _ := w.sess.Facts(n)
		all, _ := json.Marshal([]string{string(body), string(resp), string(facts.Detail)})
		if bytes.Contains(all, []byte(secretValue)) || bytes.Contains(all, []byte("another-secret")) {
			t.Fatalf("a secret is stored with request %d: %s", n, all)
		}
	}
	w.start(Options{})
	w.take(strings.Replace(second, `"hi"`, `"hi `+secretValue+`"`, 1), leave)
	if got := w.got[3]; got.Meta.Kind != verdict.KindRetry {
		t.Fatalf("the bytes of request 2 once more are an attempt, not %s", got.Meta.Kind)
	}
}

func TestWhatIsNoRequestIsListed(t *testing.T) {
	w := newWorld(t, Options{})
	w.take(`not JSON`)
	w.take("", func(e *exchange.Exchange) { e.Dialect, e.Method = exchange.Other, "GET" })
	w.take(first)
	if w.got[1].Meta.Kind != record.KindOther || len(w.got[1].Foreign.Notes) != 1 || w.got[2].Meta.Kind != record.KindOther || w.got[3].Verdict.Verdict != verdict.First {
		t.Fatalf("got %+v, %+v, %s", w.got[1].Foreign, w.got[2].Meta, w.got[3].Verdict.Verdict)
	}
	if got, err := w.sess.Body(1); err != nil || string(got) != "not JSON" {
		t.Fatalf("the stored body is %q (%v)", got, err)
	}
}

// Captured traffic of a real agent, where there is some: what is recorded must agree with what an independent
// implementation found.
func TestCapturedTrafficIsRecordedAsFound(t *testing.T) {
	dirs, _ := filepath.Glob("../../../../shared/captures/s*")
	if len(dirs) == 0 {
		t.Skip("no recorded traffic beside this tree: nothing to record")
	}
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(dir, "req-*.body.json"))
		w := newWorld(t, Options{Batch: 16})
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			w.take(string(raw))
		}
		if err := w.rec.Close(); err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			raw, _ := os.ReadFile(f)
			if got, err := w.sess.Body(i + 1); err != nil || !bytes.Equal(got, raw) {
				t.Errorf("%s does not come back as it was (%v)", f, err)
			}
			r := w.got[i+1]
			if i > 0 && (r.Meta.Predecessor != i || r.Verdict.Verdict != verdict.Rewritten) {
				t.Errorf("%s follows %d (%s): %s", f, r.Meta.Predecessor, r.Foreign.How, r.Verdict.Verdict)
			}
		}
	}
}
