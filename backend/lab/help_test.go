package lab

import (
	"fmt"
	"strings"
	"testing"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// byteCounter makes each byte a token, so that expectations can be written by hand.
type byteCounter struct{}

func (byteCounter) Count(b []byte) int { return len(b) }

const (
	sysMsg  = `{"role":"system","content":"You drive it."}`
	tools   = `{"name":"a"},{"name":"b"},{"name":"c"}`
	carrier = `{"role":"user","content":"State:\n\n<zimoos frame_cursor=\"c%d\">frame %[1]d</zimoos>"}`
)

func userMsg(n int) string { return fmt.Sprintf(`{"role":"user","content":"prompt %d"}`, n) }
func call(n int) string {
	return fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"%d"}]}`, n)
}
func pendingMsg(n int) string {
	return fmt.Sprintf(`{"role":"tool","tool_call_id":"%d","content":"Action: act {}\nOutcome: ok\nFrame audit: frameCursor=c%[1]d"}`, n)
}
func sealedMsg(n int) string {
	return strings.TrimSuffix(pendingMsg(n), `"}`) + fmt.Sprintf(`\nSummary: Did %d."}`, n)
}

// request writes a body; behind says how the tail stands: of its own, or behind the text of the last message.
func request(t testing.TB, n int, messages []string, tail string, own bool) *verdict.Request {
	t.Helper()
	raw := `{"model":"m","stream":true,"tools":[` + tools + `],"messages":[` + strings.Join(append([]string{sysMsg}, messages...), ",")
	at := -1
	switch {
	case tail != "" && own:
		raw += ","
		at = len(raw)
		raw += tail
	case tail != "":
		raw = strings.TrimSuffix(raw, `"}`)
		at = len(raw)
		raw += tail
	}
	b, err := wire.Scan([]byte(raw + `]}`))
	if err != nil {
		t.Fatal(err, raw)
	}
	return &verdict.Request{Body: b, Number: n, Meta: &verdict.Meta{Thread: "t", Kind: verdict.KindMain, TailOffset: at}}
}

// session is a conversation of turns with that many steps each: a frame is behind the user's text first, then in a
// carrier of its own.
func session(t testing.TB, turns, steps int) (list []*verdict.Request) {
	t.Helper()
	var messages []string
	frame := 0
	add := func(messages []string, own bool) {
		frame++
		tail := fmt.Sprintf(carrier, frame)
		if !own {
			tail = fmt.Sprintf(`\n\n<zimoos frame_cursor=\"c%d\">frame %[1]d</zimoos>"}`, frame)
		}
		list = append(list, request(t, frame, messages, tail, own))
	}
	for turn := range turns {
		messages = append(messages, userMsg(turn))
		add(messages, false)
		for range steps {
			messages = append(messages, call(frame), pendingMsg(frame))
			add(messages, true)
			messages[len(messages)-1] = sealedMsg(frame - 1)
		}
		messages = append(messages, fmt.Sprintf(`{"role":"assistant","content":"done %d"}`, turn))
	}
	return list
}

func inputOf(list []*verdict.Request) Input {
	in := Input{Body: func(i int) (*verdict.Request, error) { return list[i], nil }}
	for i := range list {
		in.Requests = append(in.Requests, Request{N: i + 1, SentAt: int64(i+1) * 1000})
	}
	return in
}

func messagesOf(b *wire.Body) (list []string) {
	for i := range b.Messages.Len() {
		list = append(list, string(b.Bytes(wire.KindMessage, i)))
	}
	return list
}

func toolsOf(b *wire.Body) (list []string) {
	for i := range b.Tools.Len() {
		list = append(list, string(b.Bytes(wire.KindTool, i)))
	}
	return list
}
