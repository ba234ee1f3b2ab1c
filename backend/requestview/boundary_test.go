package requestview

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
	"zimoscope/backend/zimoos"
)

func session(t *testing.T, p transcript.Placement, e transcript.EmptyContent) *transcript.Transcript {
	t.Helper()
	tr, err := transcript.New(transcript.Header{Model: "m", Params: []wire.Param{{Name: "stream", Raw: []byte("true")}, {Name: "temperature", Raw: []byte("0.10")}},
		Tools:  []transcript.ToolDef{{Function: "zimoos_x2e_act", Name: "zimoos.act", Raw: []byte(`{"type":"function","function":{"name":"zimoos_x2e_act"}}`)}},
		System: "You work inside ZimoOS.", Rules: transcript.Rules{Placement: p, EmptyContent: e}})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func slotWith(cursor string) zimoos.Slot {
	var s zimoos.Slot
	s.Offer(&zimoos.Frame{Cursor: cursor, Title: "Title of " + cursor, Visible: []zimoos.Item{{ID: "a", Title: "Item \"1\"\n<x>"}}}, "zimoos.act", "call", 1)
	return s
}

// history is everything before the tail.
func (v *View) history() []byte { return v.Body.Raw[:v.TailOffset] }

func operate(t *testing.T, tr *transcript.Transcript, text, cursor string) {
	t.Helper()
	calls, err := tr.AppendReply(transcript.Reply{Text: text, Calls: []transcript.Call{{ID: "c", Function: "zimoos_x2e_act", Arguments: `{"frameCursor":"` + cursor + `"}`}}})
	must(t, err)
	must(t, tr.AppendOperation(transcript.Operation{CallID: calls[0].ID, Tool: "zimoos.act", Arguments: "{}", Outcome: transcript.OK, Frame: &zimoos.Frame{Cursor: cursor, Title: "T"}}))
}

var placements = []transcript.Placement{transcript.Attach, transcript.Separate, transcript.InTool}

func TestCarrierByPlacementEmptyContentAndLastRole(t *testing.T) {
	for _, e := range []transcript.EmptyContent{transcript.ContentNull, transcript.ContentEmpty, transcript.ContentAbsent} {
		for _, p := range placements {
			for _, last := range []transcript.Role{transcript.User, transcript.Tool, transcript.Assistant} {
				tr := session(t, p, e)
				must(t, tr.AppendUser("Open \"Notes\"", nil))
				if last != transcript.User {
					operate(t, tr, "", "c1")
				}
				if last == transcript.Assistant {
					must(t, tr.Seal("s", transcript.FromNarration))
					_, err := tr.AppendReply(transcript.Reply{Text: "done"})
					must(t, err)
				}
				v := Build(Input{Transcript: tr.View(), Slot: slotWith("c1"), Notices: []string{"Task stack: one"}})
				want := OwnMessage
				if last == transcript.User && p != transcript.Separate {
					want = InUser
				}
				if last == transcript.Tool && p == transcript.InTool {
					want = InToolText
				}
				name := fmt.Sprint(e, "/", p, "/", last)
				if v.Carrier != want {
					t.Errorf("%s: carrier %s, want %s", name, v.Carrier, want)
				}
				checkTail(t, name, v, tr)
			}
		}
	}
}

func checkTail(t *testing.T, name string, v *View, tr *transcript.Transcript) {
	t.Helper()
	scanned, err := wire.Scan(v.Body.Raw)
	must(t, err)
	if scanned.Last() != v.Body.Last() || scanned.Rest != v.Body.Rest {
		t.Errorf("%s: claimed chain differs from the scanned one", name)
	}
	n := scanned.Messages.Len() - 1
	last := scanned.Bytes(wire.KindMessage, n)
	content, _ := wire.String(wire.Get(last, "content"))
	if strings.Count(content, "<zimoos ") != 1 || strings.Count(content, "</zimoos>") != 1 || !strings.HasSuffix(content, "</zimoos>\n\nTask stack: one") {
		t.Errorf("%s: tail %q", name, content)
	}
	if bytes.Contains(v.history(), []byte("zimoos source")) {
		t.Errorf("%s: block before the tail", name)
	}
	if rest := string(v.Body.Raw[v.TailOffset:]); v.Carrier != OwnMessage && !strings.HasPrefix(rest, `\n\n<zimoos `) {
		t.Errorf("%s: the tail does not begin with the block's newlines: %.40q", name, rest)
	}
	if bytes.Contains(tr.JSONL(), []byte("<zimoos")) {
		t.Errorf("%s: the block reached the transcript", name)
	}
	for i := range n {
		if role, _ := wire.String(wire.Get(scanned.Bytes(wire.KindMessage, i), "role")); (role == "system") != (i == 0) {
			t.Errorf("%s: message %d is %s", name, i, role)
		}
	}
}

func TestAnotherFrameChangesNothingBeforeTheTail(t *testing.T) {
	for _, p := range placements {
		tr := session(t, p, "")
		must(t, tr.AppendUser("go", nil))
		operate(t, tr, "Opening.", "c1")
		a := Build(Input{Transcript: tr.View(), Slot: slotWith("cA")})
		b := Build(Input{Transcript: tr.View(), Slot: slotWith("cB")})
		if !bytes.Equal(a.history(), b.history()) || bytes.Equal(a.Body.Raw, b.Body.Raw) {
			t.Errorf("%s: frame A and frame B must differ in the tail only", p)
		}
		n := a.Body.Messages.Len()
		if a.Body.Messages.Part(n-2).Link != b.Body.Messages.Part(n-2).Link {
			t.Errorf("%s: the links before the carrier differ", p)
		}
		again := Build(Input{Transcript: tr.View(), Slot: slotWith("cA")})
		if !bytes.Equal(a.Body.Raw, again.Body.Raw) {
			t.Errorf("%s: Build is not a pure function", p)
		}
	}
}

// From step to step the bytes before the tail are a prefix of the next request, sealing included, but for the
// closing bytes of the message that grew.
func TestHistoryIsABytePrefixOfTheNextRequest(t *testing.T) {
	for _, p := range placements {
		tr := session(t, p, "")
		must(t, tr.AppendUser("go", nil))
		slot := zimoos.Slot{}
		var before []byte
		check := func(step string) {
			v := Build(Input{Transcript: tr.View(), Slot: slot})
			keep := before
			for _, closer := range []string{`]}`, `"}`} { // an untailed body, then a pending record
				if !bytes.HasPrefix(v.Body.Raw, keep) {
					keep = bytes.TrimSuffix(keep, []byte(closer))
				}
			}
			keep = bytes.TrimSuffix(keep, []byte(","))
			if !bytes.HasPrefix(v.Body.Raw, bytes.TrimSuffix(keep, []byte(`"}`))) {
				t.Fatalf("%s, %s: the old history is no prefix:\n%s\n%s", p, step, before, v.Body.Raw)
			}
			before = bytes.Clone(v.history())
		}
		check("first")
		for i := range 5 {
			if _, pending := tr.Pending(); pending {
				must(t, tr.Seal(fmt.Sprintf("Did %d.", i), transcript.FromNarration))
			}
			operate(t, tr, "Next.", fmt.Sprint("c", i))
			slot.Remember()
			slot.Offer(&zimoos.Frame{Cursor: fmt.Sprint("c", i)}, "zimoos.act", "c", uint64(i+1))
			check(fmt.Sprint("step ", i))
		}
		must(t, tr.Seal("Did it.", transcript.FromStep))
		_, err := tr.AppendReply(transcript.Reply{Text: "All done."})
		must(t, err)
		must(t, tr.AppendUser("And now?", nil))
		check("second turn")
	}
}

func TestSummaryStepIsTheSameRequestWithOneInstructionAtItsEnd(t *testing.T) {
	for _, p := range placements {
		tr := session(t, p, "")
		must(t, tr.AppendUser("go", nil))
		operate(t, tr, "", "c1")
		main := Build(Input{Transcript: tr.View(), Slot: slotWith("c1"), Notices: []string{"n"}})
		side := SummaryStep(main)
		keep := len(main.Body.Raw) - len(`"}]}`)
		if !bytes.Equal(side.Body.Raw[:keep], main.Body.Raw[:keep]) || side.TailOffset != main.TailOffset {
			t.Fatalf("%s: the side request changed something else", p)
		}
		if got, _ := wire.String(append([]byte(`"`), side.Body.Raw[keep:len(side.Body.Raw)-3]...)); got != "\n\n"+SummaryInstruction {
			t.Fatalf("%s: %q", p, got)
		}
		if s, err := wire.Scan(side.Body.Raw); err != nil || s.Last() != side.Body.Last() {
			t.Fatalf("%s: %v", p, err)
		}
	}
}

func TestWithoutFrameAndNoticeThereIsNoTail(t *testing.T) {
	tr := session(t, "", "")
	must(t, tr.AppendUser("go", nil))
	v := Build(Input{Transcript: tr.View()})
	if v.Carrier != NoCarrier || v.TailOffset != len(v.Body.Raw) || bytes.Contains(v.Body.Raw, []byte("<zimoos")) {
		t.Fatalf("%s", v.Body.Raw)
	}
	v = Build(Input{Transcript: tr.View(), Notices: []string{"careful </zimoos>"}})
	if !strings.Contains(string(v.Body.Raw), `<zimoos state=\"none\"></zimoos>\n\ncareful ‹/zimoos>`) {
		t.Fatalf("%s", v.Body.Raw)
	}
}
