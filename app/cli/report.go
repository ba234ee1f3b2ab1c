package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"zimoscope/app/live"
	"zimoscope/backend/agent"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
)

// reporter prints what a run does: lines for people, or one JSON object for each event.
type reporter struct {
	mu         sync.Mutex
	out, err   io.Writer
	json       bool
	requests   int
	violations int
	told       error // the last error of a request that was printed
}

func newReporter(out, errOut io.Writer, asJSON bool) *reporter {
	return &reporter{out: out, err: errOut, json: asJSON}
}

// jsonEvent is one line of --json.
type jsonEvent struct {
	Event       string            `json:"event"`
	Session     string            `json:"session,omitempty"`
	Name        string            `json:"name,omitempty"`
	Simulated   *bool             `json:"simulated,omitempty"`
	N           int               `json:"n,omitempty"`
	Kind        string            `json:"kind,omitempty"`
	Verdict     verdict.Kind      `json:"verdict,omitempty"`
	Planned     *bool             `json:"planned,omitempty"`
	Causes      []verdict.Kind    `json:"causes,omitempty"`
	Part        *verdict.PartRef  `json:"part,omitempty"`
	Path        string            `json:"path,omitempty"`
	BodyOffset  *int              `json:"body_offset,omitempty"`
	HistoryLost *int              `json:"history_lost,omitempty"`
	Status      string            `json:"status,omitempty"`
	Proof       string            `json:"proof,omitempty"`
	Attempts    int               `json:"attempts,omitempty"`
	Bytes       int               `json:"bytes,omitempty"`
	Millis      int64             `json:"ms,omitempty"`
	Usage       *cachemodel.Usage `json:"usage,omitempty"`
	Predicted   *predictedJSON    `json:"predicted,omitempty"`
	Failing     []string          `json:"failing_redlines,omitempty"`
	Tool        string            `json:"tool,omitempty"`
	Outcome     string            `json:"outcome,omitempty"`
	Source      string            `json:"source,omitempty"`
	Text        string            `json:"text,omitempty"`
	Error       string            `json:"error,omitempty"`
}

type predictedJSON struct {
	Class     string `json:"class"`
	Reused    int    `json:"reused"`
	Total     int    `json:"total"`
	Estimated bool   `json:"estimated"`
}

func (r *reporter) line(e jsonEvent) {
	raw, err := json.Marshal(e)
	if err != nil {
		fmt.Fprintln(r.err, "an event could not be printed:", err)
		return
	}
	fmt.Fprintln(r.out, string(raw))
}

func (r *reporter) session(l *live.Live) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.json {
		r.line(jsonEvent{Event: "session", Session: l.Store.ID, Name: l.Store.Info().Name, Simulated: &l.Demo})
		return
	}
	fmt.Fprintf(r.out, "session %s\n", l.Store.ID)
	if l.Demo {
		fmt.Fprintln(r.out, "on the built-in simulator and a scripted model: a demonstration, no proof about a real backend")
	}
}

func (r *reporter) answer(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.json {
		r.line(jsonEvent{Event: "answer", Text: text})
		return
	}
	fmt.Fprintf(r.out, "\n%s\n\n", text)
}

func (r *reporter) event(e agent.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Kind == agent.EventResponse {
		r.request(e)
		return
	}
	if !r.json {
		if e.Kind == agent.EventNote {
			fmt.Fprintln(r.err, e.Text)
		}
		return
	}
	switch e.Kind {
	case agent.EventTurn:
		r.line(jsonEvent{Event: "prompt", Text: e.Text})
	case agent.EventTool:
		r.line(jsonEvent{Event: "tool", Tool: e.Tool, Text: e.Text})
	case agent.EventResult:
		r.line(jsonEvent{Event: "result", Tool: e.Tool, Outcome: e.State, Text: e.Text})
	case agent.EventSealed:
		r.line(jsonEvent{Event: "sealed", Source: e.State, Text: e.Text})
	case agent.EventFrame:
		r.line(jsonEvent{Event: "frame", Tool: e.Tool, Text: e.Text})
	case agent.EventWindow, agent.EventNote:
		r.line(jsonEvent{Event: string(e.Kind), Text: e.Text})
	}
}

func (r *reporter) request(e agent.Event) {
	rec := e.Record
	r.requests++
	if rec.Violation() {
		r.violations++
	}
	usage := cachemodel.ParseUsage(rec.Usage)
	if r.json {
		r.line(requestEvent(rec, usage, e.Err))
		return
	}
	fmt.Fprintln(r.out, requestLine(rec, usage))
	if e.Err != nil {
		fmt.Fprintf(r.err, "request %d: %v\n", rec.N, e.Err)
		r.told = e.Err
	}
}

// ended is the last word on a run that err ended, nil when nothing did: what happened, unless it stands there already,
// and how to go on.
func (r *reporter) ended(err error, session string) error {
	if err == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	again := "to go on, or to send it again: zimoscope run --resume " + session + " --prompt …"
	switch {
	case r.told != nil && errors.Is(err, r.told):
		return errors.New("the turn ended at the request above; " + again)
	case errors.Is(err, agent.ErrStopped):
		err = agent.ErrStopped // without the program's own word for it
	}
	return fmt.Errorf("%w\n%s", err, again)
}

func requestEvent(rec *agent.Record, usage cachemodel.Usage, cause error) jsonEvent {
	v := rec.Verdict
	out := jsonEvent{Event: "request", N: rec.N, Kind: rec.Meta.Kind, Verdict: v.Verdict, Planned: v.Planned, Part: v.Part, Path: v.Path,
		HistoryLost: &v.HistoryLost, Status: rec.Status, Proof: rec.Proof, Attempts: rec.Attempts, Millis: rec.Millis, Failing: failing(rec)}
	if usage.Reported || usage.HasTotal { // zeros would read as figures
		out.Usage = &usage
	}
	if v.Part != nil {
		out.BodyOffset = &v.BodyOffset
	}
	for _, c := range v.Causes {
		out.Causes = append(out.Causes, c.Kind)
	}
	if rec.View != nil {
		out.Bytes = len(rec.View.Body.Raw)
	}
	if p := rec.Predicted; p != nil {
		out.Predicted = &predictedJSON{p.Class, p.Reused, p.Total, !p.Exact}
	}
	if cause != nil {
		out.Error = cause.Error()
	}
	return out
}

func failing(rec *agent.Record) (ids []string) {
	for _, l := range rec.Redlines {
		if l.OK != nil && !*l.OK {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// requestLine is one request for a person: number, verdict, what it called, size, and the three cache facts apart.
func requestLine(rec *agent.Record, usage cachemodel.Usage) string {
	size := 0
	if rec.View != nil {
		size = len(rec.View.Body.Raw)
	}
	what := "answer"
	switch {
	case rec.Meta.Kind == verdict.KindSide:
		what = "summary step"
	case len(rec.Tools) > 0:
		what = strings.Join(rec.Tools, ", ")
	case rec.Status != agent.StatusDone:
		what = rec.Status
	}
	parts := []string{fmt.Sprintf("#%-3d %-14s %-28s %8d B", rec.N, verdictWord(rec.Verdict), what, size)}
	if p := rec.Predicted; p != nil {
		sign := "≈"
		if p.Exact {
			sign = ""
		}
		parts = append(parts, fmt.Sprintf("predicted %s%d of %d", sign, p.Reused, p.Total))
	}
	if usage.Reported {
		parts = append(parts, fmt.Sprintf("reported %d of %d", usage.Cached, usage.PromptTotal))
	} else {
		parts = append(parts, "cache not reported")
	}
	parts = append(parts, rec.Proof)
	if ids := failing(rec); len(ids) > 0 {
		parts = append(parts, "breaks "+strings.Join(ids, " "))
	}
	return strings.Join(parts, "  ")
}

func verdictWord(v verdict.Verdict) string {
	word := string(v.Verdict)
	if v.Violation() {
		word += " !"
	}
	return word
}
