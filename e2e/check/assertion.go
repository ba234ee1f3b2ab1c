package check

import (
	"fmt"
	"strings"
)

// Assertion is one thing that a run is held to.
type Assertion struct{ ID, Title string }

// Assertions lists all that Check holds a run to, in the order in which a person reads them.
func Assertions() []Assertion {
	return []Assertion{
		{Captured, "Every request was captured and proved"},
		{Tools, "current, act and search were called, under encoded names"},
		{Slot, "The current frame changed at least twice"},
		{Records, "The conversation holds a sealed record of each tool"},
		{Answer, "The answer holds title, cursor and count of the last block"},
		{Verdicts, "Every change between requests was planned"},
		{"A1", "One system message, unchanged"},
		{"A2", "It is the only one, in front, without frame state"},
		{"A3", "One block, in the tail, without raw frame JSON"},
		{"A4", "The tail is in no transcript and no export"},
		{"A5", "Nothing of the live interface stands outside the tail"},
		{"A6", "Every operation is a record with its Summary"},
		{"A7", "The newest frame is shown, and no older one"},
		{"A8", "History only grows at its end"},
		{"A9", "What was sent before stands unchanged"},
		{"A11", "Every call has its result"},
		{"A12", "Function names are legal and lead back to public ones"},
	}
}

// redlines lists those that are held against each request.
func redlines() (ids []string) {
	for _, a := range Assertions() {
		if strings.HasPrefix(a.ID, "A") {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// maxListed bounds a list in a sentence.
const maxListed = 12

func list(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	if n := len(words) - maxListed; n > 0 {
		return strings.Join(words[:maxListed], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(words, ", ")
}
