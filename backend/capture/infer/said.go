package infer

import "zimoscope/backend/said"

// Sentences are what evidence says.
func Sentences() said.Catalogue { return sentences }

var sentences = said.Catalogue{Family: "infer", Texts: map[string]string{
	"elsewhere":    "the body names the response it continues; what came before is not in it",
	"reordered":    "{is:q} stands where {was:q} stood; the same {n} tools are there",
	"names":        "{names}",
	"names-more":   "{names} and {n} more",
	"tool":         "tool {tool:q}: {change}",
	"tool-same":    "tool {tool:q} holds the same values in other bytes",
	"system-same":  "the system text is the same in other bytes",
	"became":       "{was:q} became {is:q}",
	"only-became":  "only {was:q} became {is:q}",
	"moves":        "the {role} message that begins {text:q} stood at {was}, and stands at {is} now: {back} from the end, as before",
	"slides":       "messages {from} to {to} ({bytes} bytes) left; what followed them stands",
	"compacted":    "{gone} messages ({bytes} bytes) gave way to {came} ({fresh} bytes), beginning {text:q}",
	"message-same": "message {at} holds the same values in other bytes",
	"reasoning":    "message {at} differs in its reasoning alone: {was} bytes became {is}",
	"cleared":      "message {at}, a tool result, became {bytes} bytes shorter: {change}",
	"message":      "message {at}: {change}",
}}

func say(code string, values ...any) *said.Sentence { return sentences.Say(code, values...) }
