package wire

import "bytes"

// Matcher compares a stream of bytes with the frozen pieces a body was copied from, as the stream goes by. It is
// the cheap half of the proof: equal bytes mean that the cached links hold for what was sent.
type Matcher struct {
	segments [][]byte
	seg, off int
	seen     int
	at       int // first differing byte, -1 while equal
}

// Matcher starts a comparison. A scanned body has no frozen pieces; it is compared with its own bytes.
func (b *Body) Matcher() *Matcher {
	m := &Matcher{segments: b.segments, at: -1}
	if m.segments == nil {
		m.segments = [][]byte{b.Raw}
	}
	return m
}

// Write takes the next bytes of the stream; it never fails.
func (m *Matcher) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && m.at < 0 {
		for m.seg < len(m.segments) && m.off == len(m.segments[m.seg]) {
			m.seg, m.off = m.seg+1, 0
		}
		if m.seg == len(m.segments) {
			m.at = m.seen
			break
		}
		want := m.segments[m.seg][m.off:]
		k := min(len(want), len(p))
		if !bytes.Equal(want[:k], p[:k]) {
			m.at = m.seen + CommonPrefix(want[:k], p[:k])
			break
		}
		m.off, m.seen, p = m.off+k, m.seen+k, p[k:]
	}
	return n, nil
}

// Result says whether the whole stream was equal, else the offset of the first difference. A stream that ended
// early differs where it ended.
func (m *Matcher) Result() (equal bool, at int) {
	if m.at >= 0 {
		return false, m.at
	}
	left := 0
	for i := m.seg; i < len(m.segments); i++ {
		left += len(m.segments[i])
	}
	if left != m.off {
		return false, m.seen
	}
	return true, -1
}

// Rehash says whether the bytes that left hash, part by part and with everything between, to what this body claims. It
// computes every leaf from sent, on all cores, and takes only the places of the parts from the claim: each frozen
// message was found to be one JSON value before it was appended. What separates the parts is the Matcher's to compare.
// -1 means that all is equal; otherwise it is the offset of the first part that differs.
func (b *Body) Rehash(sent []byte) (at int) {
	if len(sent) != len(b.Raw) {
		return min(len(sent), len(b.Raw))
	}
	var hs hasher
	if b.Model.End > 0 && hs.leaf(KindModel, sent[b.Model.Start:b.Model.End]) != b.Model.Leaf {
		return b.Model.Start
	}
	if b.restOf(sent) != b.Rest {
		return 0
	}
	for _, k := range []Kind{KindTool, KindSystem, KindMessage} {
		if at := rehashRegion(sent, k, b.Region(k)); at >= 0 {
			return at
		}
	}
	return -1
}

// restOf hashes everything beside the chain, with the separators that stand inside the arrays taken at their places.
func (b *Body) restOf(raw []byte) Hash {
	return restLeaf(raw, span{b.Model.Start, b.Model.End}, b.span(KindTool), b.span(KindSystem), b.span(KindMessage))
}

// span is what lies between the brackets of a region.
func (b *Body) span(k Kind) span {
	r := b.Region(k)
	return span{r.At, r.end}
}

// CommonPrefix counts the equal bytes at the start of a and b.
func CommonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for step := 4096; step >= 16; step /= 16 { // whole blocks first: bytes.Equal compares 32 bytes at a time
		for i+step <= n && bytes.Equal(a[i:i+step], b[i:i+step]) {
			i += step
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
