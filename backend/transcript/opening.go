package transcript

import (
	"bytes"
	"fmt"
)

// Opened is what Opening tells of a stored transcript.
type Opened struct {
	Header   Header   // that holds
	Prompts  []string // the text of every user message, in order
	TurnOpen bool     // the last message is not an answer
}

// Marks of the events that Opening reads, as Encode writes them. Inside a JSON string the quotes of a mark would be
// escaped.
var (
	headerMark  = []byte(`"t":"header"`)
	messageMark = []byte(`"t":"message"`)
	userMark    = []byte(`"r":"user"`)
)

// Opening reads no more of the stored events than what a list of requests shows of them: for who shows a long session at
// once. Whether the events fit together only Replay knows.
func Opening(events [][]byte) (o Opened, err error) {
	last := len(events) - 1
	for last >= 0 && !bytes.Contains(headOf(events[last]), messageMark) {
		last--
	}
	for i, raw := range events {
		head := headOf(raw)
		if i != last && !bytes.Contains(head, headerMark) && !bytes.Contains(head, userMark) {
			continue
		}
		e, err := DecodeEvent(raw)
		switch {
		case err != nil:
		case e.Type == EventHeader:
			o.Header, err = decodeHeader(e.Payload)
		case e.Type == EventMessage && e.Role == User:
			o.Prompts = append(o.Prompts, TextOf(e.Payload))
		}
		if err != nil {
			return o, fmt.Errorf("event %d of %d: %w", i+1, len(events), err)
		}
		if i == last {
			o.TurnOpen = !answers(e)
		}
	}
	return o, nil
}

func headOf(event []byte) []byte {
	head, _, _ := bytes.Cut(event, []byte{'\n'})
	return head
}

// answers says that a message is an answer, without calls.
func answers(e Event) bool { return e.Role == Assistant && len(e.CallIDs) == 0 }
