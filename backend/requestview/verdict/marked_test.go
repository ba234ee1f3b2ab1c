package verdict

import (
	"strings"
	"testing"
)

const testMark = `,"cache_control":{"type":"ephemeral"}`

// inParts writes a message's text as one part, with something behind the part's type.
func inParts(msg, behindType string) string {
	head, text, _ := strings.Cut(msg, `"content":`)
	return head + `"content":[{"type":"text"` + behindType + `,"text":` + strings.TrimSuffix(text, "}") + "}]}"
}

// markedPair is before and after with contents in parts: the earlier request has its mark on a sealed record, the later one on
// the record that was pending then.
func markedPair() (draft, draft) {
	a, b := before(), after()
	for _, d := range []*draft{&a, &b} {
		for i, m := range d.messages {
			if !strings.Contains(m, `"assistant"`) {
				d.messages[i] = inParts(m, "")
			}
		}
	}
	a.messages[3] = inParts(result("a", sealedRecord), testMark)
	b.messages[7] = inParts(result("b", sealedRecord), testMark)
	return a, b
}

func TestARecordMayGetItsMarkWithItsSummary(t *testing.T) {
	a, b := markedPair()
	prev, next := a.request(t), b.request(t)
	v := Compare(prev, next)
	if v.Verdict != Sealed || v.Violation() || !v.Has(MarkMoved) {
		t.Fatalf("%s %+v", v.Verdict, v.Causes)
	}
	for _, c := range v.Causes {
		if c.Kind == Sealed && !strings.HasPrefix(string(next.Body.Raw[c.BodyOffset:]), `\nSummary: It opened.`) {
			t.Errorf("the Summary is said to begin at %.40s", next.Body.Raw[c.BodyOffset:])
		}
	}
}

func TestAMarkHidesNoOtherChange(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"outcome":     func(m string) string { return strings.Replace(m, "Outcome: ok", "Outcome: no", 1) },
		"two lines":   func(m string) string { return strings.Replace(m, "It opened.", `It opened.\nAnd more.`, 1) },
		"not in part": func(m string) string { return strings.Replace(m, `"tool_call_id":"b"`, `"tool_call_id":"x"`, 1) },
	} {
		a, b := markedPair()
		b.messages[7] = change(b.messages[7])
		if v := Compare(a.request(t), b.request(t)); v.Verdict != Rewritten {
			t.Errorf("%s: %s", name, v.Verdict)
		}
	}
}

// A message that carried the tail is whole in the next request, and may be marked there.
func TestTheTextBeforeATailMayBeMarkedLater(t *testing.T) {
	for text, want := range map[string]Kind{"and now?": Extended, "and then?": Rewritten} {
		a, b := markedPair()
		a.carrier, a.attach = "", `{"role":"user","content":[{"type":"text","text":"and now?`
		a.block = testBlock + `"}],"name":"x` // a draft ends with a quote and a brace
		a.messages[7] = inParts(result("b", sealedRecord), "")
		b.messages = append(b.messages[:7:7], inParts(result("b", sealedRecord), ""), inParts(user(text), testMark))
		if v := Compare(a.request(t), b.request(t)); v.Verdict != want {
			t.Errorf("%s: %s %+v", text, v.Verdict, v.Causes)
		}
	}
}
