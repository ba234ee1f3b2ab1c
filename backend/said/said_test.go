package said

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
)

var family = Catalogue{"test", map[string]string{
	"plain": "nothing to fill in",
	"tool":  "tool {name:q} changed in its {what}, {n} times; {name:q} it was",
	"outer": "request {n}: {why}",
}}

func TestASentenceIsSaidInEnglishAndByItsValues(t *testing.T) {
	s := family.Say("tool", "a\"b", "schema", 3)
	if want := `tool "a\"b" changed in its schema, 3 times; "a\"b" it was`; s.Text != want {
		t.Errorf("%s, want %s", s.Text, want)
	}
	want := &Words{Code: "test.tool", Texts: map[string]string{"name": "a\"b", "what": "schema"}, Numbers: map[string]int{"n": 3}}
	if !reflect.DeepEqual(s.Words, want) {
		t.Errorf("%+v", s.Words)
	}
}

func TestAPlaceholderInAValueIsText(t *testing.T) {
	if s := family.Say("outer", 1, "{n} {why}"); s.Text != "request 1: {n} {why}" {
		t.Error(s.Text)
	}
}

func TestAnInnerSentenceKeepsItsCode(t *testing.T) {
	s := family.Say("outer", 7, family.Say("plain"))
	if s.Text != "request 7: nothing to fill in" || s.Words.Inner["why"].Code != "test.plain" {
		t.Errorf("%s %+v", s.Text, s.Words)
	}
	if s := family.Say("outer", 7, Plain("other words")); s.Text != "request 7: other words" || s.Words.Texts["why"] != "other words" {
		t.Errorf("%s %+v", s.Text, s.Words)
	}
}

func TestAMissingValueAndAnUnknownCodeAreSeen(t *testing.T) {
	if s := family.Say("outer", 1); s.Text != "request 1: {why}" {
		t.Error(s.Text)
	}
	if s := family.Say("nowhere"); s.Text != "nowhere" || s.Words != nil {
		t.Errorf("%+v", s)
	}
}

func TestAnErrorHasItsWordsUntilItIsWrappedInOthers(t *testing.T) {
	err := family.Error(io.EOF, "outer", 2, io.EOF)
	if !errors.Is(err, io.EOF) || err.Error() != "request 2: EOF" || OfError(err).Code != "test.outer" {
		t.Errorf("%v %+v", err, OfError(err))
	}
	if OfError(fmt.Errorf("while opening: %w", err)) != nil {
		t.Error("the words of a part were taken for those of the whole")
	}
	outer := family.Error(err, "outer", 1, err)
	if w := OfError(outer); w.Inner["why"].Code != "test.outer" || outer.Error() != "request 1: request 2: EOF" {
		t.Errorf("%v %+v", outer, w)
	}
}
