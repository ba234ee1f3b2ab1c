package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
	"pgregory.net/rapid"

	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
	"zimoscope/backend/zimoos"
)

// play is a session as an agent would drive it, with the bodies that were built, to hold the store against.
type play struct {
	st     *Store
	tr     *transcript.Transcript
	sess   *Session
	slot   zimoos.Slot
	bodies [][]byte
	step   int
}

func header(budget int) transcript.Header {
	return transcript.Header{Model: "m", Params: []wire.Param{{Name: "stream", Raw: []byte("true")}}, System: "You work inside ZimoOS.",
		Tools: []transcript.ToolDef{{Function: "zimoos_x2e_act", Name: "zimoos.act", Raw: []byte(`{"type":"function","function":{"name":"zimoos_x2e_act"}}`)}},
		Rules: transcript.Rules{ContextTokens: budget}}
}

func begin(t interface{ Fatal(...any) }, st *Store, budget int) *play {
	sess, err := st.Create(Info{Name: "test", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := transcript.New(header(budget))
	if err != nil {
		t.Fatal(err)
	}
	return &play{st: st, tr: tr, sess: sess}
}

// request builds the next request and stores it together with everything that led to it.
func (p *play) request() error {
	if p.tr.NeedsWindow() {
		if _, err := p.tr.MoveWindow(false); err != nil {
			return err
		}
	}
	v := requestview.Build(requestview.Input{Transcript: p.tr.View(), Slot: p.slot})
	carriers := 0
	if v.Carrier != requestview.NoCarrier {
		carriers = 1
	}
	n := p.sess.Requests() + 1
	err := p.sess.Commit(Batch{Events: p.tr.Drain(), Done: true, Request: &Request{N: n, Body: v.Body, Source: p.tr.Events, Carriers: carriers},
		Facts: []Facts{{N: n, Verdict: "extended", Detail: json.RawMessage(fmt.Sprintf(`{"tail":%d}`, v.TailOffset))}}})
	if err == nil {
		p.bodies = append(p.bodies, bytes.Clone(v.Body.Raw))
	}
	return err
}

func (p *play) operate(words int) error {
	p.step++
	calls, err := p.tr.AppendReply(transcript.Reply{Text: fmt.Sprint("Step ", p.step, strings.Repeat(" word", words)), Calls: []transcript.Call{{Function: "zimoos_x2e_act", Arguments: "{}"}}})
	if err != nil {
		return err
	}
	f := &zimoos.Frame{Cursor: fmt.Sprint("c", p.step), Title: "T", Visible: []zimoos.Item{{ID: fmt.Sprint("i", p.step), Title: strings.Repeat("item ", words)}}}
	p.slot.Offer(f, "zimoos.act", calls[0].ID, uint64(p.step))
	return p.tr.AppendOperation(transcript.Operation{CallID: calls[0].ID, Tool: "zimoos.act", Outcome: transcript.OK, Frame: f, Arguments: "{}"})
}

func (p *play) sealPending() error {
	if _, pending := p.tr.Pending(); pending {
		return p.tr.Seal(fmt.Sprintf("Did step %d.", p.step), transcript.FromNarration)
	}
	return nil
}

func (p *play) reopen(st *Store) error {
	if err := p.sess.Close(); err != nil {
		return err
	}
	sess, err := st.Open(p.sess.ID)
	if err != nil {
		return err
	}
	events, err := sess.Events()
	if err != nil {
		return err
	}
	tr, err := transcript.Replay(events)
	p.sess, p.tr = sess, tr
	return err
}

// verify compares every stored request with what was built.
func (p *play) verify() error {
	if p.sess.Requests() != len(p.bodies) {
		return fmt.Errorf("%d requests stored of %d", p.sess.Requests(), len(p.bodies))
	}
	for i, want := range p.bodies {
		got, err := p.sess.Body(i + 1)
		if err != nil || !bytes.Equal(got, want) {
			return fmt.Errorf("request %d differs (%v):\n%s\n%s", i+1, err, got, want)
		}
	}
	return nil
}

func must(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// beginAny starts a session with any window, in a store of its own below dir.
func beginAny(t *rapid.T, dir string) *play {
	st, err := New(filepath.Join(dir, fmt.Sprint(rand.Int())))
	must(t, err)
	return begin(t, st, rapid.SampledFrom([]int{0, 400, 2000}).Draw(t, "budget"))
}

// goOn plays turns of up to so many steps, a request each; after is called behind each step.
func (p *play) goOn(t *rapid.T, steps int, after func()) {
	for range rapid.IntRange(1, 3).Draw(t, "turns") {
		must(t, p.sealPending())
		must(t, p.tr.AppendUser("prompt", nil))
		must(t, p.request())
		for range rapid.IntRange(0, steps).Draw(t, "steps") {
			must(t, p.sealPending())
			must(t, p.operate(rapid.IntRange(0, 40).Draw(t, "words")))
			must(t, p.request())
			if after != nil {
				after()
			}
		}
		must(t, p.sealPending())
		_, err := p.tr.AppendReply(transcript.Reply{Text: "done"})
		must(t, err)
	}
}

func TestStoredRequestsReassembleToTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		p := beginAny(rt, dir)
		defer func() { must(rt, p.sess.Close()) }()
		p.goOn(rt, 15, func() {
			if rapid.IntRange(0, 9).Draw(rt, "reopen") > 0 {
				return
			}
			before := requestview.Build(requestview.Input{Transcript: p.tr.View(), Slot: p.slot})
			must(rt, p.reopen(p.st))
			if after := requestview.Build(requestview.Input{Transcript: p.tr.View(), Slot: p.slot}); !bytes.Equal(before.Body.Raw, after.Body.Raw) {
				rt.Fatal("the request after resume differs")
			}
		})
		must(rt, p.verify())
	})
}

func TestLongSessionsCrossCheckpoints(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	must(t, p.tr.AppendUser("prompt", nil))
	for range checkpointEvery*2 + 5 {
		must(t, p.sealPending())
		must(t, p.operate(3))
		p.sess.db.NoSync = true // only bytes are tested here
		must(t, p.request())
	}
	must(t, p.verify())
	must(t, p.sess.Close())
}

func TestASecondOpenHearsWhoHoldsTheSession(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	if _, err = st.Open(p.sess.ID); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Fatalf("%v", err)
	}
	list, err := st.List()
	if err != nil || len(list) != 1 || !strings.Contains(list[0].HeldBy, fmt.Sprint(os.Getpid())) {
		t.Fatalf("%+v %v", list, err)
	}
	must(t, p.sess.Close())
	sess, err := st.Open(p.sess.ID)
	must(t, err)
	must(t, sess.Close())
}

func TestNewerAndDamagedFilesAreLeftAsTheyAre(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	must(t, p.sess.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bMeta).Put(kFormat, key(format+1)) }))
	must(t, p.sess.Close())
	path := sessionPath(st.dir, p.sess.ID)
	for name, c := range map[string]struct {
		spoil func([]byte) []byte
		want  error
	}{
		"newer":     {func(b []byte) []byte { return b }, ErrNewer},
		"not ours":  {func([]byte) []byte { return []byte("plain text, long enough to be read as a page header by mistake") }, ErrDamaged},
		"zeroed":    {func(b []byte) []byte { return make([]byte, len(b)) }, ErrDamaged},
		"truncated": {func(b []byte) []byte { return b[:4096] }, ErrDamaged},
	} {
		good, err := os.ReadFile(path)
		must(t, err)
		bad := c.spoil(bytes.Clone(good))
		must(t, os.WriteFile(path, bad, 0o600))
		_, err = st.Open(p.sess.ID)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, bad) {
			t.Errorf("%s: the file was touched", name)
		}
		must(t, os.WriteFile(path, good, 0o600))
	}
}

func TestListDeleteAndFind(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	a, b := begin(t, st, 0), begin(t, st, 0)
	must(t, a.tr.AppendUser("x", nil))
	must(t, a.request())
	must(t, a.sess.Commit(Batch{Facts: []Facts{{N: 1, Verdict: "first", Violation: true}}}))
	must(t, a.sess.Close())
	must(t, b.sess.Close())
	id, err := st.Find("latest")
	if err != nil || id == "" {
		t.Fatal(err)
	}
	list, err := st.List()
	must(t, err)
	for _, m := range list {
		if m.ID == a.sess.ID && (m.Requests != 1 || m.Verdicts["first"] != 1 || len(m.Verdicts) != 1 || m.Violations != 1) {
			t.Fatalf("%+v", m)
		}
	}
	must(t, st.Delete(a.sess.ID))
	if _, err := st.Open(a.sess.ID); !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	if _, err := st.Open("../x"); !errors.Is(err, ErrNotFound) {
		t.Fatal("a path as id")
	}
}

func TestResponsesAndTheReplyOfAnUnfinishedStep(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	raw := []byte("data: {\"x\":1}\n\n")
	must(t, p.sess.Commit(Batch{Response: &Response{N: 1, Raw: raw}, Reply: []byte(`{"text":"hi"}`)}))
	got, err := p.sess.Response(1)
	if err != nil || !bytes.Equal(got, raw) {
		t.Fatalf("%q %v", got, err)
	}
	must(t, p.reopen(st))
	if r, _ := p.sess.Reply(); string(r) != `{"text":"hi"}` {
		t.Fatalf("%q", r)
	}
	must(t, p.sess.Commit(Batch{Done: true}))
	if r, _ := p.sess.Reply(); len(r) != 0 {
		t.Fatalf("%q", r)
	}
	if _, err := p.sess.Response(2); !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	must(t, p.sess.Close())
}
