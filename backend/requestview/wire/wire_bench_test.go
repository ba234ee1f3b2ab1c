package wire

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"
)

func benchLog(n int) (*Head, *Log) {
	h, _ := NewHead("m", []Param{{"stream", []byte("true")}}, nil)
	l := NewLog(h.Link())
	for i := range n {
		l.Append(fmt.Appendf(nil, `{"role":"user","content":"%06d %s"}`, i, bytes.Repeat([]byte("text "), 100)))
	}
	return h, l
}

func BenchmarkFullHash(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		h, l := benchLog(n)
		body := Assemble(h, l, n, nil)
		b.Run(fmt.Sprintf("bare-sha256/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(body.Raw)))
			for b.Loop() {
				sha256.Sum256(body.Raw)
			}
		})
		b.Run(fmt.Sprintf("rehash-sent/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(body.Raw)))
			for b.Loop() {
				if body.Rehash(body.Raw) >= 0 {
					b.Fatal("differs")
				}
			}
		})
		b.Run(fmt.Sprintf("scan-and-chain/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(body.Raw)))
			for b.Loop() {
				if _, err := Scan(body.Raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
