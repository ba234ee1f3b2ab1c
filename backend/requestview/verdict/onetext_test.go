package verdict

import (
	"testing"

	"zimoscope/backend/requestview/wire"
)

func TestAMarkThatNeededAPartIsAMarkThatMoved(t *testing.T) {
	const before = `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]}`
	const more = `,{"role":"assistant","content":"b"}]}`
	for after, want := range map[string]Kind{
		`{"model":"m","messages":[{"role":"user","content":"a"}` + more:                                                    Extended,
		`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"}]}` + more:                           Extended,
		`{"model":"m","messages":[{"role":"user","content":"b"}` + more:                                                    Rewritten,
		`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":""}]}` + more: Rewritten,
	} {
		a, err := wire.Scan([]byte(before))
		if err != nil {
			t.Fatal(err)
		}
		b, err := wire.Scan([]byte(after))
		if err != nil {
			t.Fatal(err)
		}
		v := Compare(&Request{Body: a}, &Request{Body: b})
		if v.Verdict != want || want == Extended && !v.Has(MarkMoved) {
			t.Errorf("%s: %s %+v", after, v.Verdict, v.Causes)
		}
	}
	// Without a mark on either side the bytes that a provider keys its cache by did change.
	a, _ := wire.Scan([]byte(`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}`))
	b, _ := wire.Scan([]byte(`{"model":"m","messages":[{"role":"user","content":"a"}` + more))
	if v := Compare(&Request{Body: a}, &Request{Body: b}); v.Verdict != Rewritten {
		t.Errorf("a part became a string: %s", v.Verdict)
	}
}
