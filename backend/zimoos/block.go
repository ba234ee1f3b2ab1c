package zimoos

import (
	"fmt"
	"strings"
)

// Limits of the block, in bytes unless said otherwise.
const (
	maxExact    = 512  // a command, cursor or handle longer than this is left out whole
	maxOneField = 400  // title, status, breadcrumb and the like
	maxSummary  = 1200 // the frame's own summary
	maxContent  = 600  // content of one visible item

	// DefaultBlockTokens bounds the block by EstimateTokens: a screen of about 150 short items.
	DefaultBlockTokens = 4000
)

// Tags of the block as this program writes them.
const (
	OpenTag  = "<zimoos"
	CloseTag = "</zimoos>"
)

// EmptyBlock stands where something request-only must be said and there is no frame.
const EmptyBlock = `<zimoos state="none"></zimoos>`

// Block renders the current frame for the model, bounded by an estimate of tokens. It holds exactly one opening and
// one closing tag; nothing a frame says can close, open or forge it. Executable fields are shown whole or left out
// whole with their item; every omission is counted in the block. A nil frame gives EmptyBlock.
func Block(f *Frame, tokens int) string {
	if f == nil {
		return EmptyBlock
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s source=\"zimoos.currentFrame\" request_only=\"true\" frame_cursor=\"%s\" updated_at=\"%s\" visible_content_count=\"%d\">\n",
		OpenTag, attribute(exactOrNote(f.Cursor)), attribute(fieldLine(f.UpdatedAt, maxOneField)), len(f.Visible))
	writeFields(&b, f)
	left := max(0, tokens-EstimateTokens(b.String())-EstimateTokens(CloseTag))
	for _, s := range sections(f) {
		left -= s.write(&b, left)
	}
	b.WriteString(CloseTag)
	return b.String()
}

func writeFields(b *strings.Builder, f *Frame) {
	line := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + value + "\n")
		}
	}
	line("title", fieldLine(f.Title, maxOneField))
	line("frameCursor", exactOrNote(f.Cursor))
	line("status", fieldLine(f.Status, maxOneField))
	line("summary", fieldLine(f.Summary, maxSummary))
	labels := make([]string, 0, len(f.Breadcrumb))
	for _, c := range f.Breadcrumb[:min(len(f.Breadcrumb), 16)] {
		labels = append(labels, fieldLine(c.Label, maxOneField/4))
	}
	line("breadcrumb", Cut(strings.Join(labels, " > "), maxOneField))
	line("updatedAt", fieldLine(f.UpdatedAt, maxOneField))
	if f.Budget.Present {
		line("tokenBudget", fieldLine(fmt.Sprintf("%s of %s used, truncated=%v", f.Budget.Used, f.Budget.Max, f.Budget.Truncated), maxOneField))
	}
}

// attribute keeps a value inside its quotes. The exact cursor stands in the line below the tag.
func attribute(s string) string {
	return strings.NewReplacer(`"`, "'", "<", "‹", ">", "›").Replace(s)
}

func exactOrNote(s string) string {
	if s == "" || exact(s) {
		return s
	}
	return fmt.Sprintf("(left out: %d bytes that can't be shown exactly)", len(s))
}

// section is one list of the block. share is the part of the remaining budget, in per cent, it may use.
type section struct {
	name  string
	share int
	lines []string // at most maxItems; an empty line is an item that can't be shown exactly
	total int
}

// maxItems bounds the lines that are rendered at all; a screen of ten thousand rows is not read by a model.
const maxItems = 500

func sections(f *Frame) []section {
	all := []section{
		{name: "visibleContent", share: 50, total: len(f.Visible)},
		{name: "actions", share: 60, total: len(f.Actions)},
		{name: "handles", share: 40, total: len(f.Handles)},
		{name: "recoveryActions", share: 40, total: len(f.Recovery)},
		{name: "notifications", share: 100, total: len(f.Notices)},
	}
	for _, it := range f.Visible[:min(len(f.Visible), maxItems)] {
		all[0].lines = append(all[0].lines, visibleLine(it))
	}
	all[1].lines = actionLines(f.Actions)
	for _, h := range f.Handles[:min(len(f.Handles), maxItems)] {
		all[2].lines = append(all[2].lines, handleLine(h))
	}
	all[3].lines = actionLines(f.Recovery)
	for _, n := range f.Notices[:min(len(f.Notices), maxItems)] {
		all[4].lines = append(all[4].lines, noticeLine(n))
	}
	return all
}

func actionLines(list []Action) (lines []string) {
	for _, a := range list[:min(len(list), maxItems)] {
		lines = append(lines, actionLine(a))
	}
	return lines
}

// write appends the section and gives the tokens it took. Items are kept from the front, so that the cut moves only
// when the items before it change.
func (s *section) write(b *strings.Builder, left int) int {
	if s.total == 0 {
		return 0
	}
	budget := left * s.share / 100
	used, shown := 0, 0
	var body strings.Builder
	for _, l := range s.lines {
		cost := EstimateTokens(l) + 2
		if l == "" {
			continue
		}
		if used+cost > budget {
			break
		}
		body.WriteString("- " + l + "\n")
		used, shown = used+cost, shown+1
	}
	head := fmt.Sprintf("%s: %d\n", s.name, s.total)
	if shown < s.total {
		head = fmt.Sprintf("%s: %d (%d left out here)\n", s.name, s.total, s.total-shown)
	}
	b.WriteString(head + body.String())
	return used + EstimateTokens(head)
}

func visibleLine(it Item) string {
	s := ""
	if it.ID != "" {
		if !exact(it.ID) {
			return ""
		}
		s = "[" + it.ID + "] "
	}
	s += join(": ", fieldLine(it.Kind, 40), fieldLine(it.Title, maxOneField))
	s = join(" — ", s, fieldLine(it.Content, maxContent))
	if it.Priority != "" && it.Priority != "normal" {
		s += " (priority " + fieldLine(it.Priority, 40) + ")"
	}
	return s
}

func actionLine(a Action) string {
	cmd := a.Cmd
	if cmd == "" {
		cmd = a.ID
	}
	if !exact(cmd) {
		return ""
	}
	s := join(" — ", cmd, fieldLine(a.Label, maxOneField), fieldLine(a.Effect, maxOneField))
	if a.Risk != "" && a.Risk != "safe" && a.Risk != "low" && a.Risk != "none" {
		s += " [risk " + fieldLine(a.Risk, 40) + "]"
	}
	if a.Confirm {
		s += " [asks for confirmation]"
	}
	return s
}

func handleLine(h Handle) string {
	if !exact(h.ID) {
		return ""
	}
	s := join(" — ", h.ID, fieldLine(h.Label, maxOneField), fieldLine(h.Effect, maxOneField))
	if h.Tokens != "" {
		s += " (about " + fieldLine(h.Tokens, 40) + " tokens)"
	}
	return s
}

func noticeLine(n Notice) string {
	return join(" — ", fieldLine(n.AppID, 80), fieldLine(n.Summary, maxOneField), fieldLine(n.Status, 40))
}

func join(sep string, parts ...string) string {
	kept := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

// Audit is the one line about a frame that history keeps: what it was, never what it showed.
func Audit(f *Frame) string {
	return fmt.Sprintf("frameCursor=%s title=%s status=%s visible=%d actions=%d handles=%d",
		fieldLine(f.Cursor, 120), quoted(fieldLine(f.Title, 160)), fieldLine(f.Status, 40), len(f.Visible), len(f.Actions), len(f.Handles))
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `'`) + `"` }

// ErrorLine is what history keeps of a frame that came with an error: title, status and a bounded line.
func ErrorLine(f *Frame) string {
	return join("; ", "screen "+quoted(fieldLine(f.Title, 160)), "status "+fieldLine(f.Status, 40), fieldLine(f.Summary, 240))
}
