package wire

import (
	"runtime"

	"zimoscope/backend/safely/together"
)

// parallelFrom is the body size in bytes from which a second core pays for being woken; below it, one goroutine
// is faster (measured with BenchmarkFullHash).
const parallelFrom = 32 << 10

// hashLeaves fills the leaf of every part. Leaves are independent of each other, so a large body is hashed on
// all cores: this is what keeps the full proof near the cost of one bare SHA-256 over the same bytes.
func hashLeaves(b *Body) {
	workers := 1
	if len(b.Raw) >= parallelFrom {
		workers = max(1, runtime.GOMAXPROCS(0))
	}
	for _, k := range []Kind{KindTool, KindSystem, KindMessage} {
		r := b.Region(k)
		if workers == 1 {
			hashRun(b.Raw[r.At:], k, r.own)
			continue
		}
		var all together.Group
		for _, run := range split(r.own, workers) {
			all.Run(func() { hashRun(b.Raw[r.At:], k, run) })
		}
		all.Wait()
	}
}

func hashRun(region []byte, k Kind, parts []Part) {
	var hs hasher
	for i := range parts {
		parts[i].Leaf = hs.leaf(k, region[parts[i].Start:parts[i].End])
	}
}

// split cuts parts into up to n runs of about the same number of bytes.
func split(parts []Part, n int) [][]Part {
	if len(parts) == 0 {
		return nil
	}
	total := parts[len(parts)-1].End - parts[0].Start
	var runs [][]Part
	from, size := 0, 0
	for i, p := range parts {
		size += p.End - p.Start
		if size >= total/n+1 && i+1 < len(parts) {
			runs = append(runs, parts[from:i+1])
			from, size = i+1, 0
		}
	}
	return append(runs, parts[from:])
}

// rehashRegion compares the leaf of every part with the bytes of another body at the same places. It gives the offset
// of the first part that differs, -1 when none does.
func rehashRegion(raw []byte, k Kind, r *Region) int {
	n := r.Len()
	if len(raw) < parallelFrom {
		return rehashRun(raw, k, r, 0, n)
	}
	workers := max(1, runtime.GOMAXPROCS(0))
	bad := make([]int, workers)
	var all together.Group
	for w := range workers {
		all.Run(func() { bad[w] = rehashRun(raw, k, r, w*n/workers, (w+1)*n/workers) })
	}
	all.Wait()
	for _, at := range bad {
		if at >= 0 {
			return at
		}
	}
	return -1
}

// rehashRun does so for the parts [from, to).
func rehashRun(raw []byte, k Kind, r *Region, from, to int) int {
	var hs hasher
	for _, run := range [][]Part{r.frozen[min(from, len(r.frozen)):min(to, len(r.frozen))], r.own[max(0, from-len(r.frozen)):max(0, to-len(r.frozen))]} {
		for i := range run {
			p := &run[i]
			if hs.leaf(k, raw[r.At+p.Start:r.At+p.End]) != p.Leaf {
				return r.At + p.Start
			}
		}
	}
	return -1
}
