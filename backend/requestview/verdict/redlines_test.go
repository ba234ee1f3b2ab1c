package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func find(t fataler, list []Redline, id string) Redline {
	t.Helper()
	for _, l := range list {
		if l.ID == id {
			return l
		}
	}
	t.Fatalf("no %s", id)
	return Redline{}
}

func redlinesOf(t *testing.T, change func(p, n *draft)) []Redline {
	t.Helper()
	p, n := before(), after()
	change(&p, &n)
	c := NewChecker()
	c.Add(p.request(t))
	return c.Add(n.request(t)).Redlines
}

func TestRedlinesHoldOnAGoodPair(t *testing.T) {
	for _, l := range redlinesOf(t, func(_, _ *draft) {}) {
		switch l.ID {
		case "A4", "A10", "A13":
			if l.OK != nil || l.Detail == "" {
				t.Errorf("%+v", l)
			}
		default:
			if l.OK == nil || !*l.OK || l.Degraded || l.Request != "2" {
				t.Errorf("%+v", l)
			}
		}
	}
}

// Each redline is shown to fail when it is broken, and only together with those that the same break touches.
func TestEachRedlineFailsWhenBroken(t *testing.T) {
	for name, c := range map[string]struct {
		broken []string
		change func(p, n *draft)
	}{
		"A1 changed": {[]string{"A1", "A8", "A9"}, replace(0, "You", "we")},
		"A1 absent":  {[]string{"A1", "A2", "A8", "A9"}, func(_, n *draft) { n.messages = n.messages[1:] }},
		"A2 a second one": {[]string{"A2"}, func(p, n *draft) {
			n.messages = append(n.messages, `{"role":"system","content":"loop warning"}`)
			n.messages[9] = result("c", sealedRecord)
		}},
		"A2 a developer message": {[]string{"A2"}, func(p, n *draft) {
			n.messages = append(n.messages, `{"role":"developer","content":"x"}`)
			n.messages[9] = result("c", sealedRecord)
		}},
		"A2 state in the system text": {[]string{"A1", "A2", "A5"}, func(p, n *draft) { replace(0, "You", "<zimoos> You")(p, p); n.messages[0] = p.messages[0] }},
		"A3 two blocks":               {[]string{"A3", "A7"}, func(_, n *draft) { n.carrier = `{"role":"user","content":"` + testBlock + testBlock + `"}` }},
		"A3 no block":                 {[]string{"A3"}, func(_, n *draft) { n.carrier = "" }},
		"A3 not closed":               {[]string{"A3"}, func(_, n *draft) { n.carrier = strings.Replace(n.carrier, "</zimoos>", "", 1) }},
		"A3 raw frame": {[]string{"A3"}, func(_, n *draft) {
			n.carrier = strings.Replace(n.carrier, "title: T", `{\"protocol\":\"zimoos/os-frame\"}`, 1)
		}},
		"A3 raw frame in a field": {[]string{"A3"}, func(_, n *draft) {
			n.carrier = strings.Replace(n.carrier, "title: T", `title: {\\\"protocol\\\":\\\"zimoos/os-frame\\\"}`, 1)
		}},
		"A3 an escaped imitation": {[]string{"A3"}, func(_, n *draft) { n.carrier = strings.Replace(n.carrier, "title: T", `title: \u003c/zimoos>`, 1) }},
		"A5 a tool":               {[]string{"A5"}, replace(9, "idle", `\u003czimoos`)},
		"A5 the user":             {[]string{"A5"}, func(p, n *draft) { p.messages[1] = user("[ZimoOS Current Frame]"); n.messages[1] = p.messages[1] }},
		"A5 split over two parts": {[]string{"A5"}, func(p, n *draft) {
			p.messages[1] = `{"role":"user","content":[{"type":"text","text":"<zim"},{"type":"text","text":"oos>"}]}`
			n.messages[1] = p.messages[1]
		}},
		"A6 stays pending":         {[]string{"A6"}, func(_, n *draft) { n.messages[7] = result("b", pendingRecord) }},
		"A6 pending past the turn": {[]string{"A6"}, func(_, n *draft) { n.messages = append(n.messages, user("next")) }},
		"A6 no outcome":            {[]string{"A6"}, func(_, n *draft) { n.messages[9] = result("c", `Action: zimoos.act {}\nFrame audit: none`) }},
		"A6 count-only":            {[]string{"A6"}, func(_, n *draft) { n.messages[9] = result("c", `12 items`) }},
		"A7 an old frame":          {[]string{"A7"}, func(_, n *draft) { n.messages[9] = result("c", strings.ReplaceAll(pendingRecord, "c2", "c3")) }},
		"A3 a tail that is more than the block": {[]string{"A3"}, func(_, n *draft) {
			n.carrier = ""
			n.messages[9] = result("c", sealedRecord)
			n.attach = `{"role":"user","content":"`
			n.attach += "go"
			n.block = " on" + testBlock
		}},
		"A9 rewritten":             {[]string{"A8", "A9"}, replace(5, "ordinary", "Ordinary")},
		"A9 an unannounced window": {[]string{"A8", "A9"}, func(_, n *draft) { n.messages = slices.Delete(n.messages, 2, 6) }},
		"A11 no result":            {[]string{"A11"}, func(_, n *draft) { n.messages = n.messages[:9] }},
		"A11 an orphan":            {[]string{"A11"}, func(_, n *draft) { n.messages = append(n.messages, result("c", sealedRecord)) }},
		"A11 twice the same id": {[]string{"A11"}, func(_, n *draft) {
			n.messages[8] = calls("x", "c", "c")
			n.messages = append(n.messages, result("c", pendingRecord))
		}},
		"A11 the wrong order": {[]string{"A11"}, func(_, n *draft) {
			n.messages[8] = calls("x", "c", "d")
			n.messages[9] = result("d", pendingRecord)
			n.messages = append(n.messages, result("c", pendingRecord))
		}},
		"A11 something between":        {[]string{"A11"}, func(_, n *draft) { n.messages = slices.Insert(n.messages, 9, user("hm")) }},
		"A12 an illegal name":          {[]string{"A12"}, func(p, n *draft) { p.tools[1] = toolDef("os.list", "x"); n.tools[1] = p.tools[1] }},
		"A12 the same name twice":      {[]string{"A12"}, func(p, n *draft) { p.tools[1] = p.tools[2]; n.tools[1] = p.tools[1] }},
		"A12 an illegal name recalled": {[]string{"A12"}, func(p, n *draft) { replace(4, "os__list", "os.list")(p, p); n.messages[4] = p.messages[4] }},
	} {
		t.Run(name, func(t *testing.T) {
			var broken []string
			list := redlinesOf(t, c.change)
			for _, l := range list {
				if l.OK != nil && !*l.OK {
					broken = append(broken, l.ID)
				}
			}
			if !slices.Equal(broken, c.broken) {
				t.Fatalf("broken %v, want %v: %+v", broken, c.broken, list)
			}
		})
	}
}

func TestADerivedSummaryIsDegradedNotFalse(t *testing.T) {
	l := find(t, redlinesOf(t, replace(7, "Summary: ", "Summary (derived): ")), "A6")
	if l.OK == nil || !*l.OK || !l.Degraded || !strings.Contains(l.Detail, "1 of 3") {
		t.Fatalf("%+v", l)
	}
}

func TestAnOrdinaryResultInTheFormOfARecordIsNone(t *testing.T) {
	l := find(t, redlinesOf(t, func(p, n *draft) { p.messages[5] = result("l", pendingRecord); n.messages[5] = p.messages[5] }), "A6")
	if !*l.OK {
		t.Fatalf("%+v", l)
	}
}

// A late frame is audited but never becomes the current one.
func TestALateFrameIsNotTheNewest(t *testing.T) {
	late := strings.NewReplacer("Outcome: ok", "Outcome: superseded", "c2", "c9").Replace(pendingRecord)
	if l := find(t, redlinesOf(t, func(_, n *draft) { n.messages[9] = result("c", late) }), "A7"); !*l.OK {
		t.Fatalf("%+v", l)
	}
}

func TestForeignBodiesWithoutASystemTextAreNotJudgedByIt(t *testing.T) {
	c := NewChecker()
	d := draft{model: "m", params: `"stream":true`, foreign: true, messages: []string{user("hi")}}
	for _, l := range c.Add(d.request(t)).Redlines {
		if l.OK != nil && !*l.OK {
			t.Errorf("%+v", l)
		}
	}
}

func TestTheStoreAnswersA4(t *testing.T) {
	c := NewChecker()
	c.Transcript = func(*Request) (bool, string) { return false, "a block in the transcript" }
	if l := find(t, c.Add(before().request(t)).Redlines, "A4"); l.OK == nil || *l.OK {
		t.Fatalf("%+v", l)
	}
}

func TestAnnouncedChangesKeepTheRedlines(t *testing.T) {
	for _, l := range redlinesOf(t, window(2, 6)) {
		if l.OK != nil && !*l.OK {
			t.Errorf("%+v", l)
		}
	}
}

// randomThread draws requests that follow each other, with random breaks.
func randomThread(t *rapid.T) []*Request {
	d := before()
	d.messages = d.messages[:2]
	foreign := rapid.Bool().Draw(t, "foreign")
	var out []*Request
	for n := 1; n <= rapid.IntRange(2, 8).Draw(t, "requests"); n++ {
		d.number, d.meta.Predecessor, d.foreign = n, 0, foreign
		d.meta.Kind = KindMain
		if n > 2 && rapid.IntRange(0, 4).Draw(t, "side") == 0 {
			d.meta.Kind = KindSide
		}
		out = append(out, d.request(t))
		d = step(t, d.clone(), n)
	}
	return out
}

func step(t *rapid.T, d draft, n int) draft {
	id := fmt.Sprint("c", n%2)
	for i := range d.messages {
		d.messages[i] = strings.Replace(d.messages[i], pendingRecord+`"}`, sealedRecord+`"}`, 1)
	}
	switch rapid.IntRange(0, 9).Draw(t, "step") {
	case 0:
		i := rapid.IntRange(0, len(d.messages)-1).Draw(t, "dropped")
		d.messages = slices.Delete(d.messages, i, i+1)
	case 1:
		i := rapid.IntRange(0, len(d.messages)).Draw(t, "at")
		d.messages = slices.Insert(d.messages, i, user("<zimoos>"), `{"role":"system","content":"x"}`)
	case 2:
		d.tools = slices.Insert(d.tools, 0, toolDef("bad name", "x"))
	case 3:
		d.messages = append(d.messages, user("more"))
	case 4:
		d.messages = append(d.messages, plainCall(id), result(id, "some text"))
	default:
		d.messages = append(d.messages, calls("go", id), result(id, pendingRecord))
	}
	if len(d.messages) == 0 {
		d.messages = append(d.messages, user("start"))
	}
	return d
}

func TestAnIncrementalCheckerSaysWhatAFreshOneSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reqs := randomThread(t)
		c := NewChecker()
		var last *Request
		for _, r := range reqs {
			got := c.Add(r)
			if got.Attempt {
				continue
			}
			fresh := NewChecker()
			if last != nil {
				fresh.Add(last)
			}
			want := fresh.Add(r)
			if fmt.Sprintf("%+v", plain(got)) != fmt.Sprintf("%+v", plain(want)) {
				t.Fatalf("request %s\n%+v\n%+v", r.Name, plain(got), plain(want))
			}
			if v := Compare(last, r); fmt.Sprintf("%+v", plain(Result{Verdict: v})) != fmt.Sprintf("%+v", plain(Result{Verdict: got.Verdict})) {
				t.Fatalf("Compare says %+v, the checker %+v", v, got.Verdict)
			}
			if r.Meta == nil || r.Meta.Kind != KindSide {
				last = r
			}
		}
	})
}

// plain replaces pointers by what they point at, so that results can be compared as text.
func plain(r Result) any {
	out := []any{r.Verdict.Verdict, deref(r.Verdict.Planned), r.Verdict.HistoryLost, r.Verdict.BodyOffset, r.Verdict.Notes}
	for _, c := range r.Verdict.Causes {
		out = append(out, c.Kind, deref(c.Planned), c.Path, c.BodyOffset, c.Detail)
	}
	for _, l := range r.Redlines {
		out = append(out, l.ID, deref(l.OK), l.Degraded, l.Detail)
	}
	return out
}
