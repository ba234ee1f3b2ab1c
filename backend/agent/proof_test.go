package agent

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/secret"
	"zimoscope/backend/transcript"
)

// tampered is a transport that sends other bytes than it was given.
type tampered struct {
	*fakeModel
	change func([]byte) []byte
}

func (m *tampered) Stream(ctx context.Context, body []byte, o provider.StreamOptions) (*provider.Response, error) {
	inner := o.OnAttempt
	o.OnAttempt = func(n int) provider.AttemptTap { return &changer{inner(n), m.change, nil} }
	return m.fakeModel.Stream(ctx, body, o)
}

type changer struct {
	provider.AttemptTap
	change func([]byte) []byte
	sent   []byte
}

func (c *changer) Write(p []byte) (int, error) { c.sent = append(c.sent, p...); return len(p), nil }

func (c *changer) Done(status int, err error) {
	_, _ = c.AttemptTap.Write(c.change(c.sent))
	c.AttemptTap.Done(status, err)
}

func TestARequestReadsProvedOnlyWhenTheClaimedBytesLeft(t *testing.T) {
	edit := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte {
			if !bytes.Contains(b, []byte(old)) {
				panic("nothing to change: " + old)
			}
			return bytes.Replace(b, []byte(old), []byte(new), 1)
		}
	}
	for name, c := range map[string]struct {
		change func([]byte) []byte
		want   string
	}{
		"equal":       {bytes.Clone, ProofHolds},
		"a message":   {edit("hello", "hellO"), ProofBroken},
		"a parameter": {edit(`"stream":true`, `"stream":trux`), ProofBroken},
		"a separator": {edit(`},{"role":"user"`, `};{"role":"user"`), ProofBroken}, // outside the chain: the comparison finds it
		"longer":      {func(b []byte) []byte { return append(bytes.Clone(b), ' ') }, ProofBroken},
		"cut":         {func(b []byte) []byte { return b[:len(b)/2] }, ProofPartial},
	} {
		r := newRig(t, Options{})
		r.model.replies = []reply{{text: "ok"}}
		r.s.o.Model = &tampered{r.model, c.change}
		r.must("hello")
		rec := r.records()[0]
		if rec.Proof != c.want || rec.Violation() != (c.want == ProofBroken) {
			t.Errorf("%s: %s (%s), violation %v", name, rec.Proof, rec.ProofNote, rec.Violation())
		}
	}
}

func TestWindowAnnouncementsCountInThePredecessor(t *testing.T) {
	got := windowAnnouncements([]transcript.Cut{{From: 2, To: 5}, {From: 3, To: 7}})
	if len(got) != 2 || got[0].From != 2 || got[0].To != 5 || got[1].From != 6 || got[1].To != 10 {
		t.Fatalf("%+v", got)
	}
}

// A move that must leave the current prompt in its middle makes two cuts; both are announced exactly.
func TestAMoveAroundTheCurrentPromptIsPlanned(t *testing.T) {
	r := newRig(t, Options{ContextTokens: 2200})
	long := "Summary: " + strings.Repeat("word ", 40)
	for range 8 {
		r.model.replies = append(r.model.replies, reply{text: long, calls: acts(`{}`)})
	}
	r.model.replies = append(r.model.replies, reply{text: "end"})
	r.must("first")
	for range 40 {
		r.model.replies = append(r.model.replies, reply{text: long, calls: acts(`{}`)})
	}
	r.model.replies = append(r.model.replies, reply{text: "end"})
	r.must("second")
	r.audit()
	twice := false
	for _, rec := range r.records() {
		twice = twice || len(rec.Meta.Announcements) == 2
	}
	if !twice {
		t.Fatal("no move made two cuts: the case is not tested")
	}
}

func TestSecretsInAFrameReachNeitherBlockNorRecord(t *testing.T) {
	for _, key := range []string{"sixteen-byte-key", "a-rather-longer-secret-value", `quote"and\slash-secret`} {
		r := newRig(t, Options{Secrets: secret.New(key)})
		frame := fmt.Sprintf(`{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c1","title":%s,"visibleContent":[{"title":%s}],"shortcuts":[],"handles":[]}`,
			wire.AppendQuoted(nil, "t "+key), wire.AppendQuoted(nil, "v "+key))
		r.tools.results = []string{string(append(wire.AppendQuoted([]byte(`{"content":[{"type":"text","text":`), frame), "}]}"...))}
		r.model.replies = []reply{{text: "a", calls: acts(`{}`)}, {text: "Summary: seen."}}
		r.must("go")
		body, _ := wire.Scan(r.model.bodies[1])
		for i := range body.Messages.Len() {
			if text := transcript.TextOf(body.Bytes(wire.KindMessage, i)); strings.Contains(text, key) {
				t.Errorf("%q stands in message %d: %s", key, i, text)
			}
		}
		if !strings.Contains(string(r.model.bodies[1]), "title: t "+secret.Mark) {
			t.Errorf("%q: the frame itself is gone", key)
		}
	}
}

// Equal bytes are not enough: frozen bytes that no longer hash to what was claimed of them must show.
func TestBytesThatDoNotHashToTheClaimAreNoProof(t *testing.T) {
	body, err := wire.Scan([]byte(`{"model":"m","messages":[{"role":"user","content":"x"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, spoil := range []func(*wire.Body){func(b *wire.Body) { b.Rest[0] ^= 1 }, func(b *wire.Body) { b.Model.Leaf[0] ^= 1 }} {
		claimed := *body
		spoil(&claimed)
		m := claimed.Matcher()
		_, _ = m.Write(body.Raw)
		a := attempt{sent: body.Raw}
		if a.judge(m, &claimed); a.proof != ProofBroken || !strings.Contains(a.note, "hash") {
			t.Errorf("%s (%s)", a.proof, a.note)
		}
	}
}

// unhashable spoils what the full hash of the first attempt works with, once its bytes have left.
type unhashable struct {
	*fakeModel
	once bool
}

func (m *unhashable) Stream(ctx context.Context, body []byte, o provider.StreamOptions) (*provider.Response, error) {
	inner, first := o.OnAttempt, !m.once
	m.once = true
	o.OnAttempt = func(n int) provider.AttemptTap {
		one := inner(n)
		if first {
			return &spoiler{one}
		}
		return one
	}
	return m.fakeModel.Stream(ctx, body, o)
}

type spoiler struct{ provider.AttemptTap }

func (s *spoiler) Done(status int, err error) {
	s.AttemptTap.(*tap).match = nil
	s.AttemptTap.Done(status, err)
}

// A hash that panics proves nothing and says so; it ends neither the program nor the turn, and the next request is proved.
func TestAPanicInTheFullHashLeavesTheRequestUnprovedAndNoMore(t *testing.T) {
	r := newRig(t, Options{})
	r.model.replies = []reply{{text: "One."}, {text: "Two."}}
	r.s.o.Model = &unhashable{fakeModel: r.model}
	r.must("first")
	r.must("second")
	list := r.records()
	if rec := list[0]; rec.Proof != ProofPending || rec.Violation() || !strings.Contains(rec.ProofNote, "could not be hashed") || !strings.Contains(rec.ProofNote, "the program made a mistake (") {
		t.Errorf("%s (%s), violation %v", rec.Proof, rec.ProofNote, rec.Violation())
	}
	if rec := list[1]; rec.Proof != ProofHolds || rec.ProofNote != "" {
		t.Errorf("the next: %s (%s)", rec.Proof, rec.ProofNote)
	}
}
