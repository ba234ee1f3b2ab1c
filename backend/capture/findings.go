package capture

import (
	"fmt"
	"path/filepath"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// Finding is one thing for which a check fails.
type Finding struct {
	Rule    string `json:"rule"`    // a verdict, a redline's id, sidecar, or baseline
	Request int    `json:"request"` // index in Requests
	File    string `json:"file"`
	Detail  string `json:"detail"`
	Path    string `json:"path,omitempty"`
	Offset  int    `json:"body_offset"` // -1 when it has no place in the body
}

// Rules that are neither a verdict nor a redline.
const (
	RuleSidecar  = "sidecar"
	RuleBaseline = "baseline" // more history is lost than in the baseline
)

// Findings lists why a report fails, in the order of the requests. Strict also lists what is degraded, and changed
// parameters.
func (r *Report) Findings(strict bool) []Finding {
	list := []Finding{}
	pairs, lines := map[int]*Pair{}, map[int][]Redline{}
	for i := range r.Pairs {
		pairs[r.Pairs[i].To] = &r.Pairs[i]
	}
	for _, l := range r.Redlines {
		if l.OK != nil && !*l.OK || strict && l.Degraded {
			lines[l.Request] = append(lines[l.Request], l)
		}
	}
	for i := range r.Requests {
		file := r.Requests[i].File
		for _, v := range r.Violations {
			if v.Request == i {
				list = append(list, Finding{RuleSidecar, i, v.File, v.Detail, "", -1})
			}
		}
		if p := pairs[i]; p != nil {
			list = append(list, p.findings(file, strict)...)
		}
		for _, l := range lines[i] {
			list = append(list, Finding{l.ID, i, file, l.Detail, "", -1})
		}
	}
	return list
}

func (p *Pair) findings(file string, strict bool) (list []Finding) {
	for _, c := range p.Causes {
		if c.Violates() || strict && c.Kind == verdict.RestChanged {
			list = append(list, Finding{string(c.Kind), p.To, file, c.Detail, c.Path, c.BodyOffset})
		}
	}
	return list
}

// Since leaves out what a baseline already shows at the same request: what remains is new. A pair that loses more of
// its history than in the baseline is a finding of its own. Notes say where the stable prefix is not the baseline's,
// which fails nothing.
func (r *Report) Since(base *Report, strict bool) (list []Finding, notes []string) {
	type key struct {
		rule    string
		request int
	}
	known := map[key]int{}
	for _, f := range base.Findings(true) {
		known[key{f.Rule, f.Request}]++
	}
	list = []Finding{}
	for _, f := range r.Findings(strict) {
		if k := (key{f.Rule, f.Request}); known[k] > 0 {
			known[k]--
			continue
		}
		list = append(list, f)
	}
	lost := map[int]int{}
	for _, p := range base.Pairs {
		lost[p.To] = p.HistoryLost
	}
	for _, p := range r.Pairs {
		was, ok := lost[p.To]
		if ok && p.HistoryLost > was {
			list = append(list, Finding{RuleBaseline, p.To, r.Requests[p.To].File, fmt.Sprintf("%d bytes of history are lost, %d in the baseline", p.HistoryLost, was), p.Path, p.BodyOffset})
		}
	}
	return list, r.prefixNotes(base)
}

// prefixNotes compares the stable prefixes of the first requests.
func (r *Report) prefixNotes(base *Report) (notes []string) {
	if len(r.Requests) == 0 || len(base.Requests) == 0 {
		return nil
	}
	a, b := base.Requests[0].Parts, r.Requests[0].Parts
	for i := range min(len(a), len(b)) {
		if b[i].Kind == wire.KindMessage && b[i].Index > 0 {
			break // an agent's first message is another one in each run
		}
		if a[i].Link != b[i].Link {
			return []string{fmt.Sprintf("the stable prefix is not that of the baseline: %s %d differs first", b[i].Kind, b[i].Index)}
		}
	}
	if n := len(r.Requests) - len(base.Requests); n != 0 {
		notes = append(notes, fmt.Sprintf("%d requests, the baseline has %d", len(r.Requests), len(base.Requests)))
	}
	return notes
}

// Title is a finding in a line.
func (f Finding) Title() string { return fmt.Sprintf("%s in %s", f.Rule, filepath.Base(f.File)) }
