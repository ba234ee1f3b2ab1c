package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
	"zimoscope/backend/zimoos"
)

// Limits of the task stack: it stands in the tail of every request.
const (
	maxTasks     = 16
	maxTaskBytes = 200
)

// taskStack is the model's own list of what it is doing, newest on top. It is a runtime notice: request-only.
type taskStack struct {
	Open []string `json:"open,omitempty"`
}

// The builtin tools. They have no server.
const (
	toolPush = "tasks.push"
	toolDone = "tasks.done"
	toolList = "tasks.list"
)

func builtinNames() []zimoos.PublicName {
	return []zimoos.PublicName{{Tool: toolPush}, {Tool: toolDone}, {Tool: toolList}}
}

func builtinDefs(names *zimoos.Names) (defs []transcript.ToolDef) {
	for _, b := range []struct{ name, about, schema string }{
		{toolPush, "Put a task on top of your task stack, for work of several steps.", `{"type":"object","properties":{"title":{"type":"string","description":"The task in a few words."}},"required":["title"]}`},
		{toolDone, "Take the top task off your task stack: it is done or given up.", `{"type":"object","properties":{}}`},
		{toolList, "Read your task stack.", `{"type":"object","properties":{}}`},
	} {
		fn, _ := names.Function(zimoos.PublicName{Tool: b.name})
		defs = append(defs, transcript.ToolDef{Function: fn, Name: b.name, Raw: toolJSON(fn, b.about, json.RawMessage(b.schema))})
	}
	return defs
}

// runBuiltin runs a task stack tool and stores the stack.
func (s *Session) runBuiltin(c transcript.Call, tool, arguments string) error {
	text := ""
	switch tool {
	case toolPush:
		title, _ := wire.String(wire.Get([]byte(arguments), "title"))
		text = s.tasks.push(title)
	case toolDone:
		text = s.tasks.pop()
	case toolList:
		text = s.tasks.String()
	}
	raw, err := json.Marshal(s.tasks)
	if err != nil {
		return err
	}
	if tool != toolList {
		if err := s.t.SetTasks(raw); err != nil {
			return err
		}
	}
	return s.finish(c, tool, textResult(text), 0)
}

func textResult(text string) toolbox.Result {
	raw := append(wire.AppendQuoted([]byte(`{"content":[{"type":"text","text":`), text), "}]}"...)
	return toolbox.Result{State: toolbox.StateOK, Raw: raw}
}

func (t *taskStack) push(title string) string {
	title = zimoos.Cut(zimoos.OneLine(strings.TrimSpace(title)), maxTaskBytes)
	switch {
	case title == "":
		return "Nothing was added: a task needs a title."
	case len(t.Open) >= maxTasks:
		return fmt.Sprintf("Nothing was added: the stack already holds %d tasks. Finish one first.", maxTasks)
	}
	t.Open = append(t.Open, title)
	return "Added. " + t.String()
}

func (t *taskStack) pop() string {
	if len(t.Open) == 0 {
		return "The task stack is empty."
	}
	top := t.Open[len(t.Open)-1]
	t.Open = t.Open[:len(t.Open)-1]
	return "Done: " + top + ". " + t.String()
}

func (t *taskStack) String() string {
	if len(t.Open) == 0 {
		return "The task stack is empty."
	}
	var b strings.Builder
	b.WriteString("Task stack, newest first:")
	for i := len(t.Open) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, " %d. %s", len(t.Open)-i, t.Open[i])
	}
	return b.String()
}

// notices are what a request says beside the frame: the task stack and the loop warning. They are never system
// messages and never stored in the conversation.
func (s *Session) notices() (list []string) {
	if len(s.tasks.Open) > 0 {
		list = append(list, s.tasks.String())
	}
	if left := s.o.MaxSteps - s.step; s.step > 0 && left < warnBefore {
		requests := "requests are"
		if left == 1 {
			requests = "request is"
		}
		list = append(list, fmt.Sprintf("Loop warning: %d more %s left in this turn. Finish, or answer with what you have.", left, requests))
	}
	return list
}
