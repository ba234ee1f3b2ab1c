package scripted

import (
	"fmt"
	"strings"
)

// reply is a step made ready for one request.
type reply struct {
	step      Step
	text      string
	reasoning string
	calls     []callMessage
	finish    string
	fail      bool // Error or CutAfter strikes this time
}

// play decides what answers r. It returns ErrScript, wrapped, when the script
// asks for something that the request does not have.
func (p *player) play(r *request) (*reply, error) {
	steps := offered(p.script.steps(), r)
	n := stepOf(r.Messages)
	b := newestBlock(r.Messages)
	step, ok := p.stepAt(steps, n)
	if word, asked := summaryAsked(r.Messages, p.script.SummaryMarker); asked {
		return p.playSummary(step, word, b)
	}
	if !ok {
		return &reply{step: Step{}, text: fmt.Sprintf("The script ends here: it has %d steps and all were played.", len(steps)), finish: "stop"}, nil
	}
	out, err := playStep(step, n, r, b)
	if err != nil {
		return nil, fmt.Errorf("step %d of the script: %w", n, err)
	}
	if step.Error != nil || step.CutAfter != nil {
		out.fail = p.faults.strike(conversationKey(r.Messages), n, step.failTimes())
	} else {
		p.faults.strike(conversationKey(r.Messages), n, 0)
	}
	return out, nil
}

func (p *player) stepAt(steps []Step, n int) (Step, bool) {
	if p.script.AtEnd == AtEndLoop && len(steps) > 0 {
		n %= len(steps)
	}
	if n >= len(steps) {
		return Step{}, false
	}
	return steps[n], true
}

// offered leaves out the steps of which nothing can be played: those with
// calls that are all optional and not offered.
func offered(steps []Step, r *request) []Step {
	var out []Step
	for _, s := range steps {
		missing := 0
		for _, c := range s.ToolCalls {
			if _, ok := r.function(c.Name); c.Optional && !c.Raw && !ok {
				missing++
			}
		}
		if missing == 0 || missing < len(s.ToolCalls) {
			out = append(out, s)
		}
	}
	return out
}

func (p *player) playSummary(step Step, word string, b block) (*reply, error) {
	text := word + "The operation was carried out."
	if title, ok := b.field("title"); ok {
		text = word + fmt.Sprintf("The screen shows %s now.", title)
	}
	if step.Summary != "" {
		var err error
		if text, err = fill(step.Summary, b, asItIs); err != nil {
			return nil, err
		}
	}
	return &reply{step: Step{DelayMS: step.DelayMS, Chunk: step.Chunk, Usage: step.Usage}, text: text, finish: "stop"}, nil
}

func playStep(s Step, n int, r *request, b block) (*reply, error) {
	out := &reply{step: s, finish: s.FinishReason}
	var err error
	if out.text, err = fill(s.Text, b, asItIs); err != nil {
		return nil, err
	}
	if out.reasoning, err = fill(s.Reasoning, b, asItIs); err != nil {
		return nil, err
	}
	for k, c := range s.ToolCalls {
		name, ok := r.function(c.Name)
		switch {
		case c.Raw:
			name = c.Name
		case !ok && c.Optional:
			continue
		case !ok:
			return nil, fmt.Errorf("%w: it wants the tool %s; offered are: %s", ErrScript, c.Name, strings.Join(r.names, ", "))
		}
		call := callMessage{ID: c.ID}
		if call.ID == "" {
			call.ID = callID(n, k, r.hash)
		}
		call.Function.Name = name
		if call.Function.Arguments, err = c.arguments(b); err != nil {
			return nil, err
		}
		out.calls = append(out.calls, call)
	}
	if out.finish == "" {
		out.finish = "stop"
		if len(out.calls) > 0 {
			out.finish = "tool_calls"
		}
	}
	return out, nil
}

// generated is what an engine would have in its cache behind the prompt.
func (r *reply) generated() string {
	m := message{text: r.text, ReasoningContent: r.reasoning, ToolCalls: r.calls}
	return m.body()
}
