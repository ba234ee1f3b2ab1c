package verdict

import "slices"

// maxEdits bounds the exact search for the shortest edit script; its cost grows with the square. Beyond it, keys
// that occur once on each side serve as anchors.
const maxEdits = 800

// run is a stretch of equal keys: a[A:A+N] matches b[B:B+N].
type run struct{ A, B, N int }

// align finds an order-keeping matching of equal keys, with as many as the bounds allow. Messages, lines and words
// are all aligned by it.
func align(a, b []int32) []run {
	var out []run
	alignInto(&out, a, b, 0, 0, true)
	return joinRuns(out)
}

func alignInto(out *[]run, a, b []int32, offA, offB int, anchors bool) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n > 0 {
		*out = append(*out, run{offA, offB, n})
		a, b, offA, offB = a[n:], b[n:], offA+n, offB+n
	}
	tail := 0
	for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	midA, midB := a[:len(a)-tail], b[:len(b)-tail]
	if len(midA) > 0 && len(midB) > 0 {
		if runs, ok := shortestEdit(midA, midB); ok {
			for _, r := range runs {
				*out = append(*out, run{r.A + offA, r.B + offB, r.N})
			}
		} else if anchors {
			betweenAnchors(out, midA, midB, offA, offB)
		}
	}
	if tail > 0 {
		*out = append(*out, run{offA + len(midA), offB + len(midB), tail})
	}
}

// betweenAnchors cuts both sides at the keys that are unique in each and in order, and aligns what lies between.
func betweenAnchors(out *[]run, a, b []int32, offA, offB int) {
	lastA, lastB := 0, 0
	for _, p := range uniqueInOrder(a, b) {
		if p.A < lastA || p.B < lastB {
			continue
		}
		alignInto(out, a[lastA:p.A], b[lastB:p.B], offA+lastA, offB+lastB, false)
		*out = append(*out, run{offA + p.A, offB + p.B, 1})
		lastA, lastB = p.A+1, p.B+1
	}
	alignInto(out, a[lastA:], b[lastB:], offA+lastA, offB+lastB, false)
}

// uniqueInOrder is the longest increasing sequence of the keys that occur exactly once on each side.
func uniqueInOrder(a, b []int32) []run {
	type seen struct{ inA, inB, at int }
	keys := map[int32]*seen{}
	for _, k := range a {
		if s := keys[k]; s != nil {
			s.inA++
		} else {
			keys[k] = &seen{inA: 1}
		}
	}
	for i, k := range b {
		if s := keys[k]; s != nil {
			s.inB, s.at = s.inB+1, i
		}
	}
	var pairs, piles []run
	var back, top []int
	for i, k := range a {
		s := keys[k]
		if s.inA != 1 || s.inB != 1 {
			continue
		}
		pile, _ := slices.BinarySearchFunc(piles, s.at, func(r run, at int) int { return r.B - at })
		prev := -1
		if pile > 0 {
			prev = top[pile-1]
		}
		r := run{i, s.at, 1}
		if pile == len(piles) {
			piles, top = append(piles, r), append(top, len(pairs))
		} else {
			piles[pile], top[pile] = r, len(pairs)
		}
		pairs, back = append(pairs, r), append(back, prev)
	}
	var out []run
	if len(top) > 0 {
		for i := top[len(top)-1]; i >= 0; i = back[i] {
			out = append(out, pairs[i])
		}
	}
	slices.Reverse(out)
	return out
}

// shortestEdit is the greedy O(ND) algorithm, given up beyond maxEdits.
func shortestEdit(a, b []int32) ([]run, bool) {
	limit := min(len(a)+len(b), maxEdits)
	v := make([]int32, 2*limit+3)
	var trace [][]int32
	for d := 0; d <= limit; d++ {
		for k := -d; k <= d; k += 2 {
			x := furthest(v, limit, d, k)
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			v[limit+1+k] = int32(x)
			if x >= len(a) && x-k >= len(b) {
				return backtrack(trace, a, b, d), true
			}
		}
		trace = append(trace, slices.Clone(v[limit+1-d:limit+2+d]))
	}
	return nil, false
}

// furthest is where diagonal k starts its run in round d: one step down or right from the round before.
func furthest(v []int32, limit, d, k int) int {
	mid := limit + 1 + k
	if k == -d || k != d && v[mid-1] < v[mid+1] {
		return int(v[mid+1])
	}
	return int(v[mid-1]) + 1
}

func backtrack(trace [][]int32, a, b []int32, d int) []run {
	var out []run
	x, y := len(a), len(b)
	for ; d > 0; d-- {
		v := trace[d-1] // diagonals -(d-1) to d-1 of the round before
		get := func(k int) int {
			if i := k + d - 1; i >= 0 && i < len(v) {
				return int(v[i])
			}
			return -1
		}
		k := x - y
		down := k == -d || k != d && get(k-1) < get(k+1)
		px := get(k - 1)
		pk := k - 1
		if down {
			px, pk = get(k+1), k+1
		}
		startX := px
		if !down {
			startX++
		}
		if n := x - startX; n > 0 {
			out = append(out, run{startX, startX - k, n})
		}
		x, y = px, px-pk
	}
	if x > 0 {
		out = append(out, run{0, 0, x})
	}
	slices.Reverse(out)
	return out
}

func joinRuns(in []run) []run {
	var out []run
	for _, r := range in {
		if n := len(out); n > 0 && out[n-1].A+out[n-1].N == r.A && out[n-1].B+out[n-1].N == r.B {
			out[n-1].N += r.N
			continue
		}
		out = append(out, r)
	}
	return out
}

// interner gives equal values equal numbers.
type interner[K comparable] map[K]int32

func (m interner[K]) id(k K) int32 {
	if i, ok := m[k]; ok {
		return i
	}
	i := int32(len(m))
	m[k] = i
	return i
}
