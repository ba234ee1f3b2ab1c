package service

import (
	"regexp"
	"strconv"
	"strings"

	"zimoscope/app/api"
	"zimoscope/backend/zimoos"
)

var (
	listHead  = regexp.MustCompile(`^([a-zA-Z]+): (\d+)(?: \((\d+) left out here\))?$`)
	fieldLine = regexp.MustCompile(`^([a-zA-Z]+): (.*)$`)
)

// parseBlock reads a block that was sent back into what a person looks at: the pane shows what the model was shown, not
// what this program happened to hold. nil for an empty or foreign block.
func parseBlock(block string) *api.FrameView {
	lines := strings.Split(block, "\n")
	if len(lines) < 3 {
		return nil
	}
	f := &api.FrameView{Breadcrumb: []string{}, Lists: []api.FrameList{}}
	for _, l := range lines[1 : len(lines)-1] {
		if item, ok := strings.CutPrefix(l, "- "); ok && len(f.Lists) > 0 {
			list := &f.Lists[len(f.Lists)-1]
			list.Items = append(list.Items, item)
			continue
		}
		if m := listHead.FindStringSubmatch(l); m != nil && isList(m[1]) {
			total, _ := strconv.Atoi(m[2])
			left, _ := strconv.Atoi(m[3])
			f.Lists = append(f.Lists, api.FrameList{Name: m[1], Total: total, LeftOut: left, Items: []string{}})
			continue
		}
		if m := fieldLine.FindStringSubmatch(l); m != nil {
			setField(f, m[1], m[2])
		}
	}
	return f
}

func isList(name string) bool {
	switch name {
	case "visibleContent", "actions", "handles", "recoveryActions", "notifications":
		return true
	}
	return false
}

func setField(f *api.FrameView, name, value string) {
	switch name {
	case "title":
		f.Title = value
	case "frameCursor":
		f.Cursor = value
	case "status":
		f.Status = value
	case "summary":
		f.Summary = value
	case "updatedAt":
		f.UpdatedAt = value
	case "tokenBudget":
		f.Budget = value
	case "breadcrumb":
		f.Breadcrumb = strings.Split(value, " > ")
	}
}

// frameOf shows a frame that a call by hand brought.
func frameOf(f *zimoos.Frame) *api.FrameView {
	if f == nil {
		return nil
	}
	return parseBlock(zimoos.Block(f, zimoos.DefaultBlockTokens))
}
