package scripted

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestRulesByHand(t *testing.T) {
	for _, tc := range []struct {
		rule      Rule
		common, n int
		want      int
	}{
		{Rule{}, 50, 100, 50},
		{Rule{Class: ClassToken}, 100, 100, 99}, // one token must be computed
		{Rule{Class: ClassToken}, 0, 0, 0},
		{Rule{Class: ClassBlock}, 15, 100, 0},
		{Rule{Class: ClassBlock}, 16, 100, 16},
		{Rule{Class: ClassBlock}, 47, 100, 32},
		{Rule{Class: ClassBlock}, 32, 32, 16}, // the last block is not full without the last token
		{Rule{Class: ClassBlock, Block: 256}, 600, 1000, 512},
		{Rule{Class: ClassMinimumStep}, 1023, 5000, 0},
		{Rule{Class: ClassMinimumStep}, 1024, 5000, 1024},
		{Rule{Class: ClassMinimumStep}, 1151, 5000, 1024},
		{Rule{Class: ClassMinimumStep}, 1152, 5000, 1152},
		{Rule{Class: ClassMinimumStep}, 1024, 1024, 0},
		{Rule{Class: ClassMinimumStep, Minimum: 100, Step: 10}, 119, 500, 110},
	} {
		if got := tc.rule.cached(tc.common, tc.n); got != tc.want {
			t.Errorf("%+v common %d of %d: %d, want %d", tc.rule, tc.common, tc.n, got, tc.want)
		}
	}
}

func TestTokensByHand(t *testing.T) {
	for text, want := range map[string][]string{
		"shopping list": {"shoppi", "ng", " list"},
		`{"a":1234}`:    {"{", `"`, "a", `"`, ":", "123", "4", "}"},
		"周三 a":          {"周", "三", " a"},
		"\n\n  x":       {"\n\n  ", "x"},
		"привет":        {"при", "вет"},
		"a<|end|><|end": {"a", "<|end|>", "<", "|", "end"},
		"\xff\xfea":     {"\xff", "\xfe", "a"},
		"😀é":            {"😀", "é"},
	} {
		ids := tokenize(text)
		if len(ids) != len(want) {
			t.Errorf("%q: %d tokens, want %q", text, len(ids), want)
			continue
		}
		for i, piece := range want {
			id := pieceID(piece[:min(len(piece), maxPiece)])
			if m := markAt(marks(), piece); m >= 0 {
				id = markLength<<idShift | uint64(m)
			}
			if ids[i] != id {
				t.Errorf("%q: token %d is %x, want %q", text, i, ids[i], piece)
			}
		}
	}
}

func TestTokensSurviveJSON(t *testing.T) {
	for _, id := range tokenize("<|end|>\xff\xff\xff\xff zzzzzz 龘") {
		if id >= 1<<53 {
			t.Errorf("%x is no exact JSON number", id)
		}
	}
}

// longest is the cache as a plain list, to check the tree against.
func longest(all [][]uint64, s []uint64) int {
	best := 0
	for _, a := range all {
		best = max(best, commonLength(a, s))
	}
	return best
}

func TestCacheAgreesWithAPlainList(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 1))
	c := newCache(0)
	var all [][]uint64
	for i := range 2000 {
		var s []uint64
		if len(all) > 0 && r.IntN(4) > 0 {
			old := all[r.IntN(len(all))]
			s = append(s, old[:r.IntN(len(old)+1)]...)
		}
		for range r.IntN(6) {
			s = append(s, uint64(r.IntN(3)))
		}
		if got, want := c.add("m", s), longest(all, s); got != want {
			t.Fatalf("seed %d, sequence %d: common %d, want %d", seed, i, got, want)
		}
		all = append(all, s)
	}
	if got := c.add("other model", all[len(all)-1]); got != 0 {
		t.Errorf("another model shares %d tokens", got)
	}
}

func TestCacheDropsWhatWasUsedLongestAgo(t *testing.T) {
	c := newCache(1000)
	sequence := func(first uint64) []uint64 {
		s := make([]uint64, 100)
		s[0] = first
		return s
	}
	for i := range 9 {
		c.add("m", sequence(uint64(i)))
	}
	c.add("m", sequence(0)) // used again
	for i := range 5 {
		c.add("m", sequence(uint64(100+i)))
	}
	if c.size > 1000 {
		t.Errorf("%d tokens kept", c.size)
	}
	if got := c.add("m", sequence(1)); got != 0 {
		t.Error("the oldest sequence is still there")
	}
	if got := c.add("m", sequence(0)); got != 100 {
		t.Errorf("the sequence that was used again is gone: %d", got)
	}
}

// The usage of a grown conversation, counted by hand from its rendering.
func TestUsageReportsTheTrueCommonPrefix(t *testing.T) {
	url := serve(t, &Script{Steps: []Step{{Text: "hello"}, {Text: "bye"}}}, Options{})
	c := newChat(t, url, "sys", "hi")
	// <|system|> sys <|end|> <|user|> hi <|end|> <|assistant|> = 7; hello <|end|> = 2
	m, use := c.ask()
	if use != (usage{7, 2, 9, promptDetails{0}}) {
		t.Errorf("first: %+v", use)
	}
	c.messages = append(c.messages, m)
	c.add("user", "more")
	// the nine from before, then <|user|> more <|end|> <|assistant|>
	if _, use = c.ask(); use.PromptTokens != 13 || use.PromptTokensDetails.CachedTokens != 9 {
		t.Errorf("second: %+v", use)
	}
	if _, use = c.ask(); use.PromptTokensDetails.CachedTokens != 12 {
		t.Errorf("the same again: %+v", use)
	}
	c.messages[1] = obj{"role": "user", "content": "ho"}
	if _, use = c.ask(); use.PromptTokensDetails.CachedTokens != 4 { // up to <|user|>
		t.Errorf("an old message changed: %+v", use)
	}
}

func TestDroppedReasoningIsADifference(t *testing.T) {
	url := serve(t, &Script{Steps: []Step{{Text: "hello", Reasoning: "hm"}, {Text: "bye"}}}, Options{})
	c := newChat(t, url, "sys", "hi")
	m, _ := c.ask()
	kept := m
	m.ReasoningContent = ""
	for _, tc := range []struct {
		m    answerMessage
		want int
	}{{m, 7}, {kept, 12}} { // 7 + <|think|> hm <|/think|> hello <|end|>
		c.messages = append(c.messages[:2:2], tc.m, obj{"role": "user", "content": "x"})
		if _, use := c.ask(); use.PromptTokensDetails.CachedTokens != tc.want {
			t.Errorf("cached %d, want %d", use.PromptTokensDetails.CachedTokens, tc.want)
		}
	}
}

func TestOptionsReplaceTheScriptsRule(t *testing.T) {
	s := &Script{Steps: []Step{{Text: "x"}}, Rule: Rule{Class: ClassToken}}
	c := newChat(t, serve(t, s, Options{Rule: Rule{Class: ClassBlock}}), "sys", strings.Repeat("word ", 40))
	c.ask()
	if _, use := c.ask(); use.PromptTokensDetails.CachedTokens%16 != 0 || use.PromptTokensDetails.CachedTokens == 0 {
		t.Errorf("%+v", use)
	}
}

func TestTemplateAndTokenizeAgreeWithUsage(t *testing.T) {
	url := serve(t, plan(), Options{})
	c := newChat(t, url, "sys <b>", "你好 <zimoos>", "x__do_x2e_it")
	_, use := c.ask()
	_, text := post(t, url+"/apply-template", c.body())
	var prompt struct{ Prompt string }
	if err := json.Unmarshal([]byte(text), &prompt); err != nil || !strings.HasPrefix(prompt.Prompt, markTools+`{"function"`) {
		t.Fatalf("%v %s", err, text)
	}
	raw, _ := marshal(obj{"content": prompt.Prompt})
	_, text = post(t, url+"/tokenize", string(raw))
	var tokens struct{ Tokens []uint64 }
	if err := json.Unmarshal([]byte(text), &tokens); err != nil || len(tokens.Tokens) != use.PromptTokens {
		t.Errorf("%v: %d tokens, usage says %d", err, len(tokens.Tokens), use.PromptTokens)
	}
	if res, _ := post(t, url+"/tokenize", `{}`); res.StatusCode != 400 {
		t.Errorf("tokenize without content: %d", res.StatusCode)
	}
}
