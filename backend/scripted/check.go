package scripted

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Bounds of the numbers in a script.
const (
	maxDelayMS   = 60_000 // a minute for one delta: enough to test any timeout
	maxRuleToken = 1 << 20
)

// checkScript finds values that make no sense, and names their place.
func (l *loader) checkScript(s *Script) error {
	if len(s.Steps) > 0 && len(s.Turns) > 0 {
		return l.wrong("steps", "a script has either steps or turns, not both")
	}
	if len(s.steps()) == 0 {
		return l.wrong("", "the script has no step", "turns", "steps")
	}
	if err := l.checkRule(s.Rule); err != nil {
		return err
	}
	if err := l.oneOf("at_end", s.AtEnd, AtEndSay, AtEndLoop); err != nil {
		return err
	}
	if err := l.between("delay_ms", s.DelayMS, 0, maxDelayMS); err != nil {
		return err
	}
	if s.Chunk < 0 {
		return l.wrong("chunk", "a delta holds 1 rune or more")
	}
	for i := range s.Steps {
		if err := l.checkStep(fmt.Sprintf("steps[%d]", i), &s.Steps[i]); err != nil {
			return err
		}
	}
	for t := range s.Turns {
		for i := range s.Turns[t].Steps {
			if err := l.checkStep(fmt.Sprintf("turns[%d].steps[%d]", t, i), &s.Turns[t].Steps[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) checkRule(r Rule) error {
	if err := l.oneOf("rule.class", r.Class, ClassToken, ClassBlock, ClassMinimumStep); err != nil {
		return err
	}
	numbers := []struct {
		key string
		n   int
	}{{"rule.block", r.Block}, {"rule.minimum", r.Minimum}, {"rule.step", r.Step}}
	for _, x := range numbers {
		if err := l.between(x.key, x.n, 0, maxRuleToken); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) checkStep(at string, s *Step) error {
	for i, q := range s.Quirks {
		if err := l.oneOf(fmt.Sprintf("%s.quirks[%d]", at, i), q, QuirkNoIndex, QuirkIndexZero, QuirkRepeatName,
			QuirkNoDone, QuirkNoFinish, QuirkKeepAlive, QuirkCRLF, QuirkErrorInStream); err != nil {
			return err
		}
	}
	if s.has(QuirkErrorInStream) && s.Error == nil {
		return l.wrong(at+".quirks", QuirkErrorInStream+" needs an error in the same step")
	}
	if s.Error != nil && (s.Error.Status < 400 || s.Error.Status > 599) {
		return l.wrong(at+".error", fmt.Sprintf("status %d is no HTTP error", s.Error.Status), "400 to 599")
	}
	if s.DelayMS != nil {
		if err := l.between(at+".delay_ms", *s.DelayMS, 0, maxDelayMS); err != nil {
			return err
		}
	}
	if s.Chunk != nil && *s.Chunk < 1 {
		return l.wrong(at+".chunk", "a delta holds 1 rune or more")
	}
	if s.CutAfter != nil && *s.CutAfter < 0 {
		return l.wrong(at+".cut_after", "a number of deltas is 0 or more")
	}
	if s.FailTimes != nil && *s.FailTimes < -1 {
		return l.wrong(at+".fail_times", "a number of times is 0 or more, or -1 for always")
	}
	return l.checkTexts(at, s)
}

func (l *loader) checkTexts(at string, s *Step) error {
	texts := []struct{ key, text string }{{"text", s.Text}, {"reasoning", s.Reasoning}, {"summary", s.Summary}}
	for i, c := range s.ToolCalls {
		key := fmt.Sprintf("tool_calls[%d]", i)
		if c.Name == "" {
			return l.wrong(at+"."+key, "a call needs a name")
		}
		if k := kindOf(c.Arguments); k != '{' && k != '"' && k != 0 {
			return l.wrong(at+"."+key+".arguments", "arguments are of the wrong kind", "an object", "a string")
		}
		texts = append(texts, struct{ key, text string }{key + ".arguments", string(c.Arguments)})
	}
	for _, t := range texts {
		if bad := unknownPlaceholder(t.text); bad != "" {
			return l.wrong(at+"."+t.key, "unknown placeholder "+bad,
				"{{cursor}}", "{{title}}", "{{count}}", "{{action:PART}}", "each with a fallback as in {{cursor|c1}}")
		}
	}
	return nil
}

// kindOf is the first byte of a JSON value, 0 when there is none.
func kindOf(raw json.RawMessage) byte {
	if len(raw) == 0 {
		return 0
	}
	return raw[0]
}

func (l *loader) oneOf(key, value string, allowed ...string) error {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return l.wrong(key, fmt.Sprintf("unknown value %q", value), allowed...)
}

func (l *loader) between(key string, n, low, high int) error {
	if n >= low && n <= high {
		return nil
	}
	return l.wrong(key, fmt.Sprintf("%d is out of range", n), fmt.Sprintf("%d to %d", low, high))
}

func (l *loader) wrong(key, problem string, allowed ...string) error {
	line := 1
	pointer := strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(key)
	if v := l.tree.Find("/" + pointer); key != "" && v != nil {
		line = l.line(v.StartOffset)
	}
	return &ScriptError{File: l.file, Line: line, Key: key, Problem: problem, Allowed: allowed}
}
