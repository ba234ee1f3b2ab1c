package scripted

import (
	"encoding/json"
	"slices"
)

// Values that a script can choose from.
const (
	ClassToken       = "token"        // every token of the common prefix
	ClassBlock       = "block"        // full blocks only
	ClassMinimumStep = "minimum-step" // from a minimum on, in steps

	AtEndSay  = "say"  // after the last step: one sentence that says so
	AtEndLoop = "loop" // after the last step: the first again

	QuirkNoIndex       = "no-index"        // tool call deltas carry no index
	QuirkIndexZero     = "index-zero"      // all tool call deltas carry index 0
	QuirkRepeatName    = "repeat-name"     // each tool call delta repeats the name
	QuirkNoDone        = "no-done"         // no data: [DONE] at the end
	QuirkNoFinish      = "no-finish"       // no finish_reason
	QuirkKeepAlive     = "keep-alive"      // comments and empty events between deltas
	QuirkCRLF          = "crlf"            // lines end in CR LF
	QuirkErrorInStream = "error-in-stream" // the error comes as an event after status 200
)

const (
	defaultModel = "scripted-1"

	// Defaults of a cache rule, in tokens.
	defaultBlock   = 16
	defaultMinimum = 1024
	defaultStep    = 128

	// defaultChunk is how many runes of text one delta carries.
	defaultChunk = 8
)

// Script is what the provider plays. A file holds it as JSON, comments and
// trailing commas allowed. Steps stand either in Steps or, with the prompts
// that go with them, in Turns.
type Script struct {
	// Model is the name in /v1/models and in answers to requests without one.
	Model string `json:"model"`
	// Rule is what the cache reuses; the zero value means ClassToken.
	Rule Rule `json:"rule"`
	// SummaryMarker replaces what marks a summary request: all of these must
	// stand in the instruction at the end of the last message.
	SummaryMarker []string `json:"summary_marker"`
	// AtEnd is AtEndSay (also when empty) or AtEndLoop.
	AtEnd string `json:"at_end"`
	// DelayMS is the wait before each delta, in milliseconds, for steps that
	// say nothing of their own.
	DelayMS int `json:"delay_ms"`
	// Chunk is the size of a delta, in runes, for steps that say nothing of
	// their own; 0 means 8.
	Chunk int `json:"chunk"`
	// Lenient switches off the checks of names and of the pairing of calls and
	// results, which answer 400 as a real provider does.
	Lenient bool   `json:"lenient"`
	Turns   []Turn `json:"turns"`
	Steps   []Step `json:"steps"`
}

// Turn is a user's prompt and the steps that answer it. The prompt is for
// whoever drives the demo; it takes no part in the choice of a step.
type Turn struct {
	Prompt string `json:"prompt"`
	Steps  []Step `json:"steps"`
}

// Step is the answer to one main request. Text, Reasoning, Summary and the
// arguments of calls may hold placeholders: {{cursor}}, {{title}}, {{count}},
// {{action:PART}}, each with a fallback as in {{cursor|c1}}.
type Step struct {
	Text      string     `json:"text"`
	Reasoning string     `json:"reasoning"`
	ToolCalls []ToolCall `json:"tool_calls"`
	// Summary answers a summary request that is made before this step's calls
	// run; empty means a sentence made from the title in the block.
	Summary string `json:"summary"`
	DelayMS *int   `json:"delay_ms"`
	Chunk   *int   `json:"chunk"`
	// Error is sent instead of the answer, FailTimes times.
	Error *Fault `json:"error"`
	// CutAfter closes the connection after that many deltas, FailTimes times.
	CutAfter *int `json:"cut_after"`
	// FailTimes is how often Error or CutAfter strikes in one conversation
	// before the step is played as written: 1 when absent, -1 for always.
	FailTimes    *int     `json:"fail_times"`
	FinishReason string   `json:"finish_reason"`
	Usage        *bool    `json:"usage"`
	Quirks       []string `json:"quirks"`
}

// ToolCall is one call. Name is the public name (zimoos.act); it is matched
// with the functions that the request offers. Arguments is an object, or a
// string that is sent as it is.
type ToolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	// ID replaces the id that the provider would make.
	ID string `json:"id"`
	// Raw sends the name as it is, offered or not.
	Raw bool `json:"raw"`
	// Optional leaves the call out when the request does not offer it.
	Optional bool `json:"optional"`
}

// Fault is an HTTP error. RetryAfter, in seconds, becomes a header.
type Fault struct {
	Status     int    `json:"status"`
	Type       string `json:"type"`
	Code       string `json:"code"`
	Message    string `json:"message"`
	RetryAfter *int   `json:"retry_after"`
}

// Rule says how much of the longest common prefix counts as cached, in tokens.
// It never covers the whole prompt: one token must be computed.
type Rule struct {
	Class   string `json:"class"`
	Block   int    `json:"block"`   // ClassBlock; 0 means 16
	Minimum int    `json:"minimum"` // ClassMinimumStep; 0 means 1024
	Step    int    `json:"step"`    // ClassMinimumStep; 0 means 128
}

// cached applies the rule to a common prefix of a prompt of n tokens.
func (r Rule) cached(common, n int) int {
	common = max(0, min(common, n-1))
	switch r.Class {
	case ClassBlock:
		block := orDefault(r.Block, defaultBlock)
		return common / block * block
	case ClassMinimumStep:
		minimum, step := orDefault(r.Minimum, defaultMinimum), orDefault(r.Step, defaultStep)
		if common < minimum {
			return 0
		}
		return minimum + (common-minimum)/step*step
	}
	return common
}

func orDefault(n, fallback int) int {
	if n == 0 {
		return fallback
	}
	return n
}

// Prompts gives the prompts of the turns, in order.
func (s *Script) Prompts() []string {
	var out []string
	for _, t := range s.Turns {
		if t.Prompt != "" {
			out = append(out, t.Prompt)
		}
	}
	return out
}

// steps gives all steps in order.
func (s *Script) steps() []Step {
	out := slices.Clone(s.Steps)
	for _, t := range s.Turns {
		out = append(out, t.Steps...)
	}
	return out
}

func (s *Step) has(quirk string) bool { return slices.Contains(s.Quirks, quirk) }

func (s *Step) failTimes() int {
	if s.FailTimes == nil {
		return 1
	}
	return *s.FailTimes
}
