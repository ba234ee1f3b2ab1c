package zimoos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"zimoscope/backend/requestview/wire"
)

func frameJSON(cursor, title string) string {
	return fmt.Sprintf(`{"protocol":"zimoos/os-frame","version":"1","frameCursor":%q,"title":%q,"status":"idle","visibleContent":[{"itemId":"a","kind":"note","title":"Milk","content":"2 l"}],"shortcuts":[{"id":"s","cmd":"open a","label":"Open","effectPreview":"Opens it","riskLevel":"safe"}],"handles":[{"id":"h1","label":"All","tokenEstimate":12345678901234567890}],"tokenBudget":{"max":4000,"used":9007199254740993,"truncated":false},"other":1}`, cursor, title)
}

func textResult(texts ...string) []byte {
	var parts []string
	for _, s := range texts {
		parts = append(parts, `{"type":"text","text":`+string(wire.AppendQuoted(nil, s))+`}`)
	}
	return []byte(`{"content":[` + strings.Join(parts, ",") + `]}`)
}

func pretty(s string) string {
	var b bytes.Buffer
	_ = json.Indent(&b, []byte(s), "", "  ")
	return b.String()
}

func TestFrameIsRecognisedByItsProtocolWhereverItStands(t *testing.T) {
	f := frameJSON("c7", "Notes")
	q := string(wire.AppendQuoted(nil, f))
	for name, c := range map[string]struct {
		result []byte
		texts  int
	}{
		"text part":           {textResult(f), 0},
		"pretty-printed":      {textResult(pretty(f)), 0},
		"second text part":    {textResult("12 hits", f), 1},
		"wrapped":             {textResult(`{"ok":true,"data":{"frame":` + f + `}}`), 1},
		"structured":          {[]byte(`{"structuredContent":` + f + `}`), 0},
		"structured wrapped":  {[]byte(`{"content":[],"structuredContent":{"n":1,"frame":` + f + `}}`), 1},
		"structured and text": {[]byte(`{"content":[{"type":"text","text":` + q + `},{"type":"text","text":"done"}],"structuredContent":` + f + `}`), 1},
		"resource":            {[]byte(`{"content":[{"type":"resource","resource":{"uri":"x:y","text":` + q + `}}]}`), 0},
		"beside an odd part":  {[]byte(`{"content":[{"type":"json","value":1},{"type":"text","text":` + q + `}]}`), 1},
	} {
		r := Recognise(c.result)
		if r.Frame == nil || r.Frame.Cursor != "c7" || r.Frame.Title != "Notes" {
			t.Errorf("%s: no frame", name)
			continue
		}
		if len(r.Texts) != c.texts {
			t.Errorf("%s: texts %q", name, r.Texts)
		}
		if _, _, found := StateIn(strings.Join(r.Texts, "\n")); found {
			t.Errorf("%s: frame state left in %q", name, r.Texts)
		}
		if r.Frame.Budget.Used != "9007199254740993" || r.Frame.Handles[0].Tokens != "12345678901234567890" {
			t.Errorf("%s: digits lost: %+v", name, r.Frame.Budget)
		}
	}
}

func TestOrdinaryAndMalformedResultsAreNoFrames(t *testing.T) {
	for name, s := range map[string]string{
		"no cursor":      `{"protocol":"zimoos/os-frame","version":"1","visibleContent":[],"shortcuts":[],"handles":[]}`,
		"empty cursor":   `{"protocol":"zimoos/os-frame","version":"1","frameCursor":"","visibleContent":[],"shortcuts":[],"handles":[]}`,
		"number version": `{"protocol":"zimoos/os-frame","version":1,"frameCursor":"c","visibleContent":[],"shortcuts":[],"handles":[]}`,
		"no handles":     `{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c","visibleContent":[],"shortcuts":[]}`,
		"object list":    `{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c","visibleContent":{},"shortcuts":[],"handles":[]}`,
	} {
		r := Recognise(textResult(s))
		if r.Frame != nil || r.Malformed == "" || len(r.Texts) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, s := range []string{`{"protocol":"other","frameCursor":"c"}`, "hello", `[` + frameJSON("c", "t") + `]`, "see " + frameJSON("c", "t")} {
		if r := Recognise(textResult(s)); r.Claims() || len(r.Texts) != 1 {
			t.Errorf("%.30s: taken for a frame", s)
		}
	}
	if r := Recognise([]byte(`{"isError":true,"content":[{"type":"text","text":` + string(wire.AppendQuoted(nil, `{"error":"stale","frame":`+frameJSON("c", "t")+`}`)) + `}]}`)); !r.IsError || r.Frame == nil || !strings.Contains(r.Texts[0], "stale") {
		t.Errorf("error result: %+v", r)
	}
}

func TestSlotKeepsTheNewestCall(t *testing.T) {
	var s Slot
	a, b := &Frame{Cursor: "c1"}, &Frame{Cursor: "c2"}
	if !s.Offer(b, "zimoos.act", "2", 2) || s.Offer(a, "zimoos.current", "1", 1) || s.Frame != b {
		t.Fatal("an answer to an older call replaced a newer frame")
	}
	if s.Offer(nil, "", "", 9) || s.Frame != b {
		t.Fatal("no frame must not touch the slot")
	}
	s.Clear()
	if s.Frame != nil || !s.EverFilled() || s.Offer(a, "", "", 1) {
		t.Fatal("a cleared slot must stay empty for late answers and remember that it was filled")
	}
}

func TestNamesRoundTripWithoutCollision(t *testing.T) {
	long := strings.Repeat("x", 70)
	tools := []PublicName{{"", "zimoos.current"}, {"", "zimoos_x2e_current"}, {"mteam-primary", "zimoos.current"}, {"a__b", "c"}, {"a", "b__c"},
		{"s", long + "1"}, {"s", long + "2"}, {"中文", "工具"}, {"", "a b"}, {"", "a_x20_b"}}
	n, again := NewNames(tools), NewNames(tools)
	seen := map[string]bool{}
	for _, tool := range tools {
		f, ok := n.Function(tool)
		back, ok2 := n.Public(f)
		f2, _ := again.Function(tool)
		if _, isLegal := Legal(f); !ok || !ok2 || back != tool || seen[f] || f2 != f || !isLegal {
			t.Errorf("%v -> %q -> %v", tool, f, back)
		}
		seen[f] = true
	}
	if f, _ := n.Function(tools[0]); f != "zimoos_x2e_current" {
		t.Errorf("zimoos.current became %q", f)
	}
	if f, _ := n.Function(tools[2]); f != "mteam-primary__zimoos_x2e_current" {
		t.Errorf("with its server it became %q", f)
	}
	if _, ok := n.Public("mteam-primary__zimoos_x2e_act"); ok {
		t.Error("a name that was not offered was decoded")
	}
	for _, bad := range []string{"", "a.b", "中", strings.Repeat("y", 100)} {
		if l, was := Legal(bad); was || l == "" || len(l) > 64 {
			t.Errorf("Legal(%q) = %q", bad, l)
		}
	}
}

// Frames as a recorded agent met them; skipped where that folder is not beside the tree.
func TestRecordedHistoryIsFoundAndMadeInert(t *testing.T) {
	raw, err := os.ReadFile("../../../shared/captures/s01-baseline-mixed-summaries/req-002.body.json")
	if err != nil {
		t.Skip("no recorded traffic beside this tree")
	}
	b, _ := wire.Scan(raw)
	last, _ := wire.String(wire.Get(b.Bytes(wire.KindMessage, b.Messages.Len()-1), "content"))
	if what, _, ok := StateIn(last); !ok || what != StateTag {
		t.Fatal("the carrier's block was not found")
	}
	if _, _, ok := StateIn(Neutralise(last)); ok {
		t.Fatal("still live after neutralising")
	}
}
