package agent

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview/wire"
)

// requestCase is what one kind of endpoint must see in every request of a session.
type requestCase struct {
	profile   string
	content   string // of a message with calls and no words, raw; "" for absent
	ids       string // pattern of call ids
	usage     bool   // stream_options is sent
	afterTool string // roles that may follow a tool's message
}

func requestCases() []requestCase {
	const any, nine = `.`, `^[0-9A-Za-z]{9}$`
	return []requestCase{
		{"openai", `null`, any, true, "tool assistant user"},
		{"deepseek", `""`, any, true, "tool assistant user"},
		{"lmstudio", `""`, any, true, "tool assistant user"},
		{"ollama", `""`, any, true, "tool assistant user"},
		{"vllm", `""`, any, true, "tool assistant user"},
		{"llamacpp", `""`, any, true, "tool assistant user"},
		{"mistral-template", `""`, nine, false, "tool assistant"},
		{"generic", `""`, any, false, "tool assistant user"},
	}
}

// The session has a call without words, a failed request that is sent again, a refused optional parameter, and goes on
// after it was opened anew.
func TestRequestsAreAsEachProfileWantsThem(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range requestCases() {
		seen[c.profile] = true
		t.Run(c.profile, func(t *testing.T) {
			p, err := provider.ProfileFor(c.profile, "", "m")
			if err != nil {
				t.Fatal(err)
			}
			r := newRig(t, Options{Profile: p, Params: []Param{{Name: "seed", Raw: json.RawMessage("7")}}})
			refused := reply{err: &provider.Error{Kind: provider.KindBadRequest, Status: 400, RejectedField: "seed"}}
			r.model.replies = []reply{{calls: acts(`{}`)}, {text: "Summary: opened.\nOne more.", calls: []provider.Call{call("os__notes", `{}`)}}, refused, {err: &provider.Error{Kind: provider.KindServer, Status: 500}}}
			r.model.sides = []reply{{text: "Summary: first."}, {text: "Summary: second."}}
			if _, err := r.prompt("go"); err == nil {
				t.Fatal("the failed request was taken for an answer")
			}
			r.model.replies = []reply{{text: "Done."}, {calls: acts(`{}`)}, {text: "Summary: looked.\nDone again."}}
			r.must("go")
			r.reopen()
			r.must("more")
			for i, raw := range r.model.bodies {
				c.holds(t, i, raw)
			}
			first, last := string(r.model.bodies[0]), lastBody(r)
			if !strings.Contains(first, `"seed":7`) || strings.Contains(last, `"seed"`) {
				t.Errorf("a refused parameter: first %v, last %v", strings.Contains(first, `"seed"`), strings.Contains(last, `"seed"`))
			}
		})
	}
	for _, name := range provider.ProfileNames() {
		if !seen[name] {
			t.Errorf("profile %s is not in the table", name)
		}
	}
}

func (c requestCase) holds(t *testing.T, i int, raw []byte) {
	t.Helper()
	b, err := wire.Scan(raw)
	if err != nil {
		t.Fatal(err)
	}
	if has := len(wire.Get(raw, "stream_options")) > 0; has != c.usage {
		t.Errorf("request %d: stream_options %v", i, has)
	}
	before := ""
	for k := range b.Messages.Len() {
		m := b.Bytes(wire.KindMessage, k)
		role, _ := wire.String(wire.Get(m, "role"))
		if (role == "system") != (k == 0) {
			t.Errorf("request %d: message %d is of %s", i, k, role)
		}
		if before == "tool" && !strings.Contains(c.afterTool, role) {
			t.Errorf("request %d: %s after tool at %d", i, role, k)
		}
		calls := wire.Get(m, "tool_calls")
		if words, _ := wire.String(wire.Get(m, "content")); len(calls) > 0 && words == "" && string(wire.Get(m, "content")) != c.content {
			t.Errorf("request %d: content of a message with calls alone is %s, want %s", i, wire.Get(m, "content"), c.content)
		}
		_ = wire.Elements(calls, func(start, end int) error {
			if id, _ := wire.String(wire.Get(calls[start:end], "id")); !regexp.MustCompile(c.ids).MatchString(id) {
				t.Errorf("request %d: call id %q", i, id)
			}
			return nil
		})
		before = role
	}
}
