package api

// ForeignView is what is known of a request that another agent sent. Nothing here was announced by its sender.
type ForeignView struct {
	Source          string          `json:"source"`  // proxy, or a file's name with what was recognised in it: traffic.har (HAR)
	Dialect         string          `json:"dialect"` // chat, responses, messages, other
	Method          string          `json:"method"`
	URL             string          `json:"url"`
	HTTP            int             `json:"http"`      // status of the response, 0 when none came
	FirstByte       int64           `json:"firstByte"` // 0 when not told
	RequestHeaders  []HeaderLine    `json:"requestHeaders"`
	ResponseHeaders []HeaderLine    `json:"responseHeaders"`
	Claimed         []ClaimedPart   `json:"claimed"`
	Notes           []string        `json:"notes"` // what the source could not tell
	Inferred        []InferenceView `json:"inferred"`
	Conversation    string          `json:"conversation"` // what the source calls it
	How             string          `json:"how"`          // by what it was found to go on from its predecessor
	Told            bool            `json:"told"`         // its sender told what it sent
	Model           string          `json:"model"`        // as the answer names it
	ProofNote       string          `json:"proofNote"`
}

// HeaderLine is one line of a header, secrets taken out.
type HeaderLine struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ClaimedPart is a part that held a secret: its hash was taken before, and can't be recomputed.
type ClaimedPart struct {
	Kind  string `json:"kind"`
	Index int    `json:"index"`
	Leaf  string `json:"leaf"`
}

// InferenceView is a named cause that the bytes show, with what shows it.
type InferenceView struct {
	Cause      string `json:"cause"` // a word of package infer
	Evidence   string `json:"evidence"`
	Words      *Words `json:"words"`    // what Evidence says
	PartKind   string `json:"partKind"` // "" when it is of no one place
	PartIndex  int    `json:"partIndex"`
	Path       string `json:"path"`
	PartOffset int    `json:"partOffset"`
	BodyOffset int    `json:"bodyOffset"`
}

// BlockView is one piece of a message of another agent, decoded from whichever dialect it is in.
type BlockView struct {
	Kind   string `json:"kind"`  // text, reasoning, call, result, image, file, other
	Text   string `json:"text"`  // the start of it; arguments of a call, address of an image, raw JSON of what is not known
	Bytes  int    `json:"bytes"` // true size of the text, or of what is encoded
	Whole  bool   `json:"whole"`
	Name   string `json:"name"`   // of a call's tool, also on its result; of a file
	ID     string `json:"id"`     // of a call, also on its result
	Media  string `json:"media"`  // type of an image or file
	Failed bool   `json:"failed"` // a result that says it is an error
	Hidden bool   `json:"hidden"` // reasoning that is encrypted
}
