package cachemodel

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zimoscope/backend/requestview/wire"
)

// byteCounter makes each byte a token, so that expectations can be written by hand.
type byteCounter struct{ counted *int }

func (c byteCounter) Count(b []byte) int {
	if c.counted != nil {
		*c.counted += len(b)
	}
	return len(b)
}

func body(t interface{ Fatal(...any) }, model string, messages ...string) *wire.Body {
	b, err := wire.Scan([]byte(`{"model":"` + model + `","messages":[` + strings.Join(messages, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func msg(text string) string { return fmt.Sprintf(`{"c":%q}`, text) }

func TestReuseFollowsTheRuleOfItsClass(t *testing.T) {
	for _, c := range []struct {
		class       Class
		equal, want int
	}{
		{Token(), 1000, 1000}, {Block(), 1000, 992}, {Block(), 15, 0}, {MinimumStep(), 1023, 0},
		{MinimumStep(), 1024, 1024}, {MinimumStep(), 1200, 1152},
	} {
		if got := c.class.Reuse(c.equal); got != c.want {
			t.Errorf("%s of %d: %d, want %d", c.class.Name, c.equal, got, c.want)
		}
	}
}

func TestThePartWithTheDifferenceCountsUpToIt(t *testing.T) {
	a, b := body(t, "m", msg("one"), msg("two and A")), body(t, "m", msg("one"), msg("two and B"))
	s := NewSession(byteCounter{}, true)
	p := s.Predict(Token(), a, b)
	want := len(msg("one")) + len(`{"c":"two and `)
	if p.Reused != want || p.Total != len(msg("one"))+len(msg("two and B")) || p.Estimated {
		t.Fatalf("%+v, want %d", p, want)
	}
	if p := s.Predict(Token(), body(t, "other", msg("one")), b); p.Reused != 0 {
		t.Fatal("another model's cache was reused", p)
	}
}

func TestOlderPromptsOfTheSessionCountToo(t *testing.T) {
	s := NewSession(byteCounter{}, false)
	s.Next(body(t, "m", msg("a"), msg("b"), msg("c")))
	for range 5 {
		s.Next(body(t, "m", msg("x")))
	}
	p := s.Next(body(t, "m", msg("a"), msg("b"), msg("d")), Token())[0]
	if want := len(msg("a")) * 2; p.Reused < want || !p.Estimated || !strings.HasPrefix(p.String(), "≈") {
		t.Fatalf("%v, want at least %d", p, want)
	}
}

func TestAnUnchangedPartIsCountedOnce(t *testing.T) {
	counted := 0
	s := NewSession(byteCounter{&counted}, true)
	list := []string{}
	for i := range 50 {
		list = append(list, msg(strings.Repeat(fmt.Sprint(i%10), 100)+fmt.Sprint(i)))
		s.Next(body(t, "m", list...), Token())
	}
	if unique := len(strings.Join(list, "")); counted > unique {
		t.Fatalf("%d bytes counted for %d unique ones", counted, unique)
	}
}

// Against a dumb model: the longest equal prefix with either of the two requests before.
func TestPredictionIsTheLongestEqualPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSession(byteCounter{}, true)
		var before []*wire.Body
		for range rapid.IntRange(2, 6).Draw(t, "requests") {
			texts := rapid.SliceOfN(rapid.StringMatching(`[ab]{1,3}`), 0, 5).Draw(t, "texts")
			var list []string
			for _, x := range texts {
				list = append(list, msg(x))
			}
			b := body(t, rapid.SampledFrom([]string{"m", "n"}).Draw(t, "model"), list...)
			got := s.Next(b, Token())[0].Reused
			low, high := 0, 0
			for i, a := range before {
				n := dumb(a, b)
				high = max(high, n)
				if i >= len(before)-recentBodies {
					low = max(low, n)
				}
			}
			if got < low || got > high {
				t.Fatalf("%d, want %d to %d", got, low, high)
			}
			before = append(before, b)
		}
	})
}

func dumb(a, b *wire.Body) int {
	if string(a.Bytes(wire.KindModel, 0)) != string(b.Bytes(wire.KindModel, 0)) {
		return 0
	}
	n := 0
	for i := range min(a.Messages.Len(), b.Messages.Len()) {
		x, y := a.Bytes(wire.KindMessage, i), b.Bytes(wire.KindMessage, i)
		if string(x) != string(y) {
			return n + wire.CommonPrefix(x, y)
		}
		n += len(x)
	}
	return n
}

func TestTheVocabularyCountsAsPublished(t *testing.T) {
	c := O200k()
	if n := c.Count([]byte("hello world")); n != 2 {
		t.Fatal(n)
	}
	if n := c.Count([]byte(strings.Repeat("hello world ", 20000))); n < 40000 || n > 40100 {
		t.Fatal(n)
	}
}

func TestAPictureCountsAsOneHoweverManyBytesCarryIt(t *testing.T) {
	c := O200k()
	picture := func(n int) string { return strings.Repeat("iVBORw0KGgo/+A9z", n/16) }
	for _, form := range []string{
		`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,%s"}},{"type":"text","text":"see"}]}`,
		`{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}]}`,
	} {
		small, large := c.Count(fmt.Appendf(nil, form, picture(2048))), c.Count(fmt.Appendf(nil, form, picture(2<<20)))
		bare := c.Count(fmt.Appendf(nil, form, ""))
		if small != large || small < bare+pictureTokens-5 || small > bare+pictureTokens+5 {
			t.Errorf("%d tokens without, %d with a small picture, %d with a large one", bare, small, large)
		}
		two := c.Count(fmt.Appendf(nil, form+form, picture(2048), picture(4096)))
		if two < 2*small-5 || two > 2*small+5 {
			t.Errorf("two pictures count %d, one %d", two, small)
		}
	}
	if word := c.Count([]byte(`{"data":"` + strings.Repeat("word ", 400) + `"}`)); word > 600 || word < 300 {
		t.Errorf("words under the name of data count %d", word)
	}
}
