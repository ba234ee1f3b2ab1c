package api

// LabOrder asks what caches would make of a session.
type LabOrder struct {
	Session string    `json:"session"`
	Idle    int       `json:"idle"` // seconds after which a cache forgets, in place of each class's own; 0 for theirs
	Prices  LabPrices `json:"prices"`
}

// LabPrices are what a million prompt tokens cost, by class.
type LabPrices struct {
	Currency string     `json:"currency"`
	Classes  []LabPrice `json:"classes"`
}

// LabPrice is the price of one class.
type LabPrice struct {
	Class    string  `json:"class"`
	Uncached float64 `json:"uncached"`
	Read     float64 `json:"read"`
	Written  float64 `json:"written"`
}

// LabState is the cache lab: what it does, and what it found last.
type LabState struct {
	Session string     `json:"session"` // "" before the first question
	Running bool       `json:"running"`
	Stage   string     `json:"stage"` // read, count, tokens, compare
	Done    int        `json:"done"`
	Of      int        `json:"of"`
	Error   string     `json:"error"`
	Idle    int        `json:"idle"`
	Prices  LabPrices  `json:"prices"` // that were used last, also by an earlier run of the program; else the built-in ones
	BuiltIn LabPrices  `json:"builtIn"`
	Unkept  string     `json:"unkept"` // why the prices are forgotten when the program ends, "" when they are kept
	Result  *LabResult `json:"result"`
}

// LabResult is what the lab found.
type LabResult struct {
	Classes    []string    `json:"classes"`
	Strategies []string    `json:"strategies"`
	Cells      []LabCell   `json:"cells"` // every class under every strategy, strategy by strategy
	Rows       []LabRow    `json:"rows"`
	Own        string      `json:"own"` // the class that marks are judged by, "" when not known
	Untimed    int         `json:"untimed"`
	Elsewhere  int         `json:"elsewhere"` // requests that nothing is predicted for; the cells leave them out
	Estimated  bool        `json:"estimated"`
	Reported   LabReported `json:"reported"`
}

// LabCell is the sum of one class under one strategy.
type LabCell struct {
	Class     string  `json:"class"`
	Strategy  string  `json:"strategy"`
	Prompt    int     `json:"prompt"` // tokens
	Reused    int     `json:"reused"`
	Written   int     `json:"written"`
	Cost      float64 `json:"cost"`
	Priced    bool    `json:"priced"`
	Estimated bool    `json:"estimated"`
}

// LabRow is one recorded request.
type LabRow struct {
	N         int   `json:"n"`
	Prompt    int   `json:"prompt"`    // tokens, 0 when Elsewhere
	Reuse     []int `json:"reuse"`     // predicted, by class; empty when Elsewhere
	Elsewhere bool  `json:"elsewhere"` // its provider keeps the history: it is not in the bytes, so nothing is predicted
	Said      bool  `json:"said"`      // the provider reported
	Reported  int   `json:"reported"`
	Total     int   `json:"total"`  // prompt tokens as reported, 0 when not
	Marked    bool  `json:"marked"` // prediction and report differ by more than one unit
}

// LabReported sums up the requests that reported.
type LabReported struct {
	Requests  int `json:"requests"`
	Prompt    int `json:"prompt"`
	Reused    int `json:"reused"`
	Predicted int `json:"predicted"` // of the same requests, by Own
	Marked    int `json:"marked"`
}
