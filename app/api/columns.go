package api

// RowColumns are rows of a timeline, field by field: a long session has thousands, and written one by one most of their
// bytes would be names. The i-th value of each column is of the i-th row. A column in which no row has anything is nil; in
// one of lists or pointers the same holds for a row.
type RowColumns struct {
	N           []int      `json:"n"`
	Base        []int      `json:"base"`
	Kind        []string   `json:"kind"`
	Verdict     []string   `json:"verdict"`
	Planned     []*bool    `json:"planned"`
	Staged      []bool     `json:"staged"`
	Proof       []string   `json:"proof"`
	Status      []string   `json:"status"`
	SentAt      []int64    `json:"sentAt"`
	Millis      []int64    `json:"millis"`
	Attempts    []int      `json:"attempts"`
	Tools       [][]string `json:"tools"`
	Bytes       []int      `json:"bytes"`
	Prefix      []int      `json:"prefix"`
	Equal       []int      `json:"equal"`
	New         []int      `json:"new"`
	Tail        []int      `json:"tail"`
	Lost        []int      `json:"lost"`
	Usage       []*Usage   `json:"usage"` // nil where nothing was reported
	Predicted   []*Predict `json:"predicted"`
	Unpredicted []string   `json:"unpredicted"`
	Violations  [][]string `json:"violations"`
	Error       []string   `json:"error"`
	Thread      []string   `json:"thread"`
	Turn        []int      `json:"turn"`
	Method      []string   `json:"method"`
	Path        []string   `json:"path"`
	HTTP        []int      `json:"http"`
}

// ColumnsOf brings rows into columns.
func ColumnsOf(rows []RequestRow) RowColumns {
	return RowColumns{
		N:           column(rows, func(r *RequestRow) int { return r.N }),
		Base:        column(rows, func(r *RequestRow) int { return r.Base }),
		Kind:        column(rows, func(r *RequestRow) string { return r.Kind }),
		Verdict:     column(rows, func(r *RequestRow) string { return r.Verdict }),
		Planned:     column(rows, func(r *RequestRow) *bool { return r.Planned }),
		Staged:      column(rows, func(r *RequestRow) bool { return r.Staged }),
		Proof:       column(rows, func(r *RequestRow) string { return r.Proof }),
		Status:      column(rows, func(r *RequestRow) string { return r.Status }),
		SentAt:      column(rows, func(r *RequestRow) int64 { return r.SentAt }),
		Millis:      column(rows, func(r *RequestRow) int64 { return r.Millis }),
		Attempts:    column(rows, func(r *RequestRow) int { return r.Attempts }),
		Tools:       lists(rows, func(r *RequestRow) []string { return r.Tools }),
		Bytes:       column(rows, func(r *RequestRow) int { return r.Bytes }),
		Prefix:      column(rows, func(r *RequestRow) int { return r.Prefix }),
		Equal:       column(rows, func(r *RequestRow) int { return r.Equal }),
		New:         column(rows, func(r *RequestRow) int { return r.New }),
		Tail:        column(rows, func(r *RequestRow) int { return r.Tail }),
		Lost:        column(rows, func(r *RequestRow) int { return r.Lost }),
		Usage:       column(rows, reported),
		Predicted:   column(rows, func(r *RequestRow) *Predict { return r.Predicted }),
		Unpredicted: column(rows, func(r *RequestRow) string { return r.Unpredicted }),
		Violations:  lists(rows, func(r *RequestRow) []string { return r.Violations }),
		Error:       column(rows, func(r *RequestRow) string { return r.Error }),
		Thread:      column(rows, func(r *RequestRow) string { return r.Thread }),
		Turn:        column(rows, func(r *RequestRow) int { return r.Turn }),
		Method:      column(rows, func(r *RequestRow) string { return r.Method }),
		Path:        column(rows, func(r *RequestRow) string { return r.Path }),
		HTTP:        column(rows, func(r *RequestRow) int { return r.HTTP }),
	}
}

func reported(r *RequestRow) *Usage {
	if r.Usage == (Usage{}) {
		return nil
	}
	return &r.Usage
}

func column[T comparable](rows []RequestRow, of func(*RequestRow) T) []T {
	var none T
	list, some := make([]T, len(rows)), false
	for i := range rows {
		list[i] = of(&rows[i])
		some = some || list[i] != none
	}
	if !some {
		return nil
	}
	return list
}

func lists(rows []RequestRow, of func(*RequestRow) []string) [][]string {
	list, some := make([][]string, len(rows)), false
	for i := range rows {
		if one := of(&rows[i]); len(one) > 0 {
			list[i], some = one, true
		}
	}
	if !some {
		return nil
	}
	return list
}
