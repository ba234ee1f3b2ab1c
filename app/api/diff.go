package api

// RequestRef names a request, also of another session.
type RequestRef struct {
	Session string `json:"session"`
	N       int    `json:"n"`
}

// DiffView is the difference of any two requests.
type DiffView struct {
	Base    RequestRef  `json:"base"`
	Next    RequestRef  `json:"next"`
	Verdict VerdictView `json:"verdict"`
	Rungs   []Rung      `json:"rungs"`
	Hunks   []Hunk      `json:"hunks"`
	Cut     bool        `json:"cut"` // hunks of huge parts are previews
}

// Rung is one step of the ladder, or a folded run of equal ones.
type Rung struct {
	Kind     string `json:"kind"`
	Index    int    `json:"index"` // of the first part of a folded run
	Count    int    `json:"count"` // 1, or how many are folded
	Role     string `json:"role"`
	Name     string `json:"name"`
	State    string `json:"state"` // equal, grew, changed, new, gone, same-bytes, request-only, rest-equal, rest-changed
	BaseLink string `json:"baseLink"`
	NextLink string `json:"nextLink"`
	Delta    int    `json:"delta"` // bytes by which it grew, or its size when new
	Claimed  bool   `json:"claimed"`
}

// Hunk is the text difference of one part.
type Hunk struct {
	Kind  string     `json:"kind"`
	Index int        `json:"index"`
	Role  string     `json:"role"`
	State string     `json:"state"`
	Lines []HunkLine `json:"lines"`
}

// HunkLine is one line; Spans mark changed words.
type HunkLine struct {
	Sign  string `json:"sign"` // "+", "-", " "
	Old   int    `json:"old"`  // line numbers from 1, 0 when it has none
	New   int    `json:"new"`
	Text  string `json:"text"`
	Spans []Span `json:"spans"`
}

// Span is a run of changed characters, in UTF-16 units as JavaScript counts.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}
