package verdict

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"zimoscope/backend/requestview/wire"
)

// longSession is a frozen log of n messages of about 500 characters, its last record pending.
func longSession(b *testing.B, n int) (*wire.Head, *wire.Log) {
	h, err := wire.NewHead("m", []wire.Param{{Name: "stream", Raw: []byte("true")}}, [][]byte{[]byte(toolDef("os__zimoos_x2e_act", "acts"))})
	if err != nil {
		b.Fatal(err)
	}
	l := wire.NewLog(h.Link())
	l.Append([]byte(`{"role":"system","content":"You drive it."}`))
	pad := strings.Repeat("text ", 70)
	for l.Len() < n {
		id := fmt.Sprint("c", l.Len())
		l.Append([]byte(calls(pad, id)))
		l.Append([]byte(result(id, sealedRecord+pad)))
	}
	return h, l
}

func assembled(h *wire.Head, l *wire.Log, n int, loose ...string) *Request {
	var list [][]byte
	for _, m := range append(loose, carrierOfItsOwn) {
		list = append(list, []byte(m))
	}
	body := wire.Assemble(h, l, l.Len(), list)
	from, _ := body.Range(wire.KindMessage, body.Messages.Len()-1)
	return &Request{Body: body, Number: n, Name: fmt.Sprint(n), Meta: &Meta{Kind: KindMain, Predecessor: n - 1, TailOffset: from}}
}

// One more step: a pending record is sealed and a new step comes. What is measured is the verdict and the redlines;
// a plain copy of the body stands beside it.
func BenchmarkOneMoreStep(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		h, l := longSession(b, n)
		step := []string{calls("go", "x"), result("x", pendingRecord)}
		pair := [2]*Request{
			assembled(h, l, 0, step...),
			assembled(h, l, 0, step[0], result("x", sealedRecord), calls("again", "y"), result("y", pendingRecord)),
		}
		b.Run(fmt.Sprintf("copy/%d", n), func(b *testing.B) {
			for b.Loop() {
				_ = bytes.Clone(pair[1].Body.Raw)
			}
		})
		b.Run(fmt.Sprintf("check/%d", n), func(b *testing.B) {
			c := NewChecker()
			c.Add(pair[0])
			i := 0
			for b.Loop() {
				i++
				if res := c.Add(pair[i%2]); i%2 == 1 && res.Verdict.Verdict != Sealed {
					b.Fatal(res.Verdict.Causes)
				}
			}
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	line := strings.Repeat("word ", 12) + `\n`
	big := func(change string) string {
		return user(strings.Repeat(line, 40000) + change + strings.Repeat(line, 40000))
	}
	p, n := before(), after()
	p.messages[1], n.messages[1] = big("one"), big("two")
	x, y := p.request(b), n.request(b)
	b.SetBytes(int64(len(x.Body.Raw)))
	for b.Loop() {
		if d := Diff(x, y); len(d.Parts) == 0 || len(d.Parts[0].Text.Hunks) == 0 {
			b.Fatal("no hunk")
		}
	}
}
