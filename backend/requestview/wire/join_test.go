package wire

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// odd draws a body whose members stand in any order and spacing, with its messages and what stands between them.
func odd(t *rapid.T) (raw string, messages, gaps []string) {
	members := []string{`"model" : "m"`, `"stream":true`, `"tools": [ {"a":1} , {"b":2} ]`, `"system":"be kind"`}
	members = rapid.Permutation(members).Draw(t, "members")[:rapid.IntRange(0, 4).Draw(t, "how many")]
	at := rapid.IntRange(0, len(members)).Draw(t, "at")
	messages = rapid.SliceOfN(rapid.Map(jsonText(2), strings.TrimSpace), 1, 6).Draw(t, "messages")
	gaps = rapid.SliceOfN(rapid.SampledFrom([]string{",", " , ", ",\n"}), len(messages), len(messages)).Draw(t, "gaps")
	list := messages[0]
	for i, m := range messages[1:] {
		list += gaps[i+1] + m
	}
	space := rapid.SampledFrom([]string{"", " ", "\n"})
	name := rapid.SampledFrom([]string{`"messages"`, `"input"`}).Draw(t, "name")
	list = name + `: [` + space.Draw(t, "lead") + list + space.Draw(t, "trail") + `]`
	all := append(append(append([]string{}, members[:at]...), list), members[at:]...)
	return `{` + strings.Join(all, " ,") + ` }`, messages, gaps
}

func TestJoinedBodyIsTheScanOfItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw, _, _ := odd(t)
		b, err := Scan([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		otherRaw, _, _ := odd(t)
		other, err := Scan([]byte(otherRaw))
		if err != nil {
			t.Fatal(err)
		}
		around, err := AroundOf(b)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "read anew") {
			if around, err = NewAround(around.head, around.tail); err != nil {
				t.Fatal(err)
			}
		}
		var runs []Run
		for range rapid.IntRange(1, 5).Draw(t, "runs") {
			r := Run{Gap: []byte(rapid.SampledFrom([]string{",", ", ", "\n,"}).Draw(t, "gap"))}
			if rapid.Bool().Draw(t, "one") {
				if r.Value, err = NewValue([]byte(strings.TrimSpace(jsonText(2).Draw(t, "message")))); err != nil {
					t.Fatal(err)
				}
			} else {
				r.Of = rapid.SampledFrom([]*Body{b, other}).Draw(t, "of")
				r.From = rapid.IntRange(0, r.Of.Messages.Len()-1).Draw(t, "from")
				r.Count = rapid.IntRange(1, r.Of.Messages.Len()-r.From).Draw(t, "count")
			}
			runs = append(runs, r)
		}
		got, err := Join(around, runs)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Scan(got.Raw)
		if err != nil {
			t.Fatalf("%v: %s", err, got.Raw)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\njoined  %+v\nscanned %+v", got.Raw, got, want)
		}
	})
}

func TestJoinRefusesWhatIsNoBodyOfMessages(t *testing.T) {
	for _, raw := range []string{``, ` {"a":1}`, `{"a":1} `, `{"a":1},{"b":2}`, `{`, `{"a":1]`, strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)} {
		if _, err := NewValue([]byte(raw)); !errors.Is(err, ErrJoin) {
			t.Errorf("message %.20q: %v", raw, err)
		}
	}
	for _, c := range [][2]string{{`{"messages":[`, `]`}, {`{"messages":[{"a":1}`, `]}`}, {`{"messages":[],"x":[`, `]}`}, {`{"x":[`, `],"messages":[]}`}, {`{"input":`, `}`}, {`{"input":"a`, `"}`}, {`{"tools":[`, `]}`}} {
		if _, err := NewAround([]byte(c[0]), []byte(c[1])); !errors.Is(err, ErrJoin) {
			t.Errorf("around %q: %v", c, err)
		}
	}
	one, err := Scan([]byte(`{"input": "all in one"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := AroundOf(one); !errors.Is(err, ErrJoin) {
		t.Errorf("a text is taken for a list: %v", err)
	}
	around, err := NewAround([]byte(`{"messages":[`), []byte(`]}`))
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewValue([]byte(`1`))
	if err != nil {
		t.Fatal(err)
	}
	for _, gap := range []string{"", " ", ",,", ",2,", "x"} {
		if _, err := Join(around, []Run{{Value: v}, {Gap: []byte(gap), Value: v}}); !errors.Is(err, ErrJoin) {
			t.Errorf("between %q: %v", gap, err)
		}
	}
}
