package scripted

import "strings"

// Marks of the prompt. The tokenizer takes each as one token, as engines do
// with the special tokens of a chat template.
const (
	markTools     = "<|tools|>"
	markSystem    = "<|system|>"
	markDeveloper = "<|developer|>"
	markUser      = "<|user|>"
	markAssistant = "<|assistant|>"
	markTool      = "<|tool|>"
	markThink     = "<|think|>"
	markThought   = "<|/think|>"
	markCall      = "<|call|>"
	markArguments = "<|args|>"
	markOther     = "<|part|>"
	markEnd       = "<|end|>"
)

func marks() []string {
	return []string{markTools, markSystem, markDeveloper, markUser, markAssistant, markTool,
		markThink, markThought, markCall, markArguments, markOther, markEnd}
}

// prompt renders a request: the tools first, then each message behind the mark
// of its role, then the mark that asks for an answer. Ids of calls are not in
// it, as in most chat templates.
func (r *request) prompt() (string, error) {
	var b strings.Builder
	for _, raw := range r.Tools {
		tool, err := compact(raw)
		if err != nil {
			return "", err
		}
		b.WriteString(markTools)
		b.Write(tool)
		b.WriteString(markEnd)
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		b.WriteString(roleMark(m.Role))
		b.WriteString(m.body())
	}
	b.WriteString(markAssistant)
	return b.String(), nil
}

func roleMark(role string) string {
	switch role {
	case "system":
		return markSystem
	case "developer":
		return markDeveloper
	case "assistant":
		return markAssistant
	case "tool":
		return markTool
	}
	return markUser
}

// body renders a message without the mark of its role, up to its end. For an
// answer it is also what the engine generated, so that an answer that is sent
// back as it came is found in the cache.
func (m *message) body() string {
	var b strings.Builder
	if m.ReasoningContent != "" {
		b.WriteString(markThink + m.ReasoningContent + markThought)
	}
	b.WriteString(m.text)
	for _, c := range m.ToolCalls {
		b.WriteString(markCall + c.Function.Name + markArguments + c.Function.Arguments)
	}
	b.WriteString(markEnd)
	return b.String()
}
