package capture

import (
	"fmt"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// Report is what `check` says; its JSON is a contract.
type Report struct {
	Requests   []RequestInfo `json:"requests"`
	Pairs      []Pair        `json:"pairs"`
	Redlines   []Redline     `json:"redlines"` // those of request 0, then those of request 1, …
	Violations []Violation   `json:"violations"`
	files      bool          // what File names are files
}

// RequestInfo is one request with its chain.
type RequestInfo struct {
	File      string       `json:"file"`
	Link      wire.Hash    `json:"link"` // the last one
	Rest      wire.Hash    `json:"rest"`
	Parts     []PartInfo   `json:"parts"`
	Thread    string       `json:"thread,omitempty"`
	Kind      string       `json:"kind"` // main, side, retry; foreign without a sidecar
	Verdict   verdict.Kind `json:"verdict,omitempty"`
	AttemptOf *int         `json:"attempt_of,omitempty"` // index of the request with the same bytes
	Bytes     int          `json:"bytes"`
	leaked    []verdict.Cause
}

// PartInfo is one part. SHA256 is its leaf: the hash of its kind, a zero byte, and its bytes.
type PartInfo struct {
	Kind   wire.Kind `json:"kind"`
	Index  int       `json:"index"`
	SHA256 wire.Hash `json:"sha256"`
	Link   wire.Hash `json:"link"`
	Bytes  int       `json:"bytes"`
}

// Pair is a request compared with the one it follows; both are indexes from 0.
type Pair struct {
	From int `json:"from"`
	To   int `json:"to"`
	verdict.Verdict
}

// Redline is one redline of one request.
type Redline struct {
	verdict.Redline
	Request int    `json:"request"` // index in Requests
	File    string `json:"file"`
}

const kindForeign = "foreign"

type thread struct {
	checker *verdict.Checker
	last    int // index of the last main request, -1 before the first
	lastReq *verdict.Request
}

// Check compares each request with the one before in its thread and holds it to the redlines.
func Check(c *Capture) *Report {
	r := &Report{Pairs: []Pair{}, Redlines: []Redline{}, Violations: append([]Violation{}, c.Violations...), Requests: []RequestInfo{}, files: c.Files}
	threads := map[string]*thread{}
	for i, req := range c.Requests {
		name := threadOf(req)
		t := threads[name]
		if t == nil {
			t = &thread{checker: verdict.NewChecker(), last: -1}
			threads[name] = t
		}
		r.Requests = append(r.Requests, describe(req))
		if d := c.misplaced(req, t.last < 0); d != "" {
			r.Violations = append(r.Violations, Violation{i, sidecarOf(req.Name), d})
		}
		r.take(i, req, t)
	}
	return r
}

// threadOf keeps foreign bodies apart from our own: nobody told which thread they belong to.
func threadOf(r *verdict.Request) string {
	if r.Meta == nil {
		return "\x00" + kindForeign + r.Thread
	}
	return r.Meta.Thread
}

func (r *Report) take(i int, req *verdict.Request, t *thread) {
	info := &r.Requests[i]
	res := t.checker.Add(req)
	if res.Attempt {
		last := t.last
		info.AttemptOf = &last
		return
	}
	info.Verdict = res.Verdict.Verdict
	if res.Verdict.Has(verdict.Leaked) && t.last < 0 {
		info.leaked = res.Verdict.Causes
	}
	if t.last >= 0 {
		r.Pairs = append(r.Pairs, Pair{t.last, i, res.Verdict})
		if d := wrongPredecessor(t.lastReq, req); d != "" {
			r.Violations = append(r.Violations, Violation{i, sidecarOf(req.Name), d})
		}
	}
	for _, l := range res.Redlines {
		r.Redlines = append(r.Redlines, Redline{l, i, req.Name})
	}
	if !req.IsSide() {
		t.last, t.lastReq = i, req
	}
}

func describe(r *verdict.Request) RequestInfo {
	b := r.Body
	info := RequestInfo{File: r.Name, Link: b.Last(), Rest: b.Rest, Kind: kindForeign, Bytes: len(b.Raw)}
	if r.Meta != nil {
		info.Kind, info.Thread = r.Meta.Kind, r.Meta.Thread
	}
	info.Parts = append(info.Parts, PartInfo{wire.KindModel, 0, b.Model.Leaf, b.Model.Link, b.Model.End - b.Model.Start})
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem, wire.KindMessage} {
		region := b.Region(k)
		for i := range region.Len() {
			p := region.Part(i)
			info.Parts = append(info.Parts, PartInfo{k, i, p.Leaf, p.Link, p.End - p.Start})
		}
	}
	return info
}

// Exit is the exit code: 1 for a violation, else 0. Strict also counts what is degraded, and changed parameters.
func (r *Report) Exit(strict bool) int {
	if len(r.Violations) > 0 {
		return 1
	}
	for i := range r.Pairs {
		if v := &r.Pairs[i].Verdict; v.Violation() || strict && v.Has(verdict.RestChanged) {
			return 1
		}
	}
	for _, l := range r.Redlines {
		if l.OK != nil && !*l.OK || strict && l.Degraded {
			return 1
		}
	}
	return 0
}

// misplaced says why the request that a sidecar names can't be the one before it. What was sent before the first request
// of a thread need not be here: a session that was resumed is captured from there on.
func (c *Capture) misplaced(req *verdict.Request, first bool) string {
	if req.Meta == nil || req.Number == 0 || req.Meta.Predecessor == 0 {
		return ""
	}
	p := req.Meta.Predecessor
	switch {
	case p < 0:
		return fmt.Sprintf("it names request %d as its predecessor, and there is no such number", p)
	case p == req.Number:
		return "it names its own request as its predecessor"
	case p > req.Number:
		return fmt.Sprintf("it names request %d as its predecessor, which was sent later", p)
	case !c.Whole:
		return ""
	}
	for _, other := range c.Requests {
		switch {
		case other.Number != p || other.Meta == nil:
			continue
		case other.Meta.Thread != req.Meta.Thread:
			return fmt.Sprintf("it names request %d as its predecessor, which belongs to another thread", p)
		case other.IsSide():
			return fmt.Sprintf("it names request %d as its predecessor, which is a side request: nothing follows one", p)
		}
		return ""
	}
	if first {
		return ""
	}
	return fmt.Sprintf("it names request %d as its predecessor, which is not here, though others of its thread are", p)
}

// wrongPredecessor says why a sidecar that names another predecessor than the request it is compared with is not
// believed: a request left out between two others could hide a change.
func wrongPredecessor(prev, req *verdict.Request) string {
	if req.Meta == nil || prev.Meta == nil || prev.Number == 0 || req.Meta.Predecessor == prev.Number {
		return ""
	}
	if req.Meta.Predecessor == 0 {
		return "it names no predecessor, but is not the first of its thread"
	}
	return ""
}
