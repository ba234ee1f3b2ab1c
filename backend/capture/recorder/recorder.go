// Package recorder puts other agents' traffic into a session: it tells conversations apart, compares each request with
// the one it goes on from, takes the secrets out, and stores body, response and what is known.
//
// Contract: exchanges are taken one at a time, in the order given; each is stored before Take returns, or, with a
// Batch, before Flush does. What can't be read as a request is stored as it is and listed. Bodies are hashed and
// compared before secrets leave them, so a verdict is about what was sent; a part that held a secret keeps the hash of
// what was sent as a claim that nobody can recompute.
package recorder

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"

	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/conversation"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/secret"
	"zimoscope/backend/store"
)

// Options say where and how to record.
type Options struct {
	Session  *store.Session
	Source   string   // what record.Foreign names
	Secrets  []string // known values, wherever they stand
	Batch    int      // exchanges to store in one commit; 0 and 1 store each at once
	Infer    func(prev, next *verdict.Request, v *verdict.Verdict) []record.Inference
	OnRecord func(*record.Record, *answer.Answer) // after it was stored; the record is the receiver's
}

// maxBatchBytes ends a batch early, in bytes of bodies and responses.
const maxBatchBytes = 32 << 20

// Recorder is an exchange.Sink.
type Recorder struct {
	o       Options
	finder  *conversation.Finder
	threads *threads
	hidden  hidden
	n       int
	turns   int
	known   map[int]*known // what later requests ask of earlier ones
	info    store.Info
	pending store.Batch
	told    []told
	bytes   int
}

type told struct {
	rec *record.Record
	ans *answer.Answer
}

// known is the little that is kept of every request.
type known struct {
	thread string
	turn   int
}

// New goes on behind what the session holds.
func New(o Options) (*Recorder, error) {
	r := &Recorder{o: o, finder: conversation.New(), threads: newThreads(o.Session), known: map[int]*known{}, info: o.Session.Info()}
	r.threads.flush = r.Flush
	r.hidden.add(o.Secrets...)
	return r, r.recall()
}

// recall places what is stored once more, so that a conversation goes on where it was left.
func (r *Recorder) recall() error {
	all, err := r.o.Session.AllFacts()
	if err != nil {
		return err
	}
	for _, f := range all {
		rec, err := record.Of(f)
		if err != nil {
			return fmt.Errorf("what is known of request %d can't be read: %w", f.N, err)
		}
		r.n = rec.N
		r.turns = max(r.turns, rec.Turn)
		r.known[rec.N] = &known{thread: rec.Meta.Thread, turn: rec.Turn}
		if rec.Foreign == nil || rec.Meta.Kind == record.KindOther {
			continue
		}
		raw, err := r.o.Session.Body(rec.N)
		if err != nil {
			return err
		}
		if body, err := wire.Scan(raw); err == nil {
			r.finder.Place(rec.N, rec.Foreign.Sent(body), rec.Meta.BodySHA256, claimsOf(body, rec.Foreign.Conversation))
		}
	}
	return nil
}

// Take implements exchange.Sink.
func (r *Recorder) Take(_ context.Context, e exchange.Exchange) error {
	r.hidden.add(e.Secrets...)
	r.n++
	ans := answer.Read(e.Dialect, e.Response)
	rec := r.recordOf(&e, &ans)
	req := r.place(rec, &e, &ans)
	if err := r.keep(rec, req, &e); err != nil {
		r.n--
		return err
	}
	r.told = append(r.told, told{rec, &ans})
	if r.bytes += len(e.Request) + len(e.Response); len(r.told) >= max(1, r.o.Batch) || r.bytes > maxBatchBytes {
		return r.Flush()
	}
	return nil
}

// Flush stores what is waiting.
func (r *Recorder) Flush() error {
	if len(r.told) == 0 {
		return nil
	}
	err := r.o.Session.Commit(r.pending)
	for _, t := range r.told {
		if err == nil && r.o.OnRecord != nil {
			r.o.OnRecord(t.rec, t.ans)
		}
	}
	r.pending, r.told, r.bytes = store.Batch{}, nil, 0
	if err != nil {
		return fmt.Errorf("the traffic could not be stored: %w", err)
	}
	return nil
}

// Close stores what is waiting and the session's summary.
func (r *Recorder) Close() error { return errors.Join(r.Flush(), r.o.Session.WriteSummary()) }

// place gives the record its conversation and its verdict. nil when the body is no request that is understood.
func (r *Recorder) place(rec *record.Record, e *exchange.Exchange, ans *answer.Answer) *verdict.Request {
	if e.Dialect == exchange.Other || e.RequestCut {
		rec.Meta.Kind = record.KindOther
		return nil
	}
	body, err := e.Scanned, error(nil)
	if body == nil {
		body, err = wire.Scan(e.Request)
	}
	if err != nil {
		rec.Meta.Kind = record.KindOther
		rec.Foreign.Notes = append(rec.Foreign.Notes, fmt.Sprintf("its body can't be read as a request: %v", err))
		return nil
	}
	rec.Meta.BodySHA256 = sha256.Sum256(e.Request)
	p := r.finder.Place(rec.N, body, rec.Meta.BodySHA256, claimsOf(body, e.Conversation))
	r.finder.Answered(rec.N, ans.ID)
	if p.Leaf > 0 && e.Meta == nil {
		r.leaf(p.Leaf)
	}
	r.belong(rec, e, p, body)
	req := rec.Request(body)
	j, prev := r.threads.judge(req, rec.Meta.Thread, rec.Meta.Predecessor)
	rec.Verdict, rec.Redlines = j.Verdict, j.Redlines
	if rec.Meta.Kind == verdict.KindRetry && prev != nil {
		rec.Verdict = verdict.Compare(prev, req)
	}
	rec.Sizes, rec.Carrier = sizesOf(prev, req)
	r.turnOf(rec, body)
	if prev != nil && r.o.Infer != nil {
		rec.Foreign.Inferred = r.o.Infer(prev, req, &rec.Verdict)
	}
	return req
}

// belong takes over where the request belongs: what its sender told, or what the finder found.
func (r *Recorder) belong(rec *record.Record, e *exchange.Exchange, p conversation.Place, body *wire.Body) {
	sum := rec.Meta.BodySHA256
	if e.Meta != nil {
		rec.Meta = *e.Meta
		rec.Meta.BodySHA256 = sum
		rec.Foreign.Told = true
		return
	}
	rec.Meta = verdict.Meta{BodySHA256: sum, Kind: verdict.KindMain, Thread: fmt.Sprintf("c%d", p.Thread), Predecessor: p.Follows, TailOffset: -1}
	rec.Foreign.How = p.How
	if p.Attempt > 0 {
		rec.Meta.Kind = verdict.KindRetry
	}
	if verdict.TailMessages(body) > 0 {
		rec.Meta.TailOffset, _ = body.Range(wire.KindMessage, body.Messages.Len()-1)
	}
}

// leaf marks an earlier request from which nothing goes on.
func (r *Recorder) leaf(n int) {
	for _, t := range r.told { // not stored yet
		if t.rec.N == n {
			t.rec.Meta.Kind = verdict.KindSide
			r.replace(t.rec)
			return
		}
	}
	f, err := r.o.Session.Facts(n)
	if err != nil {
		return // it stays a main request; the verdicts don't depend on it
	}
	if rec, err := record.Of(f); err == nil && rec.Meta.Kind == verdict.KindMain {
		rec.Meta.Kind = verdict.KindSide
		r.pending.Facts = append(r.pending.Facts, rec.Facts())
		r.told = append(r.told, told{rec, &answer.Answer{}})
	}
}

func (r *Recorder) replace(rec *record.Record) {
	for i := range r.pending.Facts {
		if r.pending.Facts[i].N == rec.N {
			r.pending.Facts[i] = rec.Facts()
		}
	}
}

func (r *Recorder) turnOf(rec *record.Record, body *wire.Body) {
	before := r.known[rec.Meta.Predecessor]
	tail := -1
	if rec.Foreign.Told {
		tail = rec.Meta.TailOffset
	}
	if text, ok := promptOf(body, tail); ok && rec.Meta.Kind == verdict.KindMain {
		r.turns++
		rec.Turn, rec.Foreign.Prompt = r.turns, r.hidden.text(text)
	} else if before != nil {
		rec.Turn = before.turn
	}
	r.known[rec.N] = &known{thread: rec.Meta.Thread, turn: rec.Turn}
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Host
	}
	return ""
}

// hidden are the secrets met so far.
type hidden struct {
	values map[string]bool
	r      *secret.Redactor
}

func (h *hidden) add(values ...string) {
	if h.values == nil {
		h.values, h.r = map[string]bool{}, secret.New()
	}
	fresh := false
	for _, v := range values {
		if v != "" && !h.values[v] {
			h.values[v], fresh = true, true
		}
	}
	if !fresh {
		return
	}
	list := make([]string, 0, len(h.values))
	for v := range h.values {
		list = append(list, v)
	}
	h.r = secret.New(list...)
}

func (h *hidden) text(s string) string { return h.r.Text(s) }
