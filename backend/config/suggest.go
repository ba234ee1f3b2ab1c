package config

import (
	"fmt"
	"slices"
	"strings"
)

// farthest is the largest number of edits at which a name still counts as a typo of another.
const farthest = 2

// unknown is the sentence about a name that is not allowed.
func unknown(name, where string, allowed []string) string {
	text := fmt.Sprintf("unknown setting %q in %s", name, where)
	if s := nearest(name, allowed); s != "" {
		text += fmt.Sprintf("; did you mean %q?", s)
	}
	return text + " Allowed: " + strings.Join(allowed, ", ")
}

// nearest is the allowed name that name was most likely meant to be, "" when none is near.
func nearest(name string, allowed []string) string {
	best, distance := "", farthest+1
	for _, a := range allowed {
		if d := edits(plain(name), plain(a)); d < distance && d < len(a)-1 {
			best, distance = a, d
		}
	}
	return best
}

// plain ignores what spellings of one name differ in.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// edits counts insertions, deletions, replacements and swaps of neighbours.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := [][]int{make([]int, len(y)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(rows[i-1][j]+1, row[j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], rows[i-2][j-2]+1)
			}
		}
		rows = append(rows, row)
	}
	return rows[len(x)][len(y)]
}

// names joins lists of allowed names, sorted.
func names(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}
