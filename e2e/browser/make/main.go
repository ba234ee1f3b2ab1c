// Command make writes the long session that the window is measured on: an agent against a model and tools that answer at
// once, through the real agent and the real store.
//
//	go run ./e2e/browser/make -data DIR -requests 10000
//
// Every request adds five messages to the history: an answer with four calls, and their results.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/store"
)

const (
	// calls of each answer.
	calls = 4
	// chunk is how much of a body is handed to the hash at a time, in bytes.
	chunk = 64 << 10
	// perTurn is how many requests answer one prompt.
	perTurn = 20
)

func main() {
	data := flag.String("data", "", "folder of the session store")
	requests := flag.Int("requests", 10_000, "requests of the session")
	flag.Parse()
	if err := write(*data, *requests); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

func write(data string, requests int) error {
	st, err := store.New(data)
	if err != nil {
		return err
	}
	sess, err := st.Create(store.Info{Name: "Long", Model: "m", Host: "127.0.0.1", Simulated: true})
	if err != nil {
		return err
	}
	f := &fake{}
	o := agent.Options{Model: f, Tools: f, Journal: sess, ModelName: "m", MaxSteps: 1 << 30}
	if o.Profile, err = provider.ProfileFor("generic", "http://127.0.0.1", "m"); err != nil {
		return err
	}
	a, err := agent.New(o)
	if err != nil {
		return err
	}
	for done := 0; done < requests; done += perTurn {
		f.left = min(perTurn, requests-done)
		if _, err := a.Prompt(context.Background(), fmt.Sprintf("Sort the notes of week %d.", done/perTurn+1), nil); err != nil {
			return err
		}
	}
	return sess.Close()
}

// fake is the model and the tools.
type fake struct{ left, answers, results int }

func (f *fake) Stream(_ context.Context, body []byte, o provider.StreamOptions) (*provider.Response, error) {
	tap := o.OnAttempt(1)
	for rest := body; len(rest) > 0; {
		k := min(chunk, len(rest))
		_, _ = tap.Write(rest[:k])
		rest = rest[k:]
	}
	tap.Done(200, nil)
	f.answers++
	r := &provider.Response{Text: fmt.Sprintf("Step %d: I read four more notes.", f.answers), Attempts: 1, FinishReason: "stop", Raw: []byte("data: {}\n\n")}
	if f.left--; f.left == 0 {
		return r, nil
	}
	for i := range calls {
		r.Calls = append(r.Calls, provider.Call{ID: fmt.Sprintf("c%d-%d", f.answers, i), Name: "notes__read", ArgumentsValid: true, Arguments: fmt.Sprintf(`{"note":%d}`, f.answers*calls+i)})
	}
	return r, nil
}

func (f *fake) Tools() []toolbox.Tool { return []toolbox.Tool{{Server: "notes", Name: "read"}} }

func (f *fake) Refresh(context.Context) (bool, []toolbox.Change) { return false, nil }

func (f *fake) Call(context.Context, string, string, json.RawMessage) toolbox.Result {
	f.results++
	return toolbox.Result{State: toolbox.StateOK, Raw: fmt.Appendf(nil, `{"content":[{"type":"text","text":"Note %d: milk, bread, 200 g of tea."}]}`, f.results)}
}
