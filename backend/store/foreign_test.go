package store

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zimoscope/backend/requestview/wire"
)

// Bodies that others wrote keep their spacing, their member order and their bytes, whatever they go on from.
func TestForeignBodiesComeBackAsTheyWere(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		st, err := New(dir)
		if err != nil {
			t.Fatal(err)
		}
		s, err := st.Create(Info{Name: "foreign"})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		gaps := []string{",", ", ", ",\n  ", " ,"}
		var bodies []*wire.Body
		n := rapid.IntRange(1, 12).Draw(t, "requests")
		var batch Batch
		for k := 1; k <= n; k++ {
			raw := foreignBody(t, gaps)
			r := &Request{N: k}
			if b, err := wire.Scan(raw); err == nil {
				r.Body = b
			} else {
				r.Raw = raw
			}
			bodies = append(bodies, r.Body)
			if back := rapid.IntRange(0, k-1).Draw(t, "base"); back > 0 && bodies[back-1] != nil {
				r.Base, r.BaseBody = back, bodies[back-1]
			}
			batch.Requests = append(batch.Requests, r)
		}
		if err := s.Commit(batch); err != nil {
			t.Fatal(err)
		}
		for k, r := range batch.Requests {
			want := r.Raw
			if r.Body != nil {
				want = r.Body.Raw
			}
			got, err := s.Body(k + 1)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("request %d came back as %q (%v), not %q", k+1, got, err, want)
			}
		}
	})
}

func foreignBody(t *rapid.T, gaps []string) []byte {
	if rapid.IntRange(0, 9).Draw(t, "other") == 0 {
		return []byte("not JSON at all \x00\xff")
	}
	var b strings.Builder
	b.WriteString(`{ "model" : "m", "messages": [` + rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "lead"))
	n := rapid.IntRange(0, 6).Draw(t, "messages")
	for i := range n {
		if i > 0 {
			b.WriteString(rapid.SampledFrom(gaps).Draw(t, "gap"))
		}
		fmt.Fprintf(&b, `{"role":"user","content":"%d"}`, rapid.IntRange(0, 4).Draw(t, "text"))
	}
	b.WriteString(rapid.SampledFrom([]string{`]}`, ` ] , "stream":true}`}).Draw(t, "end"))
	return []byte(b.String())
}
