package verdict

import "zimoscope/backend/said"

// Sentences are what causes, notes and redlines say of themselves.
func Sentences() said.Catalogue { return sentences }

var sentences = said.Catalogue{Family: "verdict", Texts: map[string]string{
	// causes
	"no-earlier":      "no earlier request in this thread",
	"appended":        "{n:d} messages appended",
	"appended-one":    "1 message appended",
	"only-tail":       "same history, only the tail differs",
	"same-bytes":      "the same bytes",
	"model":           "{was} became {is}",
	"no-model":        "no model",
	"system-appeared": "a system message appeared",
	"system-gone":     "the system message is gone",
	"system-text":     "the system text changed",
	"mark-moved":      "only a cache mark moved",
	"tools-reordered": "the tools were reordered",
	"tools-list":      "the list of tools changed",
	"tool-removed":    "tool {tool:q} was removed",
	"tool-added":      "tool {tool:q} was added",
	"tool-changed":    "tool {tool:q} changed in its {member}",
	"sealed":          "a pending record grew its Summary",
	"left":            "messages {from:d} to {to:d} of the earlier request left",
	"left-one":        "message {from:d} of the earlier request left",
	"replaced":        "{gone:d} messages replaced by {came:d}",
	"inserted":        "{n:d} messages inserted before older ones",
	"inserted-one":    "1 message inserted before older ones",
	"moved":           "message {at:d} of the earlier request moved",
	"vanished":        "{n:d} messages vanished from the end of the history",
	"vanished-one":    "1 message vanished from the end of the history",
	"changed":         "an older message changed",
	"changed-text":    "the text before the tail changed",
	"changed-record":  "a sealed record changed",
	"grew":            "an older {role} message grew",
	"other-role":      "a message of role {is} stands where one of role {was} stood",
	"rest":            "parameters or layout outside the chain changed",
	"leaked":          "{what} outside the tail",
	"state-tag":       "a block tag",
	"state-marker":    "the frame marker",
	"state-frame":     "raw frame JSON",

	// notes
	"note-apart":     "compared with request {at:d}, but its predecessor is request {predecessor:d}: what was announced in between is not counted",
	"note-earlier":   "the earlier request: {problem}",
	"note-later":     "the later request: {problem}",
	"note-tail":      "tail text not compared",
	"note-elsewhere": "it names a previous response: history is not in the bytes",
	"note-more":      "{n:d} more causes are not listed",

	// redlines
	"first":              "first request of the thread",
	"nothing-to-compare": "first request: nothing to compare with",
	"tested":             "an import test holds it, not a request",
	"needs-backend":      "only a run against a reachable mteam backend shows it",
	"a1-foreign":         "a foreign body without a system message",
	"a1-none":            "there is no system message at index 0",
	"a1-unannounced":     "{why}, unannounced, at {path}",
	"a1-announced":       "changed as announced",
	"a1-holds":           "the system text holds {what}",
	"a1-same":            "the same bytes as in the request before",
	"a2-stray":           "message {at:d} is a second system message or not at index 0",
	"a2-number":          "{n:d} system messages",
	"a2-state":           "the system message holds frame state",
	"a2":                 "one system message, in front, without frame state",
	"a3-no-block":        "a frame was seen, but the request carries no block",
	"a3-no-tail":         "no tail, but message {at:d} holds frame state",
	"a3-no-frame":        "no frame was seen: no tail",
	"a3-start":           "the tail does not start with the block",
	"a3-other":           "the tail holds {what}",
	"a3-imitation":       "a tag in a form that only an imitation has",
	"a3-tags":            "{open:d} opening and {shut:d} closing tags in the tail",
	"a3-tail":            "the tail offset is impossible for this body",
	"a3":                 "one block, in the tail",
	"a4-unknown":         "the transcript is not in the bodies",
	"a4-clean":           "the transcript holds no block and no frame",
	"a4-broken":          "the transcript holds what must not be in it: {what}",
	"a5-place":           "{what} at {path}, byte {byte:d}",
	"a5-message":         "message {at:d} holds frame state",
	"a5":                 "no frame state in {n:d} messages",
	"a6-record":          "message {at:d}: {why}",
	"a6-pending":         "message {at:d} stayed pending past its step",
	"a6-none":            "no operations yet",
	"a6-derived":         "{n:d} of {of:d} summaries are derived, not the model's words",
	"a6":                 "{n:d} operations, each with its record",
	"a6-line":            "no {line} line",
	"a6-audits":          "more than one Frame audit",
	"a6-no-summary":      "no Summary",
	"a7-foreign":         "a foreign body: the form of its records is not known",
	"a7-frames":          "more than one frame in the tail",
	"a7-none":            "no older frame beside the block",
	"a7-apart-said":      "the block was read apart from any record, as its sender says",
	"a7-old":             "the block shows {shown:q}, the newest record is {newest:q}",
	"a7-apart":           "the block was read apart from any record",
	"a7":                 "the block shows the frame of the newest record",
	"a8-broken":          "{why}, at {path}",
	"a8-same":            "same transcript: every byte before the tail is the same",
	"a8":                 "every old byte before the tail stands, or its change was planned",
	"a9-broken":          "{kind}: {why}, at {path}; {lost:d} bytes of history lost",
	"a9":                 "the old history is a byte prefix of the new one",
	"a9-planned":         "{kinds}; {lost:d} bytes sent again",
	"a11-group":          "message {at:d}: {why}",
	"a11":                "every call has its result, in order",
	"a11-results":        "{n:d} of {of:d} calls have a result",
	"a11-end":            "a call at the end has no result",
	"a11-no-call":        "a result without a call directly before it",
	"a11-order":          "the result of {is:q} stands where that of {due:q} is due",
	"a11-no-id":          "the call of {name:q} has no id",
	"a11-twice":          "id {id:q} stands twice in one response",
	"a12-message":        "message {at:d}: {why}",
	"a12":                "all function names are legal and different",
	"a12-tool":           "tool {at:d}: {name:q} is no legal function name",
	"a12-same":           "tools {at:d} and {other:d} have the same name {name:q}",
	"a12-illegal":        "{name:q} is no legal function name",
}}

// say makes a sentence of a cause, a note or a redline.
func say(code string, values ...any) *said.Sentence { return sentences.Say(code, values...) }

// one says code of several, and the form of its own of a single one.
func one(code string, n int) *said.Sentence {
	if n == 1 {
		return say(code + "-one")
	}
	return say(code, n)
}
