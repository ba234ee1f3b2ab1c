package requestview

import (
	"strings"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
	"zimoscope/backend/zimoos"
)

// carrierSentence opens a carrier that is a message of its own. It is fixed, so that it costs a cache nothing.
const carrierSentence = "Current state of ZimoOS, for this request only."

// Carrier says which message holds the tail.
type Carrier string

// The carriers.
const (
	NoCarrier  Carrier = ""         // no frame was ever seen and there is nothing to say
	OwnMessage Carrier = "own"      // a user message that is request-only as a whole
	InUser     Carrier = "attached" // behind the text of the user's own message
	InToolText Carrier = "tool"     // behind the text of the last tool message
)

// Input is everything a request depends on.
type Input struct {
	Transcript  transcript.View
	Slot        zimoos.Slot
	Notices     []string // runtime notices, in order; plain text
	BlockTokens int      // bound of the block by estimate; 0 means zimoos.DefaultBlockTokens

	Buffer *wire.Buffer // memory for the body, nil for fresh one; the bytes are the same
}

// View is one request: its bytes, and where the request-only tail begins.
type View struct {
	Body       *wire.Body
	TailOffset int // byte in Body.Raw; its length when there is no tail
	Carrier    Carrier
	Block      string // the block as text, "" without a tail

	head   *wire.Head
	log    *wire.Log
	n      int
	loose  [][]byte
	buf    *wire.Buffer
	marked bool // message mark is a clone with a cache mark
	mark   int
}

// Build makes the request. The same input gives the same bytes.
func Build(in Input) *View {
	t := in.Transcript
	v := &View{head: t.Head, log: t.Log, n: t.Frozen, loose: t.Loose, buf: in.Buffer}
	tail := v.tail(in)
	if tail == "" {
		v.place(t.Mark)
		v.assemble()
		v.TailOffset = len(v.Body.Raw)
		return v
	}
	v.Carrier = carrierFor(t)
	if v.Carrier == OwnMessage {
		v.loose = append(v.loose[:len(v.loose):len(v.loose)], t.Mark.UserText(carrierSentence+tail))
		v.place(t.Mark)
		v.assemble()
		v.TailOffset, _ = v.Body.Range(wire.KindMessage, v.Body.Messages.Len()-1)
		return v
	}
	before := v.growLast(tail)
	v.place(t.Mark)
	v.assemble()
	from, _ := v.Body.Range(wire.KindMessage, v.Body.Messages.Len()-1)
	v.TailOffset = from + before
	return v
}

func (v *View) tail(in Input) string {
	if !in.Slot.EverFilled() && len(in.Notices) == 0 {
		return ""
	}
	tokens := in.BlockTokens
	if tokens <= 0 {
		tokens = zimoos.DefaultBlockTokens
	}
	v.Block = zimoos.Block(in.Slot.Frame, tokens)
	var b strings.Builder
	b.WriteString("\n\n" + v.Block)
	for _, n := range in.Notices {
		b.WriteString("\n\n" + zimoos.Neutralise(zimoos.Valid(n)))
	}
	return b.String()
}

func carrierFor(t transcript.View) Carrier {
	switch {
	case t.Placement == transcript.Separate:
		return OwnMessage
	case t.LastRole == transcript.User:
		return InUser
	case t.LastRole == transcript.Tool && t.Placement == transcript.InTool:
		return InToolText
	}
	return OwnMessage
}

// growLast clones the last message with more text at its end and gives how many of its bytes stand before that.
func (v *View) growLast(text string) (before int) {
	var last []byte
	if k := len(v.loose); k > 0 {
		last, v.loose = v.loose[k-1], v.loose[:k-1:k-1]
	} else {
		v.n--
		last = v.log.Message(v.n)
	}
	grown, before := transcript.GrowText(last, text)
	v.loose = append(v.loose, grown)
	return before
}

func (v *View) assemble() {
	buf := v.buf
	if buf == nil {
		buf = new(wire.Buffer)
	}
	v.Body = buf.Assemble(v.head, v.log, v.n, v.loose)
}

// SummaryInstruction is what a summary step appends at the end of the tail.
const SummaryInstruction = "Before anything else: write one line that starts with \"Summary:\" and says, in your own words, " +
	"what the last ZimoOS operation did and what the screen shows now. Call no tool and write nothing else."

// SummaryStep is the side request of a request with a tail: the same bytes with the instruction at the end of the
// tail, and nothing else changed.
func SummaryStep(main *View) *View {
	side := &View{Carrier: main.Carrier, Block: main.Block, TailOffset: main.TailOffset, head: main.head, log: main.log, n: main.n, loose: main.loose,
		marked: main.marked, mark: main.mark}
	before := side.growLast("\n\n" + SummaryInstruction)
	side.assemble()
	if side.Carrier == NoCarrier {
		from, _ := side.Body.Range(wire.KindMessage, side.Body.Messages.Len()-1)
		side.TailOffset = from + before
	}
	return side
}
