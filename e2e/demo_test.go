package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/capture"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/scripted"
	"zimoscope/e2e/check"
	"zimoscope/e2e/stage"
)

// TestTheWholePathHoldsOnStandIns runs the demo from configuration to verdict: real processes, real HTTP, real store.
// It says nothing about the real backend.
func TestTheWholePathHoldsOnStandIns(t *testing.T) {
	for _, profile := range []string{"llamacpp", "deepseek", "mistral-template", "openai", "generic"} {
		t.Run(profile, func(t *testing.T) {
			base := stage.Play(t, scripted.Demo(), scripted.Options{})
			o := drive(t, simulated(t, base, profile), scripted.DemoPrompts()...)
			r := check.Check(o.Run)
			wantPassed(t, r)
			if o.slot == "" || o.slot != o.Cursors[len(o.Cursors)-1] {
				t.Errorf("the slot holds %q, the last frame was %q", o.slot, o.Cursors)
			}
			if !same(o) {
				t.Error("the store gives back other bytes than were sent")
			}
			for i, want := range []string{"first", "extended"} {
				if r.Verdicts[i] != want {
					t.Errorf("request %d is %s, want %s", i+1, r.Verdicts[i], want)
				}
			}
			if !slices.Contains(r.Verdicts, string(verdict.Sealed)) {
				t.Errorf("no request sealed a record: %v", r.Verdicts)
			}
		})
	}
}

func TestTheWholePathHoldsInChinese(t *testing.T) {
	base := stage.Play(t, scripted.DemoZH(), scripted.Options{})
	o := drive(t, simulated(t, base, "generic"), scripted.DemoPromptsZH()...)
	wantPassed(t, check.Check(o.Run))
	if !strings.Contains(string(o.JSONL), "Summary: 桌面已打开") {
		t.Error("the summary in the model's words is missing")
	}
}

// TestReportedReuseIsThatOfTheBytes: what the provider reports as cached was really in earlier prompts, by its own
// rendering and tokens, and grows with the history.
func TestReportedReuseIsThatOfTheBytes(t *testing.T) {
	base := stage.Play(t, scripted.Demo(), scripted.Options{Rule: scripted.Rule{Class: scripted.ClassToken}})
	o := drive(t, simulated(t, base, "llamacpp"), scripted.DemoPrompts()...)
	var earlier [][]int
	grown := 0
	for i, rec := range o.records {
		u := cachemodel.ParseUsage(rec.Usage)
		if !u.Reported {
			if rec.Meta.Kind == verdict.KindSide { // stopped before its last chunk
				earlier = append(earlier, tokens(t, base, o.stored[i]))
				continue
			}
			t.Fatalf("request %d reports no cached tokens: %s", rec.N, rec.Usage)
		}
		prompt := tokens(t, base, o.stored[i])
		shared := 0
		for _, e := range earlier {
			shared = max(shared, common(e, prompt))
		}
		earlier = append(earlier, prompt)
		if u.PromptTotal != len(prompt) {
			t.Errorf("request %d: %d prompt tokens reported, %d rendered", rec.N, u.PromptTotal, len(prompt))
		}
		if u.Cached < shared || u.Cached >= u.PromptTotal {
			t.Errorf("request %d: %d of %d cached; %d are shared with an earlier prompt", rec.N, u.Cached, u.PromptTotal, shared)
		}
		if rec.N > 1 && rec.Meta.Kind == verdict.KindMain { // a side request reuses the whole of a main one
			if u.Cached <= grown {
				t.Errorf("request %d: %d cached, no more than the %d of the one before", rec.N, u.Cached, grown)
			}
			grown = u.Cached
		}
	}
}

func common(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// tokens asks the provider for the tokens of its own rendering of a body.
func tokens(t *testing.T, base string, body []byte) []int {
	t.Helper()
	root := strings.TrimSuffix(base, "/v1")
	var rendered struct {
		Prompt string `json:"prompt"`
	}
	post(t, root+"/apply-template", body, &rendered)
	question, err := json.Marshal(map[string]any{"content": rendered.Prompt})
	must(t, err)
	var cut struct {
		Tokens []int `json:"tokens"`
	}
	post(t, root+"/tokenize", question, &cut)
	return cut.Tokens
}

func post(t *testing.T, url string, body []byte, into any) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(url, "application/json", bytes.NewReader(body))
	must(t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	must(t, err)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s", url, resp.Status, answer)
	}
	must(t, json.Unmarshal(answer, into))
}

// TestACaptureOfTheRunChecksAndAChangedByteIsFound: what was sent is written, read and judged again.
func TestACaptureOfTheRunChecksAndAChangedByteIsFound(t *testing.T) {
	base := stage.Play(t, scripted.Demo(), scripted.Options{})
	o := drive(t, simulated(t, base, "generic"), scripted.DemoPrompts()...)
	dir := t.TempDir()
	save(t, dir, o.Run)
	c, err := capture.Load([]string{dir})
	must(t, err)
	if exit := capture.Check(c).Exit(true); exit != 0 {
		var text bytes.Buffer
		must(t, capture.Check(c).WriteText(&text))
		t.Fatalf("exit %d\n%s", exit, text.String())
	}
	last := filepath.Join(dir, "req-006.body.json")
	body, err := os.ReadFile(last)
	must(t, err)
	changed := bytes.Replace(body, []byte("Action: zimoos.current"), []byte("Action: zimoos.Current"), 1)
	if bytes.Equal(body, changed) {
		t.Fatal("the history holds no record to change")
	}
	must(t, os.WriteFile(last, changed, 0o600))
	c, err = capture.Load([]string{dir})
	must(t, err)
	report := capture.Check(c)
	if report.Exit(false) != 1 || len(report.Violations) == 0 {
		t.Errorf("a changed byte was not found: %+v", report.Violations)
	}
	found := false
	for _, p := range report.Pairs {
		found = found || p.To == 5 && p.Verdict.Verdict == verdict.Rewritten && p.Part != nil && p.BodyOffset > 0
	}
	if !found {
		t.Error("the pair with the changed byte is not named as rewritten, with its place")
	}
}
