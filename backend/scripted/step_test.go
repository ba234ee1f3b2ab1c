package scripted

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func callStep(text string) Step {
	return Step{Text: text, ToolCalls: []ToolCall{{Name: "do.it", Arguments: []byte(`{"a":1}`)}}}
}

// plan has three steps with calls and a last word.
func plan() *Script {
	return &Script{Steps: []Step{callStep("zero"), callStep("one"), callStep("two"), {Text: "three"}}}
}

func TestStepsFollowTheConversation(t *testing.T) {
	c := newChat(t, serve(t, plan(), Options{}), "s", "u", "srv__do_x2e_it")
	for _, want := range []string{"zero", "one", "two", "three"} {
		m := c.follow()
		if said(m) != want {
			t.Fatalf("%q, want %q", said(m), want)
		}
		if want != "three" && m.ToolCalls[0].Function.Name != "srv__do_x2e_it" {
			t.Errorf("the call goes to %q, which was not offered", m.ToolCalls[0].Function.Name)
		}
	}
	c.add("user", "more")
	if m := c.follow(); !strings.Contains(said(m), "script ends") {
		t.Errorf("after the end: %q", said(m))
	}
}

func TestSameBodyGetsSameBytes(t *testing.T) {
	url := serve(t, plan(), Options{})
	c := newChat(t, url, "s", "u", "x__do_x2e_it")
	c.follow()
	first, _ := c.ask()
	c.follow()
	c.follow()
	// Sent again after the conversation went on: still the same step.
	c.messages = c.messages[:4]
	again, _ := c.ask()
	if said(first) != "one" || said(again) != "one" || first.ToolCalls[0].ID != again.ToolCalls[0].ID {
		t.Errorf("%q, then %q", said(first), said(again))
	}
}

func TestInterleavedConversationsKeepTheirPlace(t *testing.T) {
	url := serve(t, plan(), Options{})
	a, b := newChat(t, url, "s", "same words", "x__do_x2e_it"), newChat(t, url, "s", "same words", "x__do_x2e_it")
	var got []string
	for _, c := range []*chat{a, a, b, a, b, b} {
		got = append(got, said(c.follow()))
	}
	if s := strings.Join(got, " "); s != "zero one zero two one two" {
		t.Error(s)
	}
}

func TestDroppedOldMessagesDoNotMoveTheStep(t *testing.T) {
	c := newChat(t, serve(t, plan(), Options{}), "s", "u", "x__do_x2e_it")
	c.follow()
	c.follow()
	c.messages = append(c.messages[:2:2], c.messages[4:]...) // the first group leaves
	if m := c.follow(); said(m) != "two" {
		t.Errorf("%q, want two", said(m))
	}
	c.messages = append(c.messages[:2:2], c.messages[4:]...)
	if m := c.follow(); said(m) != "three" {
		t.Errorf("%q, want three", said(m))
	}
}

func TestARestartedProviderGoesOnWhereItWas(t *testing.T) {
	c := newChat(t, serve(t, plan(), Options{}), "s", "u", "x__do_x2e_it")
	c.follow()
	c.follow()
	c.url = serve(t, plan(), Options{})
	if m := c.follow(); said(m) != "two" {
		t.Errorf("%q, want two", said(m))
	}
}

func TestLoopStartsAgain(t *testing.T) {
	s := plan()
	s.AtEnd = AtEndLoop
	c := newChat(t, serve(t, s, Options{}), "s", "u", "x__do_x2e_it")
	var got []string
	for range 6 {
		got = append(got, said(c.follow()))
	}
	if g := strings.Join(got, " "); g != "zero one two three zero one" {
		t.Error(g)
	}
}

func TestOptionalStepsLeaveTheScriptWhenNotOffered(t *testing.T) {
	s := plan()
	s.Steps[1].ToolCalls[0] = ToolCall{Name: "files.list", Optional: true}
	url := serve(t, s, Options{})
	with, without := newChat(t, url, "s", "u", "x__do_x2e_it", "f__files_x2e_list"), newChat(t, url, "s", "u", "x__do_x2e_it")
	var got []string
	for _, c := range []*chat{with, with, with, without, without} {
		got = append(got, said(c.follow()))
	}
	if g := strings.Join(got, " "); g != "zero one two zero two" {
		t.Error(g)
	}
}

func TestSummaryRequestUsesUpNoStep(t *testing.T) {
	s := plan()
	s.Steps[1].Text, s.Steps[1].Summary = "", "Summary: {{title}} is open."
	c := newChat(t, serve(t, s, Options{}), "s", "u", "x__do_x2e_it")
	c.follow()
	if m := c.follow(carrier(sampleBlock)); said(m) != "" || len(m.ToolCalls) != 1 {
		t.Fatalf("step one: %+v", m)
	}
	before := c.messages
	c.messages = c.messages[:4]
	ask := carrier(sampleBlock + "\n\nBefore that: in one line that starts with \"Summary:\", say what happened.")
	m, _ := c.ask(ask)
	if said(m) != `Summary: My "notes" & more is open.` || len(m.ToolCalls) != 0 {
		t.Errorf("summary: %+v", m)
	}
	c.messages = before
	if m := c.follow(carrier(sampleBlock)); said(m) != "two" {
		t.Errorf("after the summary: %q, want two", said(m))
	}
}

func TestSummaryIsMadeFromTheTitleWhenTheScriptHasNone(t *testing.T) {
	s := plan()
	for instruction, want := range map[string]string{
		"Answer in one line: Summary: what happened":       `Summary: The screen shows My "notes" & more now.`,
		"请用一行回答，以“摘要：”开头。":                                 `摘要：The screen shows My "notes" & more now.`,
		"Tell me all about it":                             "zero",
		"Summary: this is long, and no line count is said": "zero",
	} {
		c := newChat(t, serve(t, s, Options{}), "s", "u", "x__do_x2e_it")
		if m, _ := c.ask(carrier(sampleBlock + "\n\n" + instruction)); said(m) != want {
			t.Errorf("%s: %q, want %q", instruction, said(m), want)
		}
	}
	s.SummaryMarker = []string{"MARK"}
	c := newChat(t, serve(t, s, Options{}), "s", "u", "x__do_x2e_it")
	if m, _ := c.ask(carrier("a MARK")); said(m) != "Summary: The operation was carried out." {
		t.Errorf("own marker: %q", said(m))
	}
}

func TestMarkerWordsInsideTheBlockAreNoInstruction(t *testing.T) {
	c := newChat(t, serve(t, plan(), Options{}), "s", "u", "x__do_x2e_it")
	b := strings.Replace(sampleBlock, "title: ", "title: one line Summary: ", 1)
	if m, _ := c.ask(carrier(b)); said(m) != "zero" {
		t.Errorf("%q", said(m))
	}
}

func TestPlaceholdersAnswerFromTheBlock(t *testing.T) {
	s := &Script{Steps: []Step{{
		Text: "{{title}} {{cursor}} {{count}} {{action:window|none}}",
		ToolCalls: []ToolCall{
			{Name: "do.it", Arguments: []byte(`{ "frameCursor": "{{cursor}}", "cmd": "{{action:pin}}", "n": 9007199254740993 }`)},
			{Name: "do.it", Arguments: []byte(`"{broken {{action:back}}"`)},
			{Name: "zimoos.made up", Raw: true},
		},
	}}}
	c := newChat(t, serve(t, s, Options{}), "s", "u", "x__do_x2e_it")
	m, _ := c.ask(carrier("old <zimoos>"), carrier("see\n\n"+sampleBlock))
	if said(m) != `My "notes" & more c7 3 none` {
		t.Errorf("text: %q", said(m))
	}
	for i, want := range []string{`{"frameCursor":"c7","cmd":"pin note:a <\"now\">","n":9007199254740993}`, `{broken back`, `{}`} {
		if got := m.ToolCalls[i].Function.Arguments; got != want {
			t.Errorf("arguments %d: %s, want %s", i, got, want)
		}
	}
	if m.ToolCalls[2].Function.Name != "zimoos.made up" {
		t.Errorf("raw name: %q", m.ToolCalls[2].Function.Name)
	}
}

func TestPlaceholderWithoutAnAnswerIsAnError(t *testing.T) {
	url := serve(t, &Script{Steps: []Step{{Text: "{{cursor}}"}}}, Options{})
	res, text := post(t, url+"/v1/chat/completions", newChat(t, url, "s", "u").body())
	if res.StatusCode != http.StatusBadRequest || !strings.Contains(text, "{{cursor}}") || !strings.Contains(text, "script_error") {
		t.Errorf("%d %s", res.StatusCode, text)
	}
}

func TestToolThatIsNotOfferedIsAnErrorThatNamesWhatIs(t *testing.T) {
	url := serve(t, plan(), Options{})
	res, text := post(t, url+"/v1/chat/completions", newChat(t, url, "s", "u", "other").body())
	if res.StatusCode != http.StatusBadRequest || !strings.Contains(text, "do.it") || !strings.Contains(text, "other") {
		t.Errorf("%d %s", res.StatusCode, text)
	}
}

func TestErrorStrikesAsOftenAsTheScriptSays(t *testing.T) {
	wait, twice := 3, 2
	s := plan()
	s.Steps[1].Error = &Fault{Status: 429, Type: "rate_limit_error", Message: "slow down", RetryAfter: &wait}
	s.Steps[1].FailTimes = &twice
	url := serve(t, s, Options{})
	for run := range 2 { // a second run of the same session meets the error again
		c := newChat(t, url, "s", "u", "x__do_x2e_it")
		c.follow()
		for range twice {
			res, text := post(t, url+"/v1/chat/completions", c.body())
			if res.StatusCode != 429 || res.Header.Get("Retry-After") != "3" || !strings.Contains(text, `"message":"slow down","type":"rate_limit_error"`) {
				t.Errorf("run %d: %d %s %s", run, res.StatusCode, res.Header.Get("Retry-After"), text)
			}
		}
		if m := c.follow(); said(m) != "one" {
			t.Errorf("run %d: after the errors: %q", run, said(m))
		}
	}
}

func TestErrorThatAlwaysStrikes(t *testing.T) {
	always := -1
	s := &Script{Steps: []Step{{Error: &Fault{Status: 500}, FailTimes: &always}}}
	url := serve(t, s, Options{})
	for i := range 4 {
		if res, _ := post(t, url+"/v1/chat/completions", newChat(t, url, "s", "u").body()); res.StatusCode != 500 {
			t.Errorf("time %d: %d", i, res.StatusCode)
		}
	}
}

func TestManyConversationsDoNotPileUp(t *testing.T) {
	f := newFaults()
	for i := range maxConversations + 50 {
		key := conversationKey([]message{{Role: "user", text: fmt.Sprint(i)}})
		f.strike(key, 0, 1)
	}
	if len(f.known) != maxConversations || len(f.order) != maxConversations {
		t.Errorf("%d known, %d in order", len(f.known), len(f.order))
	}
}
