package agent

import (
	"bytes"
	"strings"
	"testing"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// A session with narration, summary steps, ordinary results, parallel calls, a second turn, a window and a resume, under
// every profile and both marks: every redline holds, the store gives back the bytes that left, and each main request
// has its one mark, before the tail and on no pending record.
func TestEveryRedlineHoldsWithMarksOn(t *testing.T) {
	for _, name := range provider.ProfileNames() {
		for _, mark := range []string{provider.MarkCacheControl, provider.MarkBreakpoint} {
			for _, asIs := range []bool{false, true} {
				p, err := provider.ProfileFor(name, "", "")
				if err != nil {
					t.Fatal(err)
				}
				plain := p.Placement
				if p, err = p.WithCacheMark(mark); err != nil {
					t.Fatal(err)
				}
				if asIs && p.Placement == plain {
					continue
				}
				if asIs { // the placement of the profile holds with marks too
					p.Placement = plain
				}
				r := newRig(t, Options{Profile: p, ContextTokens: 700})
				r.model.replies = []reply{
					{text: "I look. Summary: looked.", calls: acts(`{"cmd":"a"}`)},
					{calls: acts(`{"cmd":"b"}`)},
					{text: "Summary: b is done.", calls: []provider.Call{call("os__notes", "{}"), {ID: "d", Name: act, Arguments: "{}", ArgumentsValid: true}, {ID: "e", Name: "os__notes", Arguments: "{}", ArgumentsValid: true}}},
					{text: "Summary: read. All done."}, {text: "Again. Summary: again.", calls: acts(`{"cmd":"c"}`)}, {text: "Done."},
					{text: "Back.", calls: acts(`{}`)}, {text: "Ended. Summary: ended."},
				}
				r.model.sides = []reply{{text: "Summary: a happened."}}
				r.must("first")
				r.must("second")
				r.reopen()
				r.must("third")
				verdicts := r.audit()
				if len(verdicts) < 9 {
					t.Errorf("%s: %v", name, verdicts)
				}
				recs := r.records()
				for i, raw := range r.model.bodies {
					stored, err := r.sess.Body(i + 1)
					if err != nil || !bytes.Equal(stored, raw) {
						t.Fatalf("%s: request %d comes back from the store as other bytes (%v)", name, i+1, err)
					}
					holdsOneMark(t, name+" "+mark, raw, mark, recs[i].Meta.TailOffset)
				}
			}
		}
	}
}

func holdsOneMark(t *testing.T, name string, raw []byte, mark string, tail int) {
	t.Helper()
	at := bytes.Index(raw, []byte(`"`+mark+`"`))
	if bytes.Count(raw, []byte(`"`+mark+`"`)) != 1 || tail >= 0 && at > tail {
		t.Fatalf("%s: %d marks, the first at %d, the tail at %d:\n%s", name, bytes.Count(raw, []byte(`"`+mark+`"`)), at, tail, raw)
	}
	b := scan(t, raw)
	for i := range b.Messages.Len() {
		m := b.Bytes(wire.KindMessage, i)
		text := verdict.TextOf(m)
		if bytes.Contains(m, []byte(`"`+mark+`"`)) && (strings.HasPrefix(text, "Action: ") && !strings.Contains(text, "\nSummary") || strings.Contains(text, "<zimoos ")) {
			t.Fatalf("%s: a mark on %s", name, m)
		}
		role, _ := wire.String(wire.Get(m, "role"))
		if content := wire.Get(m, "content"); role != "assistant" && content[0] != '[' {
			t.Fatalf("%s: a message that could carry no mark: %s", name, m)
		}
	}
}

func TestMarksAreOffByDefault(t *testing.T) {
	for _, name := range provider.ProfileNames() {
		p, _ := provider.ProfileFor(name, "", "")
		same, err := p.WithCacheMark("none")
		if err != nil || same != p || p.CacheMark != "" {
			t.Errorf("%s: %+v %v", name, same, err)
		}
	}
	r := newRig(t, Options{})
	r.model.replies = []reply{{text: "Done."}}
	r.must("go")
	if body := r.model.bodies[0]; bytes.Contains(body, []byte("cache")) || bytes.Contains(body, []byte(`"type":"text"`)) {
		t.Errorf("%s", body)
	}
}
