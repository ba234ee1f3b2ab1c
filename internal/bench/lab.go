package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"zimoscope/backend/lab"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
)

// labTokens is the mean size of the prompts that the cache lab is measured on.
const labTokens = 100_000

// labBudget is the time in which the lab has to answer for them.
const labBudget = 5 * time.Second

// words are drawn anew for each text, so that nothing is counted once by chance.
var words = strings.Fields("the agent opened a window with notes and groceries then it read every entry moved one into another folder " +
	"searched for a file that was changed yesterday and closed what was left open before saying what stands on the screen now")

func prose(r *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = words[r.IntN(len(words))]
	}
	return strings.Join(list, " ")
}

// labSession records a session step by step: each request as its bytes and where its tail begins.
func labSession(requests, tokens int) (bodies [][]byte, metas []verdict.Meta, err error) {
	r := rand.New(rand.NewPCG(1, 2))
	s, err := newSession(2)
	if err != nil {
		return nil, nil, err
	}
	perStep := max(1, 2*tokens/requests) // in tokens, so that half of the requests lie above the mean
	for n := 1; n <= requests; n++ {
		if _, pending := s.tr.Pending(); pending {
			if err := s.tr.Seal(fmt.Sprintf("Step %d moved on.", n), transcript.FromNarration); err != nil {
				return nil, nil, err
			}
		}
		calls, err := s.tr.AppendReply(transcript.Reply{Text: prose(r, perStep/2), Calls: []transcript.Call{{Function: "zimoos_x2e_act", Arguments: `{"frameCursor":"c1"}`}}})
		if err != nil {
			return nil, nil, err
		}
		f := frame(n)
		s.slot.Offer(f, "zimoos.act", calls[0].ID, uint64(n))
		op := transcript.Operation{CallID: calls[0].ID, Tool: "zimoos.act", Arguments: "{}", Outcome: transcript.OK, Result: prose(r, perStep/4), Frame: f}
		if err := s.tr.AppendOperation(op); err != nil {
			return nil, nil, err
		}
		s.tr.Drain()
		v := requestview.Build(requestview.Input{Transcript: s.tr.View(), Slot: s.slot})
		bodies = append(bodies, v.Body.Raw)
		metas = append(metas, verdict.Meta{Thread: "t", Kind: verdict.KindMain, Predecessor: n - 1, TailOffset: v.TailOffset})
	}
	return bodies, metas, nil
}

// labbed measures the cache lab: every class under every strategy, the bodies scanned from their bytes.
func labbed(s sizes) error {
	bodies, metas, err := labSession(s.lab, labTokens*s.lab/1000)
	if err != nil {
		return err
	}
	in := lab.Input{Body: func(i int) (*verdict.Request, error) {
		b, err := wire.Scan(bodies[i])
		return &verdict.Request{Body: b, Meta: &metas[i], Number: i + 1}, err
	}}
	size := 0
	for i, b := range bodies {
		in.Requests = append(in.Requests, lab.Request{N: i + 1, SentAt: int64(i) * int64(time.Second/time.Millisecond)})
		size += len(b)
	}
	stages := map[string]time.Duration{}
	start := time.Now()
	last := start
	r, err := lab.Run(context.Background(), in, lab.Options{Progress: func(p lab.Progress) {
		now := time.Now()
		stages[p.Stage] += now.Sub(last)
		last = now
	}})
	if err != nil {
		return err
	}
	took := time.Since(start)
	tokens := r.Cells[0].PromptTokens
	fmt.Printf("\nCache lab: %d requests, %d MB of bodies, %d tokens each in the mean, %d classes, %d strategies\n",
		len(bodies), size>>20, tokens/len(bodies), len(r.Classes), len(r.Strategies))
	fmt.Printf("%v in all (aim: %v); read %v, count %v, compare %v\n", took.Round(time.Millisecond), labBudget,
		stages["read"].Round(time.Millisecond), stages["count"].Round(time.Millisecond), stages["compare"].Round(time.Millisecond))
	return nil
}
