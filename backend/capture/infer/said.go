package infer

import "zimoscope/backend/said"

// Sentences are what evidence says.
func Sentences() said.Catalogue { return sentences }

var sentences = said.Catalogue{Family: "infer", Texts: map[string]string{
	"elsewhere":      "the body names the response it continues; what came before is not in it",
	"reordered":      "{is:q} stands where {was:q} stood; the same {n:d} tools are there",
	"names":          "{names}",
	"names-more":     "{names} and {n:d} more",
	"tool":           "tool {tool:q}: {change}",
	"tool-same":      "tool {tool:q} holds the same values in other bytes",
	"system-same":    "the system text is the same in other bytes",
	"became":         "{was:q} became {is:q}",
	"only-became":    "only {was:q} became {is:q}",
	"moves":          "the {role} message that begins {text:q} stood at {was:d}, and stands at {is:d} now: {back:d} from the end, as before",
	"slides":         "messages {from:d} to {to:d} ({bytes:d} bytes) left; what followed them stands",
	"compacted":      "{gone:d} messages ({bytes:d} bytes) gave way to {came:d} ({fresh:d} bytes), beginning {text:q}",
	"message-same":   "message {at:d} holds the same values in other bytes",
	"reasoning":      "message {at:d} differs in its reasoning alone: {was:d} bytes became {is:d}",
	"cleared":        "message {at:d}, a tool result, became {bytes:d} bytes shorter: {change}",
	"result-grew":    "message {at:d}, the result of the call {call:q}, grew by {bytes:d} bytes at its end: {text:q}",
	"result-changed": "message {at:d}, the result of the call {call:q}, says something else: {change}",
	"message":        "message {at:d}: {change}",
}}

func say(code string, values ...any) *said.Sentence { return sentences.Say(code, values...) }
