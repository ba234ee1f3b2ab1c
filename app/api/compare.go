package api

// SessionsDiff is two sessions side by side.
type SessionsDiff struct {
	Base  SideFigures `json:"base"`
	Next  SideFigures `json:"next"`
	Pairs []Pair      `json:"pairs"`
	Same  int         `json:"same"`  // pairs with the same bytes
	First int         `json:"first"` // index of the first pair that differs, -1 for none
	Where VerdictView `json:"where"` // and where it does, when both sides have a request there
}

// SideFigures are the sums of one side.
type SideFigures struct {
	Session string  `json:"session"`
	Name    string  `json:"name"`
	Figures Figures `json:"figures"`
}

// Pair is one line of two sessions side by side: requests of the same turn in the same place of it.
type Pair struct {
	Turn  int         `json:"turn"`
	State string      `json:"state"` // same, differs, base-only, next-only
	Base  *RequestRow `json:"base"`
	Next  *RequestRow `json:"next"`
}
