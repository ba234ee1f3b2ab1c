package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// zimoscope runs one command line on a store.
func zimoscope(t *testing.T, dir string, args ...string) (status int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	status = Main(context.Background(), append([]string{"--data", dir}, args...), nil, &o, &e)
	return status, o.String(), e.String()
}

const twoBodies = `{"model":"m","messages":[{"role":"system","content":"be good"},{"role":"user","content":"one"}]}
{"model":"m","messages":[{"role":"system","content":"be good"},{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":"three"}]}
`

func TestTheLabAnswersForAnotherAgentsSession(t *testing.T) {
	dir := t.TempDir()
	file, prices := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "prices.json")
	for path, text := range map[string]string{file: twoBodies, prices: `{"currency":"CNY","prices":{"token":{"uncached":1000000}}}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, errOut := zimoscope(t, dir, "import", file); status != exitGood {
		t.Fatal(errOut)
	}
	status, out, errOut := zimoscope(t, dir, "lab", "latest", "--json", "--prices", prices)
	var got struct {
		Currency string
		Cells    []struct {
			Class, Strategy string
			Prompt          int `json:"prompt_tokens"`
			Reused          int `json:"reused_tokens"`
			Cost            float64
		}
		Requests []struct{ Reported *int }
	}
	if err := json.Unmarshal([]byte(out), &got); status != exitGood || err != nil || got.Currency != "CNY" || len(got.Requests) != 2 || got.Requests[0].Reported != nil {
		t.Fatal(status, err, out, errOut)
	}
	c := got.Cells[0]
	if c.Class != "token" || c.Strategy != "as-recorded" || c.Reused == 0 || c.Reused >= c.Prompt || c.Cost != float64(c.Prompt-c.Reused) {
		t.Errorf("%+v", c)
	}
	status, out, errOut = zimoscope(t, dir, "lab", "latest")
	for _, want := range []string{"as-recorded", "≈ token", "minimum+step", "Cost of the prompts in USD", "No request reported what its cache reused."} {
		if !strings.Contains(out, want) || status != exitGood {
			t.Errorf("%d, without %q: %s %s", status, want, out, errOut)
		}
	}
}

// For a request whose history its provider keeps, the object for programs holds no figure and says why; the table has no 0.
func TestTheLabShowsNoZeroWhereNothingIsPredicted(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	if err := os.WriteFile(file, []byte(`{"model":"m","previous_response_id":"r_1","input":[{"role":"user","content":"two"}]}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errOut := zimoscope(t, dir, "import", file); status != exitGood {
		t.Fatal(errOut)
	}
	status, out, errOut := zimoscope(t, dir, "lab", "latest", "--json")
	if want := `"predicted":{},"reported":null,"history_elsewhere":true`; status != exitGood || !strings.Contains(out, want) {
		t.Errorf("%d, without %s: %s %s", status, want, out, errOut)
	}
	status, out, errOut = zimoscope(t, dir, "lab", "latest")
	if status != exitGood || strings.Contains(out, "0.0 %") || strings.Contains(out, "0.0000") || !strings.Contains(out, "1 of 1 requests go on from a response") || strings.Count(out, "–") < 10 {
		t.Errorf("%d: %s %s", status, out, errOut)
	}
}

func TestTheLabSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	if err := os.WriteFile(file, []byte(twoBodies), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errOut := zimoscope(t, dir, "import", file); status != exitGood {
		t.Fatal(errOut)
	}
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{exitUse, "no session", []string{"nobody"}},
		{exitUse, "below zero", []string{"latest", "--ttl", "-5m"}},
		{exitUse, "these prices can't be used", []string{"latest", "--prices", file}},
		{exitUse, "no way is known", []string{"latest", "--engine", "http://127.0.0.1:1", "--engine-kind", "x"}},
		{exitFailed, "without --engine the tokens are estimated", []string{"latest", "--engine", "http://127.0.0.1:1"}},
	} {
		if status, out, errOut := zimoscope(t, dir, append([]string{"lab"}, c.args...)...); status != c.status || !strings.Contains(errOut, c.want) {
			t.Errorf("%q: %d %s %s", c.args, status, out, errOut)
		}
	}
}
