package lab

import "zimoscope/backend/requestview/cachemodel"

// Result is what Run found.
type Result struct {
	Classes    []string  `json:"classes"`
	Strategies []string  `json:"strategies"`
	Cells      []Cell    `json:"cells"`    // every class under every strategy
	Requests   []Row     `json:"requests"` // the recorded ones
	Currency   string    `json:"currency"`
	Estimated  bool      `json:"estimated"`     // some figure is not counted with the model's own tokenizer
	Own        string    `json:"own,omitempty"` // the class that marks are judged by
	Reported   *Reported `json:"reported,omitempty"`
	Elsewhere  int       `json:"history_elsewhere,omitempty"` // requests whose history their provider keeps: nothing is predicted for them
	Untimed    int       `json:"untimed,omitempty"`           // requests whose time is not known: nothing was idle before them
}

// Cell is the sum of one class under one strategy.
type Cell struct {
	Class        string  `json:"class"`
	Strategy     string  `json:"strategy"`
	PromptTokens int     `json:"prompt_tokens"`
	ReusedTokens int     `json:"reused_tokens"`
	Written      int     `json:"written_tokens"`
	Cost         float64 `json:"cost"`
	Priced       bool    `json:"priced"` // a price is known for the class
	Estimated    bool    `json:"estimated"`
}

// Share is the reused part of the prompt tokens.
func (c Cell) Share() float64 {
	if c.PromptTokens == 0 {
		return 0
	}
	return float64(c.ReusedTokens) / float64(c.PromptTokens)
}

// Row is one recorded request.
type Row struct {
	N         int            `json:"n"`
	Prompt    int            `json:"prompt_tokens"`
	Predicted map[string]int `json:"predicted"`
	Reported  *int           `json:"reported"` // null: not reported
	Total     *int           `json:"reported_prompt_tokens,omitempty"`
	Expected  *int           `json:"expected,omitempty"`          // the own class's prediction in the tokens of the report
	Elsewhere bool           `json:"history_elsewhere,omitempty"` // its history is not in its bytes: Predicted is empty
	Marked    bool           `json:"marked,omitempty"`            // prediction and report differ by more than one unit of the class
}

// Reported sums up the requests that reported their cache figures.
type Reported struct {
	Requests     int `json:"requests"`
	PromptTokens int `json:"prompt_tokens"`
	ReusedTokens int `json:"reused_tokens"`
	Predicted    int `json:"predicted_tokens"` // of the same requests, by the class in Own
	Marked       int `json:"marked"`
}

// estimateSlack is how far a count may be off, as a part of the prompt, before a request is marked: what is counted is
// the JSON text, and an engine renders it before it cuts it.
const estimateSlack = 50 // 2 per cent

func (l *run) result() *Result {
	r := &Result{Currency: l.prices().Currency, Own: l.in.Own}
	for _, c := range l.classes {
		r.Classes = append(r.Classes, c.Name)
	}
	for i, s := range l.strategies {
		r.Strategies = append(r.Strategies, s.name)
		for c, class := range l.classes {
			r.Cells = append(r.Cells, l.cell(&l.outcomes[i], s.name, c, class))
			r.Estimated = r.Estimated || l.estimated(class)
		}
		if s.name == AsRecorded {
			l.rows(r, &l.outcomes[i])
		}
	}
	for _, q := range l.in.Requests {
		if q.SentAt == 0 {
			r.Untimed++
		}
	}
	return r
}

func (l *run) prices() *Prices {
	if l.o.Prices != nil {
		return l.o.Prices
	}
	return BuiltInPrices()
}

func (l *run) estimated(class cachemodel.Class) bool {
	if l.ids != nil {
		return class.Rule != cachemodel.RulePrefix
	}
	return class.Vocabulary != cachemodel.VocabularyO200k
}

func (l *run) cell(out *outcome, strategy string, c int, class cachemodel.Class) Cell {
	s := out.sums[c]
	price, priced := l.prices().Classes[class.Name]
	return Cell{Class: class.Name, Strategy: strategy, PromptTokens: out.prompt, ReusedTokens: s.reused, Written: s.written,
		Cost: price.cost(out.prompt, s.reused, s.written), Priced: priced, Estimated: l.estimated(class)}
}

// rows sets prediction and report of each recorded request side by side. What is compared is in the provider's tokens.
func (l *run) rows(r *Result, out *outcome) {
	own := -1
	for c, class := range l.classes {
		if class.Name == l.in.Own {
			own = c
		}
	}
	factor := factorOf(l.in.Requests, out.totals)
	for i, q := range l.in.Requests {
		row := Row{N: q.N, Prompt: out.totals[i], Predicted: map[string]int{}}
		if out.single[i] == nil {
			row.Elsewhere = true
			r.Elsewhere++
			if q.Usage.Reported {
				row.Reported, row.Total = &q.Usage.Cached, &q.Usage.PromptTotal
			}
			r.Requests = append(r.Requests, row)
			continue
		}
		for c, class := range l.classes {
			row.Predicted[class.Name] = out.single[i][c]
		}
		if q.Usage.Reported {
			row.Reported, row.Total = &q.Usage.Cached, &q.Usage.PromptTotal
			if r.Reported == nil {
				r.Reported = &Reported{}
			}
			if own >= 0 {
				predicted := expected(l.classes[own], factor, out.single[i][own], out.totals[i], q.Usage)
				row.Expected = &predicted
				row.Marked = l.differs(l.classes[own], predicted, q.Usage)
				r.Reported.Predicted += predicted
			}
			r.Reported.add(q.Usage, row.Marked)
		}
		r.Requests = append(r.Requests, row)
	}
}

func (r *Reported) add(u cachemodel.Usage, marked bool) {
	r.Requests++
	r.PromptTokens += u.PromptTotal
	r.ReusedTokens += u.Cached
	if marked {
		r.Marked++
	}
}

// differs says that a prediction, in the provider's tokens, is more than one unit away from the report.
func (l *run) differs(class cachemodel.Class, predicted int, u cachemodel.Usage) bool {
	slack := max(1, class.Block)
	if l.ids == nil {
		slack += u.PromptTotal / estimateSlack
	}
	d := predicted - u.Cached
	return max(d, -d) > slack
}
