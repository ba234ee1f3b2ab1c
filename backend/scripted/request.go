package scripted

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// request is what the provider reads of a chat completion body.
type request struct {
	Model         string            `json:"model"`
	Stream        bool              `json:"stream"`
	StreamOptions *streamOptions    `json:"stream_options"`
	Tools         []json.RawMessage `json:"tools"`
	Messages      []message         `json:"messages"`

	names []string // functions offered, in order
	hash  string   // of the body, hexadecimal
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role             string          `json:"role"`
	Content          json.RawMessage `json:"content"`
	ReasoningContent string          `json:"reasoning_content"`
	ToolCallID       string          `json:"tool_call_id"`
	ToolCalls        []callMessage   `json:"tool_calls"`

	text string // the content as text
}

type callMessage struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// parseRequest reads a body. The error is a sentence for the caller.
func parseRequest(body []byte) (*request, error) {
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, fmt.Errorf("the body is no valid request: %w", err)
	}
	if len(r.Messages) == 0 {
		return nil, fmt.Errorf("messages is missing or empty")
	}
	for i := range r.Messages {
		text, err := contentText(r.Messages[i].Content)
		if err != nil {
			return nil, fmt.Errorf("messages[%d].content: %w", i, err)
		}
		r.Messages[i].text = text
	}
	for i, raw := range r.Tools {
		var tool struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		}
		if err := json.Unmarshal(raw, &tool); err != nil {
			return nil, fmt.Errorf("tools[%d]: %w", i, err)
		}
		r.names = append(r.names, tool.Function.Name)
	}
	return &r, nil
}

// contentText joins the text of a content, which is null, a string or a list
// of parts. Other parts stand in it as a mark and what they hold.
func contentText(raw json.RawMessage) (string, error) {
	switch kindOf(raw) {
	case 0, 'n':
		return "", nil
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case '[':
	default:
		return "", fmt.Errorf("a string or a list of parts belongs here")
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range parts {
		var part struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(p, &part); err != nil {
			return "", err
		}
		if part.Type == "text" {
			b.WriteString(part.Text)
			continue
		}
		b.WriteString(markOther)
		b.Write(p)
	}
	return b.String(), nil
}

// legal matches the function names that providers take.
var legal = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// escape matches a character that stands encoded in a function name.
var escape = regexp.MustCompile(`_x([0-9a-f]{1,6})_`)

// check finds what a strict provider would refuse: illegal names, and calls
// and results that do not pair.
func (r *request) check() error {
	seen := map[string]bool{}
	for i, name := range r.names {
		if !legal.MatchString(name) {
			return fmt.Errorf("tools[%d].function.name: %q does not match %s", i, name, legal)
		}
		if seen[name] {
			return fmt.Errorf("tools[%d].function.name: %q stands twice", i, name)
		}
		seen[name] = true
	}
	open := map[string]bool{} // calls that wait for their result
	for i, m := range r.Messages {
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				return fmt.Errorf("messages[%d]: a tool message must answer a call of the assistant message before it; %q is none", i, m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("messages[%d]: %d tool calls before it have no result", i, len(open))
		}
		if err := checkMessage(i, m, open); err != nil {
			return err
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("messages: %d tool calls at the end have no result", len(open))
	}
	return nil
}

func checkMessage(i int, m message, open map[string]bool) error {
	switch m.Role {
	case "system", "developer", "user", "assistant":
	default:
		return fmt.Errorf("messages[%d].role: %q is not one of system, developer, user, assistant, tool", i, m.Role)
	}
	for k, c := range m.ToolCalls {
		if !legal.MatchString(c.Function.Name) {
			return fmt.Errorf("messages[%d].tool_calls[%d].function.name: %q does not match %s", i, k, c.Function.Name, legal)
		}
		if c.ID == "" || open[c.ID] {
			return fmt.Errorf("messages[%d].tool_calls[%d].id: %q is empty or stands twice", i, k, c.ID)
		}
		open[c.ID] = true
	}
	return nil
}

// function finds the offered function for a public tool name: the name itself,
// or its encoded form behind a server's name.
func (r *request) function(public string) (string, bool) {
	for _, name := range r.names {
		plain := decodeName(name)
		if name == public || plain == public || strings.HasSuffix(plain, "__"+public) {
			return name, true
		}
	}
	return "", false
}

// decodeName turns each _x<hex>_ back into the character it stands for.
func decodeName(name string) string {
	return escape.ReplaceAllStringFunc(name, func(s string) string {
		var r rune
		if _, err := fmt.Sscanf(s, "_x%x_", &r); err != nil {
			return s
		}
		return string(r)
	})
}

func compact(raw []byte) ([]byte, error) {
	var buf bytes.Buffer
	err := json.Compact(&buf, raw)
	return buf.Bytes(), err
}

// marshal writes v as JSON on one line, without escaping of <, > and &.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
