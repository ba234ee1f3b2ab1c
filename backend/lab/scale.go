package lab

import "zimoscope/backend/requestview/cachemodel"

// The factor between counted and reported tokens is only believed within these bounds: no two vocabularies are further
// apart on any text that was seen.
const (
	lowestFactor  = 0.5
	highestFactor = 2.0
)

// factorOf is how many of the provider's tokens one counted token is worth, by how prompts grow from one request to the
// next. How they grow, not how large they are: engines render tools in ways of their own, which no factor describes.
func factorOf(list []Request, totals []int) float64 {
	var both, counted float64
	last := -1
	for i, q := range list {
		if !q.Usage.Reported || totals[i] == 0 {
			continue
		}
		if last >= 0 {
			c, r := float64(totals[i]-totals[last]), float64(q.Usage.PromptTotal-list[last].Usage.PromptTotal)
			both, counted = both+c*r, counted+c*c
		}
		last = i
	}
	if counted == 0 {
		return 1
	}
	return max(lowestFactor, min(highestFactor, both/counted))
}

// expected is a prediction in the tokens of a report: the reported prompt without what is not reused of it. So an error of
// the factor weighs only on the part that is new.
func expected(class cachemodel.Class, factor float64, reused, total int, u cachemodel.Usage) int {
	if reused == 0 {
		return 0
	}
	fresh := int(factor*float64(total-reused) + 0.5)
	return class.Reuse(max(0, u.PromptTotal-fresh))
}
