package verdict

import (
	"fmt"
	"strings"

	"zimoscope/backend/requestview/wire"
)

// fataler is what both testing.T and rapid.T can do.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// draft is a request before it is written: what a test changes.
type draft struct {
	model    string
	params   string
	tools    []string
	messages []string
	attach   string // what precedes the tail in the last message, up to inside its string; the rest is block
	block    string // in place of testBlock, behind attach
	carrier  string // a message of its own; its tail starts with it
	meta     Meta
	foreign  bool
	number   int
}

const testBlock = `\n\n<zimoos source=\"zimoos.currentFrame\" frame_cursor=\"c2\">\ntitle: T\nframeCursor: c2\n</zimoos>`

func (d draft) request(t fataler) *Request {
	t.Helper()
	head := fmt.Sprintf(`{"model":"%s",%s,"tools":[%s],"messages":[`, d.model, d.params, strings.Join(d.tools, ","))
	body := head + strings.Join(d.messages, ",")
	tail := -1
	if d.attach+d.carrier != "" {
		if len(d.messages) > 0 {
			body += ","
		}
		tail = len(body) + len(d.attach)
		if d.carrier != "" {
			body += d.carrier
		} else {
			block := testBlock
			if d.block != "" {
				block = d.block
			}
			body += d.attach + block + `"}`
		}
	}
	b, err := wire.Scan([]byte(body + "]}"))
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	r := &Request{Body: b, Name: fmt.Sprint(d.number), Number: d.number}
	if !d.foreign {
		m := d.meta
		m.TailOffset = tail
		if m.Kind == "" {
			m.Kind = KindMain
		}
		r.Meta = &m
	}
	return r
}

func (d draft) clone() draft {
	d.tools = append([]string{}, d.tools...)
	d.messages = append([]string{}, d.messages...)
	d.meta.Announcements = append([]Announcement{}, d.meta.Announcements...)
	return d
}

func toolDef(name, description string) string {
	return fmt.Sprintf(`{"type":"function","function":{"name":"%s","description":"%s","parameters":{"type":"object"}}}`, name, description)
}

func user(text string) string { return fmt.Sprintf(`{"role":"user","content":"%s"}`, text) }

func calls(text string, ids ...string) string {
	var list []string
	for _, id := range ids {
		list = append(list, fmt.Sprintf(`{"id":"%s","type":"function","function":{"name":"os__zimoos_x2e_act","arguments":"{\"frameCursor\":\"c1\",\"cmd\":\"open\"}"}}`, id))
	}
	return fmt.Sprintf(`{"role":"assistant","content":"%s","tool_calls":[%s]}`, text, strings.Join(list, ","))
}

func plainCall(id string) string {
	return fmt.Sprintf(`{"role":"assistant","content":"","tool_calls":[{"id":"%s","type":"function","function":{"name":"os__list","arguments":"{}"}}]}`, id)
}

func result(id, text string) string {
	return fmt.Sprintf(`{"role":"tool","tool_call_id":"%s","content":"%s"}`, id, text)
}

const (
	pendingRecord = `Action: zimoos.act {\"cmd\":\"open\"}\nOutcome: ok\nFrame audit: frameCursor=c2 title=\"T\" status=idle visible=1 actions=1 handles=0`
	sealedRecord  = pendingRecord + `\nSummary: It opened.`
)

// carrierOfItsOwn is a user message that is wholly request-only.
const carrierOfItsOwn = `{"role":"user","content":"Current screen:` + testBlock + `"}`

// before and after are two requests as they follow each other: the record of call b is sealed, and a step comes.
func before() draft {
	return draft{
		model: "m", params: `"stream":true,"temperature":0.5`, number: 1,
		tools:    []string{toolDef("os__zimoos_x2e_act", "acts"), toolDef("os__list", "lists"), toolDef("os__read", "reads")},
		messages: []string{`{"role":"system","content":"You drive it."}`, user("open it"), calls("I open it.", "a"), result("a", sealedRecord), plainCall("l"), result("l", "an ordinary result"), calls("Again.", "b"), result("b", pendingRecord)},
		carrier:  carrierOfItsOwn,
	}
}

func after() draft {
	d := before()
	d.number, d.meta.Predecessor = 2, 1
	d.messages[7] = result("b", sealedRecord)
	d.messages = append(d.messages, calls("Once more.", "c"), result("c", pendingRecord))
	return d
}
