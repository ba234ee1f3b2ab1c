package capture

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"zimoscope/backend/requestview/verdict"
)

// WriteText prints the report for people: one line for each request with its verdict and place, every further
// cause below it, then the redlines.
func (r *Report) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	wide := 0
	for i := range r.Requests {
		wide = max(wide, len(filepath.Base(r.Requests[i].File)))
	}
	pairs := map[int]*Pair{}
	for i := range r.Pairs {
		pairs[r.Pairs[i].To] = &r.Pairs[i]
	}
	for i := range r.Requests {
		r.line(w, i, pairs[i], wide)
	}
	for _, v := range r.Violations {
		fmt.Fprintf(w, "violation: %s: %s\n", v.File, v.Detail)
	}
	r.redlineText(w)
	return w.Flush()
}

func (r *Report) line(w io.Writer, i int, p *Pair, wide int) {
	info := &r.Requests[i]
	name := fmt.Sprintf("%-*s", wide, filepath.Base(info.File))
	switch {
	case info.AttemptOf != nil:
		fmt.Fprintf(w, "%s  another attempt of %s, the same bytes\n", name, filepath.Base(r.Requests[*info.AttemptOf].File))
		return
	case p == nil:
		fmt.Fprintf(w, "%s  %-14s %-9s link %.12s\n", name, info.Verdict, info.Kind, info.Link)
		writeCauses(w, info.leaked)
		return
	}
	fmt.Fprintf(w, "%s  %-14s %-9s link %.12s  %d bytes of history lost\n", name, p.Verdict.Verdict, planWord(p.Planned), info.Link, p.HistoryLost)
	writeCauses(w, p.Causes)
	if c := p.Context; c != nil && p.Violation() {
		fmt.Fprintf(w, "    - %s\n    + %s\n", oneLine(c.Before), oneLine(c.After))
	}
	for _, n := range p.Notes {
		fmt.Fprintf(w, "    note: %s\n", n)
	}
}

func writeCauses(w io.Writer, list []verdict.Cause) {
	for _, c := range list {
		if c.Kind == verdict.First {
			continue
		}
		where := ""
		if c.Part != nil {
			where = fmt.Sprintf(" at %s, byte %d of the part, %d of the body", c.Path, c.PartOffset, c.BodyOffset)
		}
		fmt.Fprintf(w, "    %-14s %s%s\n", c.Kind, c.Detail, where)
	}
}

func planWord(p *bool) string {
	switch {
	case p == nil:
		return "-"
	case *p:
		return "planned"
	}
	return "unplanned"
}

func oneLine(s string) string {
	return strings.NewReplacer("\n", "⏎", "\r", "", "\t", " ").Replace(s)
}

// redlineText sums each redline up over all requests, and names the first request that broke it.
func (r *Report) redlineText(w io.Writer) {
	var order []string
	byID := map[string][]Redline{}
	for _, l := range r.Redlines {
		if byID[l.ID] == nil {
			order = append(order, l.ID)
		}
		byID[l.ID] = append(byID[l.ID], l)
	}
	for _, id := range order {
		word, detail := summary(byID[id])
		fmt.Fprintf(w, "%-4s %-9s %s\n", id, word, detail)
	}
}

func summary(list []Redline) (word, detail string) {
	broken, held, degraded := 0, 0, 0
	var first, last Redline
	for _, l := range list {
		switch {
		case l.OK == nil:
			continue
		case !*l.OK && broken == 0:
			first, broken = l, 1
		case !*l.OK:
			broken++
		case l.Degraded:
			last, degraded = l, degraded+1
		default:
			last, held = l, held+1
		}
	}
	switch {
	case broken > 0:
		return "FALSE", fmt.Sprintf("%d of %d requests; first %s: %s", broken, len(list), filepath.Base(first.File), first.Detail)
	case degraded > 0:
		return "degraded", last.Detail
	case held > 0:
		return "ok", last.Detail
	}
	return "unknown", list[0].Detail
}
