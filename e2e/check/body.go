package check

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/zimoos"
)

// block is what the last message of a request shows.
type block struct{ title, cursor, count string }

var (
	titleLine  = regexp.MustCompile(`(?m)^title: (.*)$`)
	cursorLine = regexp.MustCompile(`(?m)^frameCursor: (.*)$`)
	countValue = regexp.MustCompile(`visible_content_count="([0-9]+)"`)
)

// blockOf reads the block of a request; all is "" when it shows no frame.
func blockOf(b *wire.Body) block {
	n := b.Messages.Len()
	if n == 0 {
		return block{}
	}
	text := textOf(b.Bytes(wire.KindMessage, n-1))
	at := strings.LastIndex(text, zimoos.OpenTag)
	if at < 0 {
		return block{}
	}
	text = text[at:]
	return block{first(titleLine, text), first(cursorLine, text), first(countValue, text)}
}

func first(r *regexp.Regexp, text string) string {
	if m := r.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

type message struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// textOf is the decoded text of a message, its text parts joined.
func textOf(raw []byte) string {
	var m message
	if json.Unmarshal(raw, &m) != nil {
		return ""
	}
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// calledIn lists the function names of the calls in a request's history.
func calledIn(b *wire.Body) (names []string) {
	for i := range b.Messages.Len() {
		var m message
		if json.Unmarshal(b.Bytes(wire.KindMessage, i), &m) != nil {
			continue
		}
		for _, c := range m.ToolCalls {
			names = append(names, c.Function.Name)
		}
	}
	return names
}

// toolTexts lists the texts of the tool messages of a conversation, one message a line.
func toolTexts(jsonl []byte) (texts []string) {
	for line := range bytes.Lines(jsonl) {
		var m message
		if json.Unmarshal(line, &m) == nil && m.Role == "tool" {
			texts = append(texts, textOf(line))
		}
	}
	return texts
}
