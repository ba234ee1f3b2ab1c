package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

var noWait = context.Background()

// strategy is one way to build requests of the same conversation. start gives a function that is asked for each request
// in order; the same recording gives the same requests.
type strategy struct {
	name, about string
	start       func(r *recording) func(i int) draft
}

// Names of the strategies.
const (
	AsRecorded      = "as-recorded"
	BlockAtEnd      = "block-at-end"
	MarkLastSealed  = "mark-last-sealed"
	MarkOnPending   = "mark-on-pending"
	MarkInCarrier   = "mark-in-carrier"
	MarkFixed       = "mark-fixed"
	TailSystem      = "tail-system"
	TailBeforeLast  = "tail-before-last"
	FramesInHistory = "frames-in-history"
	Rewritten       = "history-rewritten"
	Masked          = "old-results-masked"
	ToolsReordered  = "tools-reordered"
	DateInSystem    = "date-in-system"
	WindowSliding   = "window-sliding"
	WindowBlocks    = "window-blocks"
)

func strategies() []strategy {
	return []strategy{
		{AsRecorded, "the requests as they were sent", each(asRecorded)},
		{BlockAtEnd, "a request-only carrier at the end, records sealed once", each(blockAtEnd)},
		{MarkLastSealed, "the same, with one mark on the last sealed message", marked(lastSealed)},
		{MarkOnPending, "the same, with one mark on the last message of history, pending or not", marked(lastOfHistory)},
		{MarkInCarrier, "the same, with one mark in the carrier", marked(inCarrier)},
		{MarkFixed, "the same, with one mark that stays where the first request had it", fixedMark},
		{TailSystem, "the block as a system message at the end", each(tailSystem)},
		{TailBeforeLast, "the block before the last message", each(tailBeforeLast)},
		{FramesInHistory, "every frame left whole in history", framesInHistory},
		{Rewritten, "old messages rewritten when a turn ends", each(rewritten)},
		{Masked, "all but the newest results of tools replaced by a note", each(masked)},
		{ToolsReordered, "the tools in another order in each request", each(toolsReordered)},
		{DateInSystem, "the time at the front of the system message", each(dateInSystem)},
		{WindowSliding, "a window that moves with each request", windowed(slide)},
		{WindowBlocks, "a window that moves in blocks", windowed(moveInBlocks)},
	}
}

// StrategyNames lists the strategies, as recorded first.
func StrategyNames() (names []string) {
	for _, s := range strategies() {
		names = append(names, s.name)
	}
	return names
}

// About says in a few words what a strategy does; "" for an unknown one.
func About(name string) string {
	s, err := strategyNamed(name)
	if err != nil {
		return ""
	}
	return s.about
}

func strategyNamed(name string) (strategy, error) {
	for _, s := range strategies() {
		if s.name == name {
			return s, nil
		}
	}
	return strategy{}, fmt.Errorf("there is no strategy %q; choose from: %s", name, strings.Join(StrategyNames(), ", "))
}

// each is a strategy that looks at one request at a time.
func each(one func(r *recording, i int, s *step) draft) func(*recording) func(int) draft {
	return func(r *recording) func(int) draft {
		return func(i int) draft { return one(r, i, &r.steps[i]) }
	}
}

func asRecorded(_ *recording, _ int, s *step) draft {
	return draft{model: s.model, tools: s.tools, system: s.system, messages: s.sent, marks: s.marks, explicit: s.explicit}
}

func blockAtEnd(_ *recording, _ int, s *step) draft {
	return s.draft(s.withCarrier(s.history))
}

// draft has the head of the recorded request and no marks.
func (s *step) draft(messages []int32) draft {
	return draft{model: s.model, tools: s.tools, system: s.system, messages: messages}
}

// withCarrier puts the carrier behind messages.
func (s *step) withCarrier(messages []int32) []int32 {
	if s.carrier == none {
		return messages
	}
	return append(messages[:len(messages):len(messages)], s.carrier)
}

// marked puts one mark behind a message of block-at-end.
func marked(place func(r *recording, s *step) int) func(*recording) func(int) draft {
	return each(func(r *recording, i int, s *step) draft {
		d := blockAtEnd(r, i, s)
		d.after = []int{place(r, s)}
		return d
	})
}

// lastSealed is the last message of history that stays and that no pending record stands before; -1, behind the head,
// when there is none.
func lastSealed(r *recording, s *step) int {
	end := len(s.history)
	for i := end - 1; i >= 0 && r.list[s.history[i]].role != roleUser; i-- {
		if r.list[s.history[i]].pending {
			end = i
		}
	}
	return r.stays(s, end-1)
}

// stays is the last message up to at that a mark can stand on: neither the model's nor a system message, which agents
// that keep a state behind the history send at another place each time.
func (r *recording) stays(s *step, at int) int {
	for at >= 0 && (r.list[s.history[at]].role == roleModel || r.list[s.history[at]].role == roleSystem) {
		at--
	}
	return at
}

func lastOfHistory(r *recording, s *step) int {
	return r.stays(s, len(s.history)-1)
}

func inCarrier(_ *recording, s *step) int {
	if s.carrier == none {
		return len(s.history) - 1
	}
	return len(s.history)
}

// fixedMark keeps each thread's mark where its first request had it.
func fixedMark(r *recording) func(int) draft {
	first := map[string]int{}
	return func(i int) draft {
		s := &r.steps[i]
		at, ok := first[s.thread]
		if !ok {
			at = lastSealed(r, s)
			first[s.thread] = at
		}
		d := blockAtEnd(r, i, s)
		d.after = []int{min(at, len(s.history)-1)}
		return d
	}
}

var userRole, systemRole = []byte(`"role":"user"`), []byte(`"role":"system"`)

// tailSystem changes the carrier's role and nothing else.
func tailSystem(r *recording, _ int, s *step) draft {
	d := s.draft(s.history)
	if s.carrier != none {
		d.messages = append(s.history[:len(s.history):len(s.history)], r.asSystem(s.carrier))
	}
	return d
}

func tailBeforeLast(_ *recording, _ int, s *step) draft {
	n := len(s.history)
	if s.carrier == none || n == 0 {
		return s.draft(s.withCarrier(s.history))
	}
	return s.draft(slices.Concat(s.history[:n-1], []int32{s.carrier}, s.history[n-1:]))
}

func toolsReordered(_ *recording, i int, s *step) draft {
	d := s.draft(s.withCarrier(s.history))
	if n := len(s.tools); n > 1 {
		d.tools = slices.Concat(s.tools[i%n:], s.tools[:i%n])
	}
	return d
}

func dateInSystem(r *recording, i int, s *step) draft {
	d := s.draft(s.withCarrier(s.history))
	d.system = []int32{r.dated(s.system, r.clock(i))}
	return d
}
