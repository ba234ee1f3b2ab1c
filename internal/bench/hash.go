package main

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"zimoscope/backend/requestview/wire"
)

// hashes measures the full hash of the bytes that left, which runs beside the path, against one bare SHA-256.
func hashes(s sizes) error {
	fmt.Printf("\nFull hash of the bytes sent, beside the path\n")
	fmt.Printf("%9s %12s %14s %14s %14s %10s\n", "messages", "body", "part by part", "bare SHA-256", "scan anew", "to bare")
	for _, n := range s.messages {
		sess, err := newSession(n)
		if err != nil {
			return err
		}
		body := sess.build().Body
		sent := append([]byte(nil), body.Raw...)
		parts := each(func(b *testing.B) {
			for b.Loop() {
				if at := body.Rehash(sent); at >= 0 {
					b.Fatal(at)
				}
			}
		})
		bare := each(func(b *testing.B) {
			for b.Loop() {
				sum := sha256.Sum256(sent)
				sink = sum[:]
			}
		})
		scan := each(func(b *testing.B) {
			for b.Loop() {
				if _, err := wire.Scan(sent); err != nil {
					b.Fatal(err)
				}
			}
		})
		fmt.Printf("%9d %10d B %14v %14v %14v %10s\n", n, len(sent), parts, bare, scan, ratio(parts, bare))
	}
	return nil
}
