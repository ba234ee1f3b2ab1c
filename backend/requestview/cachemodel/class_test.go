package cachemodel

import (
	"fmt"
	"strings"
	"testing"
)

// byteCounter makes each byte a token, so that expectations can be written by hand.
type byteCounter struct{}

func (byteCounter) Count(b []byte) int { return len(b) }

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
