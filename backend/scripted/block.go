package scripted

import "strings"

const (
	blockOpen  = "<zimoos"
	blockClose = "</zimoos>"
)

// block is the text of the newest <zimoos …> block of a request, from its
// opening tag to its closing one; empty when there is none.
type block string

// newestBlock looks through the messages from the last one back.
func newestBlock(messages []message) block {
	for i := len(messages) - 1; i >= 0; i-- {
		text := messages[i].text
		start := strings.LastIndex(text, blockOpen)
		if start < 0 {
			continue
		}
		text = text[start:]
		if end := strings.Index(text, blockClose); end >= 0 {
			text = text[:end]
		}
		return block(text)
	}
	return ""
}

// value answers a placeholder; ok is false when the block does not say it.
func (b block) value(name, argument string) (string, bool) {
	switch name {
	case "cursor":
		if v, ok := b.field("frameCursor"); ok {
			return v, true
		}
		return b.attribute("frame_cursor")
	case "title":
		return b.field("title")
	case "count":
		return b.attribute("visible_content_count")
	case "action":
		return b.action(argument)
	}
	return "", false
}

func (b block) attribute(name string) (string, bool) {
	head, _, _ := strings.Cut(string(b), ">")
	_, rest, ok := strings.Cut(head, " "+name+`="`)
	if !ok {
		return "", false
	}
	value, _, ok := strings.Cut(rest, `"`)
	return value, ok
}

// field is the rest of the first line that starts with name and a colon.
func (b block) field(name string) (string, bool) {
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(v), true
		}
	}
	return "", false
}

// action is the first command under "actions" or "recoveryActions" that
// contains part.
func (b block) action(part string) (string, bool) {
	listed := false
	for line := range strings.Lines(string(b)) {
		row, isRow := strings.CutPrefix(line, "- ")
		if !isRow {
			head := strings.ToLower(line)
			listed = strings.HasPrefix(head, "actions:") || strings.HasPrefix(head, "recoveryactions:")
			continue
		}
		if cmd := command(row); listed && strings.Contains(cmd, part) {
			return cmd, true
		}
	}
	return "", false
}

// command is what stands in a row before its label.
func command(row string) string {
	for _, sep := range []string{" — ", " | "} {
		row, _, _ = strings.Cut(row, sep)
	}
	return strings.TrimSpace(row)
}
