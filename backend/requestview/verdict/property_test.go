package verdict

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"zimoscope/backend/requestview/wire"
)

// One byte anywhere before the tail of a random request is changed: the verdict must change, and name the byte.
func TestAnyChangedByteIsLocatedExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := randomDraft(t)
		prev := d.request(t)
		raw := bytes.Clone(prev.Body.Raw)
		limit := len(raw) - 2
		if prev.Meta.TailOffset >= 0 {
			limit = prev.Meta.TailOffset
		}
		i := rapid.IntRange(1, limit-1).Draw(t, "byte")
		raw[i] = rapid.SampledFrom([]byte("aZ7 x0")).Draw(t, "with")
		body, err := wire.Scan(raw)
		if err != nil || raw[i] == prev.Body.Raw[i] || body.Messages.Len() != prev.Body.Messages.Len() {
			t.Skip("not another request of the same form")
		}
		m := *prev.Meta
		next := &Request{Body: body, Meta: &m, Name: "next"}
		v := Compare(prev, next)
		if body.Tools.Len() != prev.Body.Tools.Len() || body.Model.End == 0 { // a member lost its name: all its parts are gone, and rest tells where
			if !slices.ContainsFunc(v.Causes, func(c Cause) bool { return c.BodyOffset == i }) {
				t.Fatalf("byte %d: %+v", i, v.Causes)
			}
			return
		}
		if v.Verdict == Extended || v.BodyOffset != i {
			t.Fatalf("byte %d: %s at %d, %s: %+v\n%s", i, v.Verdict, v.BodyOffset, v.Path, v.Causes, raw)
		}
		if v.Part.Kind == wire.KindRest {
			return
		}
		from, to := body.Range(v.Part.Kind, v.Part.Index)
		if i < from || i >= to || v.PartOffset != i-from {
			t.Fatalf("byte %d lies not at %d of %+v", i, v.PartOffset, v.Part)
		}
	})
}

func randomDraft(t *rapid.T) draft {
	d := before()
	d.messages = d.messages[:rapid.SampledFrom([]int{2, 4, 6, 8}).Draw(t, "messages")]
	switch rapid.IntRange(0, 2).Draw(t, "placement") {
	case 0:
		d.carrier = ""
	case 1:
		d.carrier, d.attach = "", `{"role":"user","content":"go on, 请`
	}
	return d
}

// Whatever is appended, sealed or shown in the block, an honest successor is planned.
func TestAnHonestSuccessorIsAlwaysPlanned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomDraft(t)
		n := p.clone()
		n.number, n.meta.Predecessor = 2, 1
		if p.attach != "" {
			n.messages = append(n.messages, p.attach+`"}`)
		}
		sealedOne := false
		for i, m := range n.messages {
			if m == result("b", pendingRecord) {
				n.messages[i], sealedOne = result("b", sealedRecord), true
			}
		}
		n.attach, n.carrier = "", carrierOfItsOwn
		for range rapid.IntRange(0, 3).Draw(t, "steps") {
			n.messages = append(n.messages, plainCall("x"), result("x", "text"))
		}
		v := Compare(p.request(t), n.request(t))
		want := Extended
		if sealedOne {
			want = Sealed
		}
		if v.Verdict != want || !*v.Planned || v.Violation() {
			t.Fatalf("%s %+v", v.Verdict, v.Causes)
		}
	})
}

func TestAlignmentIsAnOrderedMatchingOfEqualKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Int32Range(0, rapid.Int32Range(1, 40).Draw(t, "keys"))
		a := rapid.SliceOfN(key, 0, 60).Draw(t, "a")
		b := rapid.SliceOfN(key, 0, 60).Draw(t, "b")
		runs := align(a, b)
		i, j, n := 0, 0, 0
		for _, r := range runs {
			if r.A < i || r.B < j || r.N <= 0 || !slices.Equal(a[r.A:r.A+r.N], b[r.B:r.B+r.N]) {
				t.Fatalf("%v of %v and %v", runs, a, b)
			}
			i, j, n = r.A+r.N, r.B+r.N, n+r.N
		}
		if best := longest(a, b); n != best {
			t.Fatalf("%d matched, %d possible: %v %v %v", n, best, a, b, runs)
		}
	})
}

// longest is the textbook table.
func longest(a, b []int32) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

func TestAnchorsAlignWhatIsTooFarApart(t *testing.T) {
	var a, b []int32
	for i := range int32(5000) {
		a = append(a, i)
		if i%2 == 0 {
			b = append(b, i)
		} else {
			b = append(b, 100000+i)
		}
	}
	if n := total(align(a, b)); n != 2500 {
		t.Fatal(n)
	}
}

func TestTheTextDiffRebuildsBothTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([abc]{0,2}\n){0,30}`)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		d := DiffText(a, b)
		la, lb := splitLines(a), splitLines(b)
		i, j := 0, 0
		var gotA, gotB []string
		for _, h := range d.Hunks {
			if h.PrevLine-1 < i || h.PrevLine-1-i != h.NextLine-1-j {
				t.Fatalf("hunk at %d, %d after %d, %d", h.PrevLine, h.NextLine, i, j)
			}
			gotA, gotB = append(gotA, la[i:h.PrevLine-1]...), append(gotB, lb[j:h.NextLine-1]...)
			i, j = h.PrevLine-1, h.NextLine-1
			for _, l := range h.Lines {
				if l.Op != LineAdded {
					gotA, i = append(gotA, l.Text), i+1
				}
				if l.Op != LineGone {
					gotB, j = append(gotB, l.Text), j+1
				}
			}
		}
		gotA, gotB = append(gotA, la[i:]...), append(gotB, lb[j:]...)
		if !slices.Equal(gotA, la) || !slices.Equal(gotB, lb) {
			t.Fatalf("%q %q: %+v", a, b, d.Hunks)
		}
	})
}
