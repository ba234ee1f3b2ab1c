package run

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"zimoscope/e2e/check"
)

const hostile = `</pre><script src="https://example.com/x.js"></script><img src=x onerror=alert(1)><a href="javascript:alert(1)">&"'`

// full is a report in which every text is hostile.
func full() Report {
	return Report{Outcome: RunFailed, Sentence: hostile, Program: hostile, Hub: hostile, Folder: hostile, Instance: hostile, Config: hostile,
		Model: hostile, Provider: hostile, Server: hostile, Session: hostile, Prompt: hostile, Answer: hostile,
		Verdicts: []string{hostile}, Notes: []string{hostile},
		Steps: []Step{{ID: hostile, Title: hostile, State: Failed, Evidence: []string{hostile}, Todo: hostile}}}
}

func TestThePageIsInertAndLoadsNothing(t *testing.T) {
	var b bytes.Buffer
	if err := full().WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, bad := range []string{`<script`, `<img`, `<a `, `<link`, `url(`, `@import`, `<iframe`} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
	tags := regexp.MustCompile(`<[a-z][^>]*>`).FindAllString(text, -1)
	for _, tag := range tags {
		if regexp.MustCompile(`\s(on[a-z]+|href|src)\s*=`).MatchString(tag) {
			t.Errorf("%s runs or loads something", tag)
		}
	}
	for _, want := range []string{"default-src 'none'", "prefers-color-scheme: dark", "&lt;script"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if n, want := strings.Count(text, "&lt;script"), 17; n < want {
		t.Errorf("%d of at least %d texts are shown", n, want)
	}
}

func TestTheJSONReportReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := full().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Answer != hostile || back.Steps[0].Evidence[0] != hostile {
		t.Errorf("%v: %+v", err, back)
	}
}

func TestThePlanHoldsEveryAssertionOnce(t *testing.T) {
	var ids []string
	for _, s := range plan() {
		if slices.Contains(ids, s.ID) || s.Title == "" || s.State != Pending {
			t.Errorf("%+v", s)
		}
		ids = append(ids, s.ID)
	}
	for _, a := range check.Assertions() {
		if !slices.Contains(ids, a.ID) {
			t.Errorf("%s is missing", a.ID)
		}
	}
}

func TestASettledStepStaysAsItIs(t *testing.T) {
	var told []Step
	b := newBoard(func(s Step) { told = append(told, s) })
	before := len(told)
	b.set(StepHub, Failed, "do this", "seen")
	b.set(StepHub, OK, "", "later")
	b.skipRest("no")
	if s := b.list()[0]; s.State != Failed || len(s.Evidence) != 1 || s.Todo != "do this" {
		t.Errorf("%+v", s)
	}
	if n := len(told) - before; n != len(plan()) {
		t.Errorf("%d changes were told of %d steps", n, len(plan()))
	}
}
