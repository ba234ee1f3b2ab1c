package cachemodel

import "time"

// Rule says what has to be equal for a cache to be read.
type Rule string

// The rules.
const (
	RulePrefix Rule = ""      // everything up to the first difference
	RuleMarks  Rule = "marks" // up to a place that an earlier request wrote at, because of a mark
	RuleUnits  Rule = "units" // up to the end of a whole unit that an earlier request left
)

// Implicit says where a provider marks by itself.
type Implicit string

// The implicit marks.
const (
	NoImplicit   Implicit = ""
	HeadAndLast  Implicit = "head+last" // in a request without marks: behind the head, and behind its last block, as clients do
	LatestInput  Implicit = "input"     // always: behind the latest user or tool message
	maxPerPrompt          = 64          // marks of one request that are looked at; no provider takes a tenth
)

// Class is a rule by which a cache reuses a prefix. Its figures are data: a caller may give classes of its own.
type Class struct {
	Name    string `json:"name"`
	Block   int    `json:"block"`             // tokens per unit; reuse is rounded down to whole units
	Minimum int    `json:"minimum"`           // below this many tokens nothing is reused
	Rule    Rule   `json:"rule,omitempty"`    // RulePrefix when empty
	Prompts int    `json:"prompts,omitempty"` // how many of the latest prompts the cache holds; 0: all of the session

	Writes   int      `json:"writes,omitempty"`   // RuleMarks: marks of one request that are written, the latest ones
	Lookback int      `json:"lookback,omitempty"` // RuleMarks: content blocks looked at from each mark backwards, its own first
	Places   int      `json:"places,omitempty"`   // RuleMarks: in place of Lookback, how many of the latest ends of messages and marks are looked at
	Implicit Implicit `json:"implicit,omitempty"`
	Interval int      `json:"interval,omitempty"` // RuleUnits: tokens between units inside a long text; 0: none are assumed

	Vocabulary string        `json:"vocabulary,omitempty"` // the tokenizer whose counts are exact under this class
	Idle       time.Duration `json:"idle,omitempty"`       // what was not used for this long is gone; 0: nothing goes within a session
}

// The classes whose reuse follows from the latest bytes alone.
var (
	classToken = Class{Name: "token", Block: 1}
	classBlock = Class{Name: "block", Block: 16}
	classStep  = Class{Name: "minimum+step", Block: 128, Minimum: 1024, Vocabulary: VocabularyO200k}
)

// Token reuses all tokens up to the first difference (llama.cpp, LM Studio, Ollama).
func Token() Class { return classToken }

// Block reuses whole blocks of 16 tokens (vLLM).
func Block() Class { return classBlock }

// MinimumStep reuses from 1,024 tokens on, in steps of 128 (OpenAI before 5.6).
func MinimumStep() Class { return classStep }

// Classes lists those three.
func Classes() []Class { return []Class{classToken, classBlock, classStep} }

// VocabularyO200k is the vocabulary of OpenAI's newer models, by which O200k counts.
const VocabularyO200k = "o200k_base"

// Names of the classes that need more than the latest bytes.
const (
	NameOneSlot       = "one-slot"
	NameKimi          = "kimi"
	NameGemini2k      = "gemini-2048"
	NameGemini4k      = "gemini-4096"
	NameAnthropic     = "anthropic-5m"
	NameAnthropicHour = "anthropic-1h"
	NameOpenAIMarks   = "openai-5.6"
	NameDeepSeek      = "deepseek"
)

// Figures of the providers' own pages, read on 30 November 2026.
const (
	anthropicMinimum  = 1024 // tokens; 512 to 4,096 by model
	anthropicLookback = 20   // content blocks
	marksPerRequest   = 4    // writes, Anthropic and OpenAI alike
	openAIPlaces      = 80   // of the latest breakpoints in a conversation
	openAIMinimum     = 1024 // tokens
	openAIIdle        = 30 * time.Minute
	kimiBlock         = 256 // tokens
	deepSeekBlock     = 64  // tokens; hits are reported in multiples of it
)

// AllClasses lists every class, the three of Classes first.
func AllClasses() []Class {
	anthropic := Class{Name: NameAnthropic, Block: 1, Minimum: anthropicMinimum, Rule: RuleMarks, Writes: marksPerRequest,
		Lookback: anthropicLookback, Implicit: HeadAndLast, Idle: 5 * time.Minute}
	hour := anthropic
	hour.Name, hour.Idle = NameAnthropicHour, time.Hour
	return append(Classes(),
		Class{Name: NameOneSlot, Block: 1, Prompts: 1},
		Class{Name: NameKimi, Block: kimiBlock},
		Class{Name: NameGemini2k, Block: 1, Minimum: 2048},
		Class{Name: NameGemini4k, Block: 1, Minimum: 4096},
		anthropic, hour,
		Class{Name: NameOpenAIMarks, Block: 1, Minimum: openAIMinimum, Rule: RuleMarks, Writes: marksPerRequest, Places: openAIPlaces, Implicit: LatestInput,
			Vocabulary: VocabularyO200k, Idle: openAIIdle},
		Class{Name: NameDeepSeek, Block: deepSeekBlock, Rule: RuleUnits},
	)
}

// Reuse rounds an equal prefix by the rule of the class.
func (c Class) Reuse(equal int) int {
	if equal < c.Minimum {
		return 0
	}
	return equal - equal%max(1, c.Block)
}
