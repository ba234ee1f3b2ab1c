package run

import (
	"slices"
	"sync"

	"zimoscope/e2e/check"
)

// State of a step.
type State string

// The states. A step that was never reached ends as Skipped.
const (
	Pending State = "pending"
	Running State = "running"
	OK      State = "ok"
	Failed  State = "failed"
	Skipped State = "skipped"
)

// Settled says that the state is final.
func (s State) Settled() bool { return s == OK || s == Failed || s == Skipped }

// Ids of the steps beside those of package check.
const (
	StepHub      = "hub"
	StepFolder   = "folder"
	StepBun      = "bun"
	StepProvider = "provider"
	StepServer   = "server"
	StepReal     = "real"
	StepTurn     = "turn"
)

// Step is one line of the checklist.
type Step struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	State    State    `json:"state"`
	Evidence []string `json:"evidence"` // sentences: what was seen
	Todo     string   `json:"todo"`     // what a person can do about it; "" when nothing
}

// plan is the checklist before anything is known.
func plan() []Step {
	steps := []Step{
		{ID: StepHub, Title: "The hub answers with its current frame"},
		{ID: StepFolder, Title: "The backend folder is there"},
		{ID: StepBun, Title: "bun is there, to start the MCP server"},
		{ID: StepProvider, Title: "A provider is configured"},
		{ID: StepServer, Title: "The MCP server starts and offers its tools"},
		{ID: StepReal, Title: "Neither the simulator nor the scripted model stands in"},
		{ID: StepTurn, Title: "The agent carries out the task"},
	}
	for _, a := range check.Assertions() {
		steps = append(steps, Step{ID: a.ID, Title: a.Title})
	}
	for i := range steps {
		steps[i].State = Pending
	}
	return steps
}

// board is the checklist while the run goes on.
type board struct {
	mu    sync.Mutex
	steps []Step
	tell  func(Step)
}

func newBoard(tell func(Step)) *board {
	b := &board{steps: plan(), tell: tell}
	if b.tell == nil {
		b.tell = func(Step) {}
	}
	for _, s := range b.steps {
		b.tell(s)
	}
	return b
}

// set gives a step its state and adds evidence to it.
func (b *board) set(id string, state State, todo string, evidence ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.IndexFunc(b.steps, func(s Step) bool { return s.ID == id })
	if at < 0 || b.steps[at].State.Settled() {
		return
	}
	s := &b.steps[at]
	s.State, s.Todo = state, todo
	s.Evidence = append(s.Evidence[:len(s.Evidence):len(s.Evidence)], evidence...)
	b.tell(*s)
}

// skipRest settles what was not reached.
func (b *board) skipRest(why string) {
	for _, s := range b.list() {
		if !s.State.Settled() {
			b.set(s.ID, Skipped, "", why)
		}
	}
}

func (b *board) list() []Step {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.steps)
}

func (b *board) failed() (ids []string) {
	for _, s := range b.list() {
		if s.State == Failed {
			ids = append(ids, s.ID)
		}
	}
	return ids
}
