package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
	"zimoscope/backend/zimoos"
)

var filler = strings.Repeat("words of a session ", 22) // with its envelope a message of about 500 characters

// session is a transcript that grows by whole steps.
type session struct {
	tr   *transcript.Transcript
	slot zimoos.Slot
	n    int
	bufs [2]wire.Buffer // as the agent has them: the last body stays while the next is built
	next int
}

func newSession(messages int) (*session, error) {
	tr, err := transcript.New(transcript.Header{Model: "m", System: "You work inside ZimoOS.", Params: []wire.Param{{Name: "stream", Raw: []byte("true")}},
		Tools: []transcript.ToolDef{{Function: "zimoos_x2e_act", Name: "zimoos.act", Raw: []byte(`{"type":"function","function":{"name":"zimoos_x2e_act","parameters":{}}}`)}}})
	if err != nil {
		return nil, err
	}
	s := &session{tr: tr}
	if err := tr.AppendUser("go", nil); err != nil {
		return nil, err
	}
	for tr.Visible() < messages {
		if err := s.step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// step seals the pending record and appends a call with its result.
func (s *session) step() error {
	s.n++
	if _, pending := s.tr.Pending(); pending {
		if err := s.tr.Seal(fmt.Sprintf("Step %d moved on.", s.n), transcript.FromNarration); err != nil {
			return err
		}
	}
	calls, err := s.tr.AppendReply(transcript.Reply{Text: filler, Calls: []transcript.Call{{Function: "zimoos_x2e_act", Arguments: `{"frameCursor":"c1"}`}}})
	if err != nil {
		return err
	}
	f := frame(s.n)
	s.slot.Offer(f, "zimoos.act", calls[0].ID, uint64(s.n))
	s.tr.Drain()
	return s.tr.AppendOperation(transcript.Operation{CallID: calls[0].ID, Tool: "zimoos.act", Arguments: "{}", Outcome: transcript.OK, Result: filler[:300], Frame: f})
}

func frame(n int) *zimoos.Frame {
	f := &zimoos.Frame{Cursor: fmt.Sprint("c", n), Title: "Notes", Status: "idle"}
	for i := range 12 {
		f.Visible = append(f.Visible, zimoos.Item{ID: fmt.Sprint("note:", n, "-", i), Kind: "note", Title: "Groceries", Content: "Bread, eggs, rice and what else is needed"})
		f.Actions = append(f.Actions, zimoos.Action{Cmd: fmt.Sprint("open note:", n, "-", i), Label: "Open the note"})
	}
	return f
}

func (s *session) build() *requestview.View {
	s.next = 1 - s.next
	return requestview.Build(requestview.Input{Transcript: s.tr.View(), Slot: s.slot, Buffer: &s.bufs[s.next]})
}

func judged(v *requestview.View, n int) *verdict.Request {
	return &verdict.Request{Body: v.Body, Number: n, Meta: &verdict.Meta{Thread: "t", Kind: verdict.KindMain, Predecessor: n - 1, TailOffset: v.TailOffset}}
}

// steps measures one more step: Build, assemble, compare with the frozen bytes, verdict and redlines.
func steps(s sizes) error {
	fmt.Printf("\nOne more step (build, assemble, compare, verdict, redlines), messages of about 500 characters\n")
	fmt.Printf("%9s %12s %14s %14s %14s %10s %10s\n", "messages", "body", "this program", "plain copy", "marshal+hash", "to copy", "to usual")
	for _, n := range s.messages {
		ours, size, err := stepOnce(n)
		if err != nil {
			return err
		}
		sess, err := newSession(n)
		if err != nil {
			return err
		}
		body := sess.build().Body
		plain := each(func(b *testing.B) {
			for b.Loop() {
				sink = append([]byte(nil), body.Raw...)
			}
		})
		list := decoded(body)
		usual := each(func(b *testing.B) {
			for b.Loop() {
				raw, err := json.Marshal(map[string]any{"model": "m", "stream": true, "messages": list})
				if err != nil {
					b.Fatal(err)
				}
				sum := sha256.Sum256(raw)
				sink = sum[:]
			}
		})
		fmt.Printf("%9d %10d B %14v %14v %14v %10s %10s\n", n, size, ours, plain, usual, ratio(ours, plain), ratio(ours, usual))
	}
	return nil
}

var sink []byte

// maxGrowth keeps a measured session near its nominal size: it is made anew when it grew by a tenth.
const maxGrowth = 10

func stepOnce(n int) (mean time.Duration, size int, err error) {
	sess, err := newSession(n)
	if err != nil {
		return 0, 0, err
	}
	checker := verdict.NewChecker()
	number := 1
	checker.Add(judged(sess.build(), number))
	limit := n + max(20, n/maxGrowth)
	mean = each(func(b *testing.B) {
		for b.Loop() {
			if sess.tr.Visible() > limit {
				b.StopTimer()
				if sess, err = newSession(n); err != nil {
					b.Fatal(err)
				}
				checker, number = verdict.NewChecker(), 1
				checker.Add(judged(sess.build(), number))
				b.StartTimer()
			}
			if err := sess.step(); err != nil {
				b.Fatal(err)
			}
			v := sess.build()
			number++
			r := checker.Add(judged(v, number))
			if r.Verdict.Violation() {
				b.Fatalf("%+v", r.Verdict)
			}
			compare(b, v.Body)
			size = len(v.Body.Raw)
		}
	})
	return mean, size, err
}

// chunk is how much net/http hands to a body's reader at a time.
const chunk = 32 << 10

func compare(b *testing.B, body *wire.Body) {
	m := body.Matcher()
	for rest := body.Raw; len(rest) > 0; {
		k := min(chunk, len(rest))
		_, _ = m.Write(rest[:k])
		rest = rest[k:]
	}
	if equal, at := m.Result(); !equal {
		b.Fatalf("differs at %d", at)
	}
}

func decoded(body *wire.Body) (list []map[string]any) {
	for i := range body.Messages.Len() {
		var m map[string]any
		d := json.NewDecoder(bytes.NewReader(body.Bytes(wire.KindMessage, i)))
		if d.Decode(&m) == nil {
			list = append(list, m)
		}
	}
	return list
}
