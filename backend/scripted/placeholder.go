package scripted

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ErrScript says that the script cannot be played against a request: change
// the script, or give the placeholder a fallback.
var ErrScript = errors.New("the script does not fit the request")

// placeholder matches {{name}}, {{name:argument}} and both with |fallback.
var placeholder = regexp.MustCompile(`\{\{([a-z_]+)(:[^{}|]*)?(\|[^{}]*)?\}\}`)

// unknownPlaceholder gives the first placeholder of text that means nothing.
func unknownPlaceholder(text string) string {
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		switch m[1] {
		case "cursor", "title", "count":
			if m[2] == "" {
				continue
			}
		case "action":
			if len(m[2]) > 1 {
				continue
			}
		}
		return m[0]
	}
	return ""
}

// fill replaces the placeholders in text by what the block says. escape is
// applied to each value before it is put in.
func fill(text string, b block, escape func(string) string) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	var failed error
	out := placeholder.ReplaceAllStringFunc(text, func(found string) string {
		m := placeholder.FindStringSubmatch(found)
		value, ok := b.value(m[1], strings.TrimPrefix(m[2], ":"))
		if !ok && m[3] != "" {
			return m[3][1:] // stands in the script in the form in which it is sent
		}
		if !ok && failed == nil {
			failed = fmt.Errorf("%w: nothing in the request's block answers %s", ErrScript, found)
		}
		return escape(value)
	})
	return out, failed
}

func asItIs(s string) string { return s }

// inJSON writes s as the inside of a JSON string.
func inJSON(s string) string {
	raw, err := marshal(s)
	if err != nil {
		return ""
	}
	return string(raw[1 : len(raw)-1])
}

// arguments gives the text of a call's arguments: an object as it stands in
// the script, compacted, or the contents of a string.
func (c ToolCall) arguments(b block) (string, error) {
	switch kindOf(c.Arguments) {
	case 0:
		return "{}", nil
	case '"':
		var s string
		if err := json.Unmarshal(c.Arguments, &s); err != nil {
			return "", err
		}
		return fill(s, b, inJSON)
	}
	raw, err := compact(c.Arguments)
	if err != nil {
		return "", err
	}
	return fill(string(raw), b, inJSON)
}
