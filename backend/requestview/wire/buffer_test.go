package wire

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// However two buffers take turns, each body has the bytes, the parts and the chain of one with memory of its own, and
// the body before is whole while the next is made.
func TestBodiesInBuffersAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, err := NewHead("m", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		l := NewLog(h.Link())
		var bufs [2]Buffer
		var prev, prevCopy *Body
		for k := range rapid.IntRange(1, 20).Draw(t, "bodies") {
			switch rapid.IntRange(0, 8).Draw(t, "what") {
			case 0:
				l = NewLog(h.Link())
			case 1:
				if h, err = NewHead(fmt.Sprint("m", k), nil, nil); err != nil {
					t.Fatal(err)
				}
				l = NewLog(h.Link())
			default:
				for i := range rapid.IntRange(0, 4).Draw(t, "grow") {
					l.Append(fmt.Appendf(nil, `{"role":"user","content":"%d.%d"}`, k, i))
				}
			}
			n := l.Len() - min(l.Len(), rapid.IntRange(0, 2).Draw(t, "open"))
			var loose [][]byte
			for i := range rapid.IntRange(0, 3).Draw(t, "loose") {
				loose = append(loose, fmt.Appendf(nil, `{"role":"user","content":"loose %d.%d %s"}`, k, i, bytes.Repeat([]byte("x"), rapid.IntRange(0, 99).Draw(t, "size"))))
			}
			buf := &bufs[k%2]
			if rapid.IntRange(0, 3).Draw(t, "again") == 0 {
				buf.Assemble(h, l, n, nil) // built again while it waits
			}
			got, want := buf.Assemble(h, l, n, loose), Assemble(h, l, n, loose)
			if !bytes.Equal(got.Raw, want.Raw) || got.Last() != want.Last() || got.Rehash(got.Raw) != -1 {
				t.Fatalf("body %d is\n%s\nnot\n%s", k, got.Raw, want.Raw)
			}
			m := got.Matcher()
			_, _ = m.Write(got.Raw)
			if equal, at := m.Result(); !equal {
				t.Fatalf("body %d differs from its frozen pieces at %d", k, at)
			}
			if prev != nil && !bytes.Equal(prev.Raw, prevCopy.Raw) {
				t.Fatalf("making body %d changed the one before", k)
			}
			prev, prevCopy = got, got.Clone()
		}
	})
}
