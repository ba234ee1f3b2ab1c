package conversation

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zimoscope/backend/requestview/wire"
)

// agent is a dumb model of one conversation: it knows what it sent, the finder does not.
type agent struct {
	name     int
	system   string
	messages []string
	last     int // number of its last main request
	sent     bool
	words    bool
}

func (a *agent) body(system string, messages []string) []byte {
	all := append([]string{fmt.Sprintf(`{"role":"system","content":%q}`, system)}, messages...)
	return []byte(`{"model":"m","tools":[{"name":"read"}],"messages":[` + strings.Join(all, ",") + `]}`)
}

func scan(t interface{ Fatal(...any) }, raw []byte) *wire.Body {
	b, err := wire.Scan(raw)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Any interleaving of conversations that begin with the same system text, tools and first message comes apart again:
// steps, retries, side requests, moved dates and windows go to their own.
func TestInterleavedConversationsComeApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := New()
		agents := make([]*agent, rapid.IntRange(1, 4).Draw(t, "agents"))
		for i := range agents {
			agents[i] = &agent{name: i, system: "You are an agent. The date is 1.", messages: []string{
				`{"role":"user","content":"the same environment for all"}`, fmt.Sprintf(`{"role":"user","content":"task %d"}`, i)}}
		}
		threads := map[int]int{} // thread -> agent
		side := map[int]bool{}   // threads of side requests
		for n := 1; n <= 40; n++ {
			a := rapid.SampledFrom(agents).Draw(t, "who")
			raw, kind := a.next(t, n)
			p := f.Place(n, scan(t, raw), sha256.Sum256(raw), Claims{})
			if who, seen := threads[p.Thread]; seen && who != a.name {
				t.Fatalf("request %d of agent %d was taken for agent %d (%s, %s)", n, a.name, who, kind, p.How)
			}
			threads[p.Thread] = a.name
			switch kind {
			case "retry":
				if p.Attempt == 0 {
					t.Fatalf("request %d repeats the bytes of an earlier one and was not taken for an attempt", n)
				}
			case "side":
				side[n] = true
			default:
				if a.last > 0 && p.Follows != a.last {
					t.Fatalf("request %d (%s) of agent %d goes on from %d, found %d by %s", n, kind, a.name, a.last, p.Follows, p.How)
				}
				if p.Leaf != 0 && !side[p.Leaf] {
					t.Fatalf("request %d is no leaf", p.Leaf)
				}
				a.last = n
			}
		}
	})
}

// next plays one request of the agent.
func (a *agent) next(t *rapid.T, n int) (raw []byte, kind string) {
	if !a.sent {
		a.sent = true
		return a.body(a.system, a.messages), "first"
	}
	switch kind = rapid.SampledFrom([]string{"step", "step", "step", "retry", "side", "date", "window"}).Draw(t, "kind"); {
	case kind == "retry":
		return a.body(a.system, a.messages), kind
	case kind == "side" && a.words:
		return a.body(a.system, append(append([]string{}, a.messages...), fmt.Sprintf(`{"role":"user","content":"say in one word %d"}`, n))), kind
	case kind == "date" && a.words:
		a.system = fmt.Sprintf("You are an agent. The date is %d.", n)
	case kind == "window" && len(a.messages) > 6:
		a.messages = append(append([]string{}, a.messages[:2]...), a.messages[4:]...)
	default:
		kind = "step"
	}
	a.words = true
	a.messages = append(a.messages, fmt.Sprintf(`{"role":"assistant","content":"words %d of agent %d"}`, n, a.name), fmt.Sprintf(`{"role":"user","content":"go on %d"}`, n))
	return a.body(a.system, a.messages), kind
}

func place(t *testing.T, f *Finder, n int, body string, c Claims) Place {
	t.Helper()
	return f.Place(n, scan(t, []byte(body)), sha256.Sum256([]byte(body)), c)
}

func TestATitleRequestIsAConversationOfItsOwn(t *testing.T) {
	f := New()
	place(t, f, 1, `{"model":"m","tools":[{"name":"x"}],"messages":[{"role":"system","content":"You are an agent that edits files and runs programs."},{"role":"user","content":"hi"}]}`, Claims{})
	p := place(t, f, 2, `{"model":"m","messages":[{"role":"system","content":"Give this talk a title."},{"role":"user","content":"hi"}]}`, Claims{})
	if p.Thread != 2 || p.Follows != 0 {
		t.Fatalf("the title request was taken for a step: %+v", p)
	}
}

func TestMovedCacheMarksDoNotHideTheHistory(t *testing.T) {
	f := New()
	place(t, f, 1, `{"model":"m","system":"s","messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}`, Claims{})
	p := place(t, f, 2, `{"model":"m","system":"s","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":"yes"},{"role":"user","content":[{"type":"text","text":"go","cache_control":{"type":"ephemeral"}}]}]}`, Claims{})
	if p.Follows != 1 || p.How != ByHistory {
		t.Fatalf("request 2 goes on from request 1, found %+v", p)
	}
}

func TestAResponseIdIsFollowed(t *testing.T) {
	f := New()
	place(t, f, 1, `{"model":"m","input":"hi"}`, Claims{})
	f.Answered(1, "resp_1")
	if p := place(t, f, 2, `{"model":"m","input":"more"}`, Claims{Previous: "resp_1"}); p.Follows != 1 || p.How != ByResponse {
		t.Fatalf("request 2 names the response to request 1, found %+v", p)
	}
}

func TestACompactedHistoryIsFoundByItsName(t *testing.T) {
	f := New()
	place(t, f, 1, `{"model":"m","tools":[{"name":"x"}],"input":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`, Claims{Session: "s"})
	p := place(t, f, 2, `{"model":"m","tools":[{"name":"x"}],"input":[{"role":"user","content":"what was said before: a, b, c"}]}`, Claims{Session: "s"})
	if p.Follows != 1 || p.How != ByName {
		t.Fatalf("the compacted request names the same session, found %+v", p)
	}
	if p := place(t, f, 3, `{"model":"m","input":[{"role":"user","content":"a title, please"}]}`, Claims{Session: "s"}); p.Follows != 0 {
		t.Fatalf("a request without the agent's tools is none of its steps: %+v", p)
	}
}

// A leaf that is continued after all is a conversation that split off.
func TestARecordThatGrowsDoesNotSkipItsRequest(t *testing.T) {
	const start = `{"model":"m","messages":[{"role":"user","content":"go"},{"role":"assistant","content":"one"},{"role":"tool","content":"Action`
	f := New()
	place(t, f, 1, `{"model":"m","messages":[{"role":"user","content":"go"}]}`, Claims{})
	place(t, f, 2, start+`"}]}`, Claims{})
	if p := place(t, f, 3, start+`, Summary"},{"role":"assistant","content":"two"},{"role":"tool","content":"Action"}]}`, Claims{}); p.Follows != 2 {
		t.Fatalf("request 3 goes on from request 2, found %+v", p)
	}
}

func TestAContinuedLeafSplitsOff(t *testing.T) {
	f := New()
	start := `{"model":"m","messages":[{"role":"user","content":"hi"}`
	place(t, f, 1, start+`]}`, Claims{})
	a := start + `,{"role":"assistant","content":"one"},{"role":"user","content":"1"}`
	b := start + `,{"role":"assistant","content":"two"},{"role":"user","content":"2"}`
	place(t, f, 2, a+`]}`, Claims{})
	if p := place(t, f, 3, b+`]}`, Claims{}); p.Leaf != 2 || p.Follows != 1 {
		t.Fatalf("request 3 shows that nothing went on from request 2, found %+v", p)
	}
	if p := place(t, f, 4, a+`,{"role":"assistant","content":"three"},{"role":"user","content":"3"}]}`, Claims{}); p.Follows != 2 || p.Thread != 2 {
		t.Fatalf("request 4 goes on from request 2 in a conversation of its own, found %+v", p)
	}
}

func TestAMessageThatTheAgentMovesDoesNotSplitTheConversation(t *testing.T) {
	const start = `{"model":"m","messages":[{"role":"system","content":"agent"},{"role":"user","content":"look"}`
	f := New()
	place(t, f, 1, start+`,{"role":"system","content":"tasks: 0"}]}`, Claims{})
	if p := place(t, f, 2, start+`,{"role":"assistant","content":"ok"},{"role":"system","content":"tasks: 1"}]}`, Claims{}); p.Follows != 1 {
		t.Fatalf("request 2 goes on from request 1, found %+v", p)
	}
	f = New()
	place(t, f, 1, start+`,{"role":"user","content":"task A"}]}`, Claims{})
	if p := place(t, f, 2, start+`,{"role":"user","content":"task B"}]}`, Claims{}); p.Follows != 0 {
		t.Fatalf("two tasks behind the same first message are two conversations, found %+v", p)
	}
}
