package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/requestview/wire"
)

// mutation is one change of the later request, and what must be said of it. place is a text at whose first byte, in
// the changed part, the difference must be found; without it only the part is compared.
type mutation struct {
	change  func(prev, next *draft)
	verdict Kind
	planned *bool
	part    PartRef
	path    string
	place   string
	causes  []Kind
}

func replace(i int, old, with string) func(_, n *draft) {
	return func(_, n *draft) { n.messages[i] = strings.Replace(n.messages[i], old, with, 1) }
}

func message(i int) PartRef { return PartRef{wire.KindMessage, i} }

func mutations() map[string]mutation {
	return map[string]mutation{
		"nothing":                      {func(_, _ *draft) {}, Sealed, yes(), message(7), "$.messages[7].content", `\nSummary: It`, []Kind{Sealed}},
		"last byte of a long message":  {replace(5, "result", "resulT"), Rewritten, no(), message(5), "$.messages[5].content", "T", []Kind{Rewritten, Sealed}},
		"order of two tools":           {func(_, n *draft) { n.tools[0], n.tools[1] = n.tools[1], n.tools[0] }, ToolsChanged, no(), PartRef{wire.KindTool, 0}, "$.tools[0].function.name", "list", []Kind{ToolsChanged, Sealed}},
		"a description":                {func(_, n *draft) { n.tools[1] = toolDef("os__list", "Lists") }, ToolsChanged, no(), PartRef{wire.KindTool, 1}, "$.tools[1].function.description", "Lists", []Kind{ToolsChanged, Sealed}},
		"a tool added":                 {func(_, n *draft) { n.tools = append(n.tools, toolDef("os__new", "new")) }, ToolsChanged, no(), PartRef{wire.KindTool, 3}, "$.tools[3]", "", []Kind{ToolsChanged, Sealed}},
		"a tool removed":               {func(_, n *draft) { n.tools = n.tools[1:] }, ToolsChanged, no(), PartRef{wire.KindTool, 0}, "$.tools[0].function.name", "list", []Kind{ToolsChanged, Sealed}},
		"argument key order":           {replace(2, `{\"frameCursor\":\"c1\",\"cmd\":\"open\"}`, `{\"cmd\":\"open\",\"frameCursor\":\"c1\"}`), Rewritten, no(), message(2), "$.messages[2].tool_calls[0].function.arguments", `cmd\":\"open\",\"f`, []Kind{Rewritten, Sealed}},
		"a parameter":                  {func(_, n *draft) { n.params = `"stream":true,"temperature":0.7` }, RestChanged, nil, PartRef{wire.KindRest, 0}, "$.temperature", "", []Kind{RestChanged, Sealed}},
		"the model":                    {func(_, n *draft) { n.model = "n" }, ModelChanged, no(), PartRef{wire.KindModel, 0}, "$.model", `n"`, []Kind{ModelChanged, Sealed}},
		"the system text":              {replace(0, "You", "we"), SystemChanged, no(), message(0), "$.messages[0].content", "we", []Kind{SystemChanged, Sealed}},
		"a message dropped":            {func(_, n *draft) { n.messages = slices.Delete(n.messages, 1, 2) }, Windowed, no(), message(1), "$.messages[1].role", "assistant", []Kind{Windowed, Sealed}},
		"a message inserted":           {func(_, n *draft) { n.messages = slices.Insert(n.messages, 2, user("hm")) }, Rewritten, no(), message(2), "$.messages[2].role", "user", []Kind{Rewritten, Sealed}},
		"two messages swapped":         {func(_, n *draft) { n.messages[1], n.messages[3] = n.messages[3], n.messages[1] }, Rewritten, no(), message(1), "$.messages[1].role", "tool", []Kind{Rewritten, Rewritten, Sealed}},
		"the last message dropped":     {func(_, n *draft) { n.messages = n.messages[:7] }, Rewritten, no(), message(7), "$.messages[7].role", "user", []Kind{Rewritten}},
		"an unannounced window":        {func(_, n *draft) { n.messages = slices.Delete(n.messages, 2, 6) }, Windowed, no(), message(2), "$.messages[2].content", "Again", []Kind{Windowed, Sealed}},
		"an announced window":          {window(2, 6), Windowed, yes(), message(2), "$.messages[2].content", "Again", []Kind{Windowed, Sealed}},
		"a window announced otherwise": {func(p, n *draft) { window(2, 6)(p, n); n.meta.Announcements[0].To = 5 }, Windowed, no(), message(2), "$.messages[2].content", "Again", []Kind{Windowed, Sealed}},
		"a window and a rewrite":       {func(p, n *draft) { window(2, 4)(p, n); replace(3, "ordinary", "Ordinary")(p, n) }, Rewritten, no(), message(2), "", "", []Kind{Rewritten, Windowed, Sealed}},
		"a sealed record sealed again": {replace(3, `It opened.`, `It opened.\nSummary: More.`), Rewritten, no(), message(3), "$.messages[3].content", `\nSummary: More`, []Kind{Rewritten, Sealed}},
		"a sealed record grown":        {replace(3, `It opened.`, `It opened. Wide.`), Rewritten, no(), message(3), "$.messages[3].content", ` Wide`, []Kind{Rewritten, Sealed}},
		"an ordinary result grown":     {replace(5, `result`, `result\nSummary: x`), Rewritten, no(), message(5), "$.messages[5].content", `\nSummary`, []Kind{Rewritten, Sealed}},
		"two lines for a seal":         {replace(7, `It opened.`, `It opened.\nAnd more.`), Rewritten, no(), message(7), "$.messages[7].content", `\nSummary`, []Kind{Rewritten}},
		"a seal with no words":         {replace(7, `It opened.`, ``), Rewritten, no(), message(7), "$.messages[7].content", `\nSummary`, []Kind{Rewritten}},
		"sealed by code":               {replace(7, `Summary: `, `Summary (derived): `), Sealed, yes(), message(7), "$.messages[7].content", `\nSummary (d`, []Kind{Sealed}},
		"two changes at once": {func(p, n *draft) {
			replace(1, "open", "close")(p, n)
			replace(5, "an", "An")(p, n)
			n.tools[2] = toolDef("os__read", "READS")
		}, Rewritten, no(), PartRef{wire.KindTool, 2}, "$.tools[2].function.description", "READS", []Kind{Rewritten, Rewritten, ToolsChanged, Sealed}},
		"a tag in a result":                       {replace(9, "Action", `<zimoos> Action`), Leaked, no(), message(9), "$.messages[9].content", "<zimoos>", []Kind{Leaked, Sealed}},
		"an escaped tag in arguments":             {replace(8, `\"open\"`, `\"\\u003czimoos x=1\"`), Leaked, no(), message(8), "$.messages[8].tool_calls[0].function.arguments", `\\u003cz`, []Kind{Leaked, Sealed}},
		"a tag spelt with an escape in arguments": {replace(8, `\"open\"`, `\"<zi\\u006doos>\"`), Leaked, no(), message(8), "$.messages[8].tool_calls[0].function.arguments", `<zi`, []Kind{Leaked, Sealed}},
		"a tag behind other escapes":              {replace(9, "Action", `\u00e9\ud83d\ude00\t<zimoos> Action`), Leaked, no(), message(9), "$.messages[9].content", "<zimoos>", []Kind{Leaked, Sealed}},
		"the last two messages swapped":           {func(_, n *draft) { n.messages[6], n.messages[7] = result("b", pendingRecord), n.messages[6] }, Rewritten, no(), message(6), "$.messages[6].role", "tool", []Kind{Rewritten}},
		"a window announced too wide":             {func(p, n *draft) { window(2, 8)(p, n); n.meta.Announcements[0].To = 20 }, Rewritten, no(), message(2), "", "", []Kind{Rewritten, Rewritten, Rewritten}},
		"raw frame JSON in a result":              {replace(9, "Action", `{\"protocol\":\"zimoos/os-frame\"} Action`), Leaked, no(), message(9), "$.messages[9].content", `\"protocol`, []Kind{Leaked, Sealed}},
		"a tag in a description":                  {func(p, n *draft) { p.tools[1] = toolDef("os__list", "see </ZimoOS>"); n.tools[1] = p.tools[1] }, Leaked, no(), PartRef{wire.KindTool, 1}, "$.tools[1].function.description", "</Z", []Kind{Leaked, Sealed}},
		"another block":                           {func(_, n *draft) { n.carrier = strings.ReplaceAll(n.carrier, "title: T", "title: U") }, Sealed, yes(), message(7), "", "", []Kind{Sealed}},
		"an unannounced model of a kind":          {func(_, n *draft) { n.model = "n"; n.meta.Announcements = []Announcement{{Kind: AnnounceModel}} }, ModelChanged, no(), PartRef{wire.KindModel, 0}, "", "", []Kind{ModelChanged, Sealed}},
		"an announced model": {func(_, n *draft) {
			n.model = "n"
			n.meta.Announcements = []Announcement{{Kind: AnnounceModel, Leaf: wire.Leaf(wire.KindModel, []byte(`"n"`))}}
		}, ModelChanged, yes(), PartRef{wire.KindModel, 0}, "", "", []Kind{ModelChanged, Sealed}},
		"an announced system text": {func(p, n *draft) {
			replace(0, "You", "we")(p, n)
			n.meta.Announcements = []Announcement{{Kind: AnnounceSystem, Leaf: wire.Leaf(wire.KindMessage, []byte(n.messages[0]))}}
		}, SystemChanged, yes(), message(0), "", "", []Kind{SystemChanged, Sealed}},
	}
}

func window(from, to int) func(_, n *draft) {
	return func(_, n *draft) {
		n.messages = slices.Delete(n.messages, from, to)
		n.meta.Announcements = []Announcement{{Kind: AnnounceWindow, From: from, To: to}}
	}
}

func TestEveryChangeIsNamedAndLocated(t *testing.T) {
	for name, m := range mutations() {
		t.Run(name, func(t *testing.T) {
			p, n := before(), after()
			m.change(&p, &n)
			next := n.request(t)
			v := Compare(p.request(t), next)
			m.verify(t, next, v)
		})
	}
}

func (m mutation) verify(t *testing.T, next *Request, v Verdict) {
	t.Helper()
	if v.Verdict != m.verdict || fmt.Sprint(deref(v.Planned)) != fmt.Sprint(deref(m.planned)) {
		t.Fatalf("%s planned %v, want %s %v: %+v", v.Verdict, deref(v.Planned), m.verdict, deref(m.planned), v.Causes)
	}
	if v.Part == nil || *v.Part != m.part || m.path != "" && v.Path != m.path {
		t.Fatalf("%+v %s, want %+v %s", v.Part, v.Path, m.part, m.path)
	}
	if m.place != "" {
		if !strings.HasPrefix(string(next.Body.Raw[v.BodyOffset:]), m.place) {
			t.Errorf("body offset points at %.30q, want %q", next.Body.Raw[v.BodyOffset:], m.place)
		}
		if !strings.HasPrefix(string(next.Body.Bytes(v.Part.Kind, v.Part.Index)[v.PartOffset:]), m.place) {
			t.Errorf("part offset %d is not at %q", v.PartOffset, m.place)
		}
	}
	var kinds []Kind
	for _, c := range v.Causes {
		kinds = append(kinds, c.Kind)
		if c.Part == nil || c.BodyOffset < 0 || c.Detail == "" {
			t.Errorf("a cause without a place: %+v", c)
		}
	}
	if !slices.Equal(kinds, m.causes) {
		t.Errorf("causes %v, want %v: %+v", kinds, m.causes, v.Causes)
	}
}

func deref(b *bool) any {
	if b == nil {
		return nil
	}
	return *b
}

func TestTextBeforeTheTailIsHistory(t *testing.T) {
	p, n := before(), after()
	p.carrier, p.messages = "", p.messages[:1]
	p.attach = `{"role":"user","content":"open it`
	n.messages = append(p.messages[:1:1], user("open it"), calls("I open it.", "a"), result("a", pendingRecord))
	v := Compare(p.request(t), n.request(t))
	if v.Verdict != Extended || v.HistoryLost != 0 || v.PartOffset != len(p.attach) {
		t.Fatalf("%s, lost %d, %+v", v.Verdict, v.HistoryLost, v.Causes)
	}
	for _, changed := range []string{"open It", "open it all", "open i", ""} {
		n.messages[1] = user(changed)
		v = Compare(p.request(t), n.request(t))
		if v.Verdict != Rewritten || *v.Part != message(1) || v.HistoryLost == 0 && changed != "open it all" {
			t.Fatalf("%q: %s, lost %d, %+v", changed, v.Verdict, v.HistoryLost, v.Causes)
		}
	}
}

func TestATailInAToolMessageMaySealWhatPrecedesIt(t *testing.T) {
	p, n := before(), after()
	p.carrier, p.messages = "", p.messages[:7]
	p.attach = strings.TrimSuffix(result("b", pendingRecord), `"}`)
	v := Compare(p.request(t), n.request(t))
	if v.Verdict != Sealed || v.HistoryLost != 0 {
		t.Fatalf("%s, lost %d, %+v", v.Verdict, v.HistoryLost, v.Causes)
	}
}

func TestASealLosesOnlyItsCloser(t *testing.T) {
	p, n := before(), after()
	if v := Compare(p.request(t), n.request(t)); v.HistoryLost != len(`"}`) {
		t.Fatal(v.HistoryLost)
	}
}

func TestForeignBodiesAreNeverPlanned(t *testing.T) {
	p, n := before(), after()
	p.foreign, n.foreign = true, true
	v := Compare(p.request(t), n.request(t))
	if v.Verdict != Sealed || v.Planned != nil || !slices.Contains(v.Notes, "tail text not compared") {
		t.Fatalf("%s %v %v", v.Verdict, v.Planned, v.Notes)
	}
	n.messages = slices.Delete(n.messages, 2, 6)
	if v = Compare(p.request(t), n.request(t)); v.Verdict != Windowed || v.Planned != nil || !v.Violation() {
		t.Fatalf("%s %v", v.Verdict, v.Planned)
	}
}

func TestForeignProseAboutTheBlockIsNoLeak(t *testing.T) {
	for text, leak := range map[string]bool{
		`The <zimoos> block at the end is request-only.`:               false,
		`It stands between <zimoos> and </zimoos>.`:                    false,
		`A heading [ZimoOS Current Frame] marks it.`:                   false,
		`<zimoos source=\"x\">\ntitle: old\n</zimoos>`:                 true,
		`<zimoos>\ntitle: old\n</zimoos>`:                              true,
		`[ZimoOS Current Frame]\ntitle: old`:                           true,
		`{\"protocol\":\"zimoos/os-frame\",\"frameCursor\":\"c\"}`:     true,
		`{\"x\":\"{\\\"protocol\\\":\\\"zimoos/os-frame\\\"}\"}`:       true,
		`<ZIMOOS frame_cursor = 'x'>`:                                  true,
		`nothing of the kind, but zimoos.current and zimoos/os-frame.`: false,
	} {
		p, n := before(), after()
		p.foreign, n.foreign = true, true
		p.messages[0] = fmt.Sprintf(`{"role":"system","content":"%s"}`, text)
		n.messages[0] = p.messages[0]
		if v := Compare(p.request(t), n.request(t)); v.Has(Leaked) != leak {
			t.Errorf("%s: %v", text, v.Causes)
		}
	}
}

func TestAMovedCacheMarkIsNoRewrite(t *testing.T) {
	mark := func(text string, marked bool) string {
		m := ""
		if marked {
			m = `,"cache_control":{"type":"ephemeral"}`
		}
		return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"%s"%s}]}`, text, m)
	}
	p := draft{model: "m", params: `"stream":true`, foreign: true, messages: []string{mark("a", false), mark("b", true)}}
	n := draft{model: "m", params: `"stream":true`, foreign: true, messages: []string{mark("a", false), mark("b", false), mark("c", true)}}
	v := Compare(p.request(t), n.request(t))
	if v.Verdict != Extended || !v.Has(MarkMoved) {
		t.Fatalf("%s %+v", v.Verdict, v.Causes)
	}
	n.messages[1] = mark("B", false)
	if v = Compare(p.request(t), n.request(t)); v.Verdict != Rewritten {
		t.Fatalf("%s %+v", v.Verdict, v.Causes)
	}
}

func TestAnnouncementsOfAnotherPairDoNotCount(t *testing.T) {
	p, n := before(), after()
	window(2, 6)(&p, &n)
	p.number, n.meta.Predecessor = 5, 9
	v := Compare(p.request(t), n.request(t))
	if v.Verdict != Windowed || *v.Planned || len(v.Notes) != 1 {
		t.Fatalf("%s %v %v", v.Verdict, v.Planned, v.Notes)
	}
}

// Repeated messages make the place of a window ambiguous; the announced one must still hold.
func TestAnAnnouncedWindowAmongEqualMessages(t *testing.T) {
	p, n := before(), before()
	for i := 1; i < 8; i++ {
		p.messages[i] = user("again")
	}
	n.number, n.meta.Predecessor = 2, 1
	n.messages = slices.Clone(p.messages)
	window(2, 5)(&p, &n)
	if v := Compare(p.request(t), n.request(t)); v.Verdict != Windowed || !*v.Planned {
		t.Fatalf("%s %+v", v.Verdict, v.Causes)
	}
}

func TestFirstHasNothingToCompareWith(t *testing.T) {
	v := Compare(nil, before().request(t))
	if v.Verdict != First || v.Part != nil || v.BodyOffset != -1 {
		t.Fatalf("%+v", v)
	}
}

func TestOtherShapesNameTheirMembers(t *testing.T) {
	scan := func(s string) *Request {
		b, err := wire.Scan([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return &Request{Body: b}
	}
	a := scan(`{"model":"m","instructions":"one","input":[{"role":"user","content":"x"}]}`)
	b := scan(`{"model":"m","instructions":"two","input":[{"role":"user","content":"y"}],"previous_response_id":"r"}`)
	v := Compare(a, b)
	if v.Verdict != Rewritten || !v.Has(SystemChanged) || v.Path != "$.instructions" || v.Causes[0].Path != "$.input[0].content" || len(v.Notes) == 0 {
		t.Fatalf("%+v %s", v, v.Causes[0].Path)
	}
	v = Compare(scan(`{"input":"one"}`), scan(`{"input":"two"}`))
	if v.Verdict != Rewritten || v.Path != "$.input" {
		t.Fatalf("%+v", v)
	}
}
