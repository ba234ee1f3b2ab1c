package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"zimoscope/app"
	"zimoscope/app/live"
	"zimoscope/backend/agent"
	"zimoscope/backend/config"
	"zimoscope/backend/store"
	"zimoscope/backend/zimoos/mteam"
	"zimoscope/e2e/check"
)

// runTimeout bounds one whole run: a real model needs minutes.
const runTimeout = 10 * time.Minute

// Outcome of a run.
type Outcome string

// The outcomes.
const (
	RunPassed  Outcome = "passed"
	RunFailed  Outcome = "failed"
	RunSkipped Outcome = "skipped"
)

// Options say what a run is made of. The zero value takes the backend from the environment, the provider from the usual
// configuration files, and keeps nothing.
type Options struct {
	Settings mteam.Settings    // zero: from the environment
	Config   *config.Config    // nil: the first of Candidates that names a provider
	Store    *store.Store      // where the session is kept, so that it can be opened afterwards; nil: it is thrown away
	Dir      string            // folder of the evidence, made when missing; "": none is written
	Observer func(agent.Event) // hears everything of the session; may be nil
	Now      func() time.Time  // nil: the clock
}

// Report is the outcome of a run with all its evidence.
type Report struct {
	Outcome  Outcome   `json:"outcome"`
	Sentence string    `json:"sentence"`
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
	Program  string    `json:"program"`
	Hub      string    `json:"hub"` // without a password
	Folder   string    `json:"folder"`
	Instance string    `json:"instance"`
	Config   string    `json:"config"` // path of the configuration
	Model    string    `json:"model"`
	Provider string    `json:"provider"` // host
	Server   string    `json:"server"`   // the MCP server's name for itself, and its version
	Session  string    `json:"session"`  // id in the store, "" when it was thrown away
	Prompt   string    `json:"prompt"`
	Answer   string    `json:"answer"`
	Verdicts []string  `json:"verdicts"`
	Notes    []string  `json:"notes"`
	Steps    []Step    `json:"steps"`
	Dir      string    `json:"-"` // where the evidence lies
}

// runner is one run.
type runner struct {
	o      Options
	board  *board
	report Report
}

// Run makes the run and tells of every step. The error says that the evidence could not be written; the report stands
// all the same. What fails in the run itself is in the report.
func Run(ctx context.Context, o Options, tell func(Step)) (Report, error) {
	if o.Settings == (mteam.Settings{}) {
		o.Settings = mteam.FromEnv()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	start := o.Now()
	r := &runner{o: o, board: newBoard(tell), report: Report{
		Started: start, Program: app.VersionLine(), Hub: shown(o.Settings.HubURL), Folder: o.Settings.BackendDir,
		Instance: mteam.Instance(start), Prompt: check.Prompt(), Dir: o.Dir,
		Verdicts: []string{}, Notes: []string{},
	}}
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	run, skip := r.all(ctx)
	r.conclude(ctx, skip)
	r.report.Seconds = o.Now().Sub(start).Seconds()
	return r.report, r.save(run)
}

// all goes through the steps; skip is the sentence of a run that can't be made.
func (r *runner) all(ctx context.Context) (run check.Run, skip string) {
	if skip = r.probe(ctx); skip != "" {
		return run, skip
	}
	cfg, ok := r.provider()
	if !ok {
		return run, ""
	}
	run, ok = r.play(ctx, cfg)
	if ok || len(run.Requests) > 0 {
		r.judge(run)
	}
	return run, ""
}

func (r *runner) conclude(ctx context.Context, skip string) {
	why := "not reached: an earlier step failed"
	switch {
	case skip != "":
		why = "not reached: there is no backend to run on"
		r.report.Outcome, r.report.Sentence = RunSkipped, skip
	case ctx.Err() != nil:
		why = "not reached: the run was stopped"
	}
	r.board.skipRest(why)
	r.report.Steps = r.board.list()
	if skip != "" {
		return
	}
	if bad := r.board.failed(); len(bad) > 0 {
		r.report.Outcome, r.report.Sentence = RunFailed, "failed: "+strings.Join(bad, ", ")
		return
	}
	for _, s := range r.report.Steps {
		if s.State != OK {
			r.report.Outcome, r.report.Sentence = RunFailed, "failed: "+s.ID+" was not reached"
			return
		}
	}
	r.report.Outcome, r.report.Sentence = RunPassed, "passed: a real model operated the real ZimoOS, and every assertion holds"
}

// judge holds what was sent to every assertion.
func (r *runner) judge(run check.Run) {
	found := check.Check(run)
	r.report.Answer = run.Answer
	r.report.Verdicts, r.report.Notes = append(r.report.Verdicts, found.Verdicts...), append(r.report.Notes, found.Notes...)
	bad := map[string][]string{}
	for _, f := range found.Failures {
		bad[f.ID] = append(bad[f.ID], f.Detail)
	}
	for _, a := range check.Assertions() {
		evidence, reached := found.Evidence[a.ID]
		var list []string
		if reached {
			list = []string{evidence}
		}
		switch {
		case len(bad[a.ID]) > 0:
			r.board.set(a.ID, Failed, todoOf(a.ID), append(list, bad[a.ID]...)...)
		case reached:
			r.board.set(a.ID, OK, "", list...)
		}
	}
}

// todoOf says what can be done about an assertion that does not hold.
func todoOf(id string) string {
	switch id {
	case check.Tools, check.Answer:
		return "The model did not do what it was asked to. Read its answers in the session and run again, or use a stronger model."
	case check.Slot, check.Records:
		return "The tools brought too few frames. Look at their results in the session: an error or another shape stands there."
	}
	return "Check the saved capture with `zimoscope check`; it names the request, the message and the byte."
}

// Candidates lists the configurations that are looked at: the named one alone, else the usual files.
func Candidates(named string) []string {
	if named != "" {
		return []string{named}
	}
	list := []string{config.DefaultPath()}
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, agentConfig(home))
	}
	return list
}

func shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "an address that can't be read"
	}
	return u.Redacted()
}

// play runs the task on a session of the real parts and gives what it left behind; ok says that the turn ended well.
func (r *runner) play(ctx context.Context, cfg *config.Config) (run check.Run, ok bool) {
	st, discard, err := r.store()
	if err != nil {
		r.board.set(StepServer, Failed, "Make the folder of the session store writable.", err.Error())
		return run, false
	}
	defer discard()
	var recorder check.Recorder
	l, err := live.Create(ctx, st, live.Spec{Config: cfg, Name: "e2e " + r.report.Instance, Observer: r.observe(&recorder)})
	if err != nil {
		r.board.set(StepServer, Failed, "Correct what the sentence names and run again.", err.Error())
		return run, false
	}
	if r.o.Store != nil {
		r.report.Session = l.Store.ID
	}
	if r.started(l) {
		r.real(ctx, l, cfg)
		r.board.set(StepTurn, Running, "")
		_, err = l.Agent.Prompt(ctx, r.report.Prompt, nil)
		ok = r.turned(err)
		run = recorder.Run(l.Agent)
	}
	if err := l.Close(); err != nil {
		r.report.Notes = append(r.report.Notes, "closing the session: "+err.Error())
	}
	return run, ok
}

// turned settles the turn.
func (r *runner) turned(err error) bool {
	if err == nil {
		r.board.set(StepTurn, OK, "")
		return true
	}
	todo := "Correct what the sentence names and run again."
	if errors.Is(err, agent.ErrStopped) {
		todo = "Run again; nothing of the backend has to be cleaned up."
	}
	r.board.set(StepTurn, Failed, todo, err.Error())
	return false
}

// store is where the session lives: the given one, or a folder that discard removes.
func (r *runner) store() (st *store.Store, discard func(), err error) {
	if r.o.Store != nil {
		return r.o.Store, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "zimoscope-e2e-")
	if err != nil {
		return nil, nil, fmt.Errorf("there is no room for the session: %w", err)
	}
	discard = func() { _ = os.RemoveAll(dir) }
	if st, err = store.New(dir); err != nil {
		discard()
		return nil, nil, err
	}
	return st, discard, nil
}

// observe passes the session's events on and tells of them in the turn's evidence.
func (r *runner) observe(recorder *check.Recorder) func(agent.Event) {
	return func(e agent.Event) {
		recorder.Observe(e)
		if text := happened(e); text != "" {
			r.board.set(StepTurn, Running, "", text)
		}
		if r.o.Observer != nil {
			r.o.Observer(e)
		}
	}
}

func happened(e agent.Event) string {
	switch e.Kind {
	case agent.EventResponse:
		return fmt.Sprintf("request %d: %s, %s", e.Record.N, cmp.Or(string(e.Record.Verdict.Verdict), "not judged"), cmp.Or(e.Record.Proof, "no proof"))
	case agent.EventResult:
		return fmt.Sprintf("%s: %s", e.Tool, e.State)
	case agent.EventFrame:
		return "the current frame is " + e.Text
	case agent.EventNote:
		return e.Text
	}
	return ""
}
