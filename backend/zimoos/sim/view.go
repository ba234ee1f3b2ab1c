package sim

import (
	"fmt"
	"strings"
)

// view is what one screen contributes to a frame.
type view struct {
	title   string
	summary string
	crumbs  []Crumb // after Home and the app
	items   []Item
	actions []Shortcut
	handles []Handle
}

type app struct {
	id    string
	title string
	about string
}

func apps() []app {
	return []app{
		{"notes", "Notes", "Short texts, one line after another"},
		{"mail", "Mail", "The inbox"},
		{"files", "Files", "Folders and texts"},
		{"settings", "Settings", "Switches of this machine"},
		{"notifications", "Notifications", "What this machine has to say"},
		{"workbench", "Workbench", "Makes a frame of any size"},
	}
}

func isApp(id string) bool { return appTitle(id) != "" }

func appTitle(id string) string {
	for _, a := range apps() {
		if a.id == id {
			return a.title
		}
	}
	return ""
}

func instanceOf(appID string) string { return appID + "-1" }

// frame draws the current screen. The caller holds the lock.
func (o *virtualOS) frame() Frame {
	v := o.view()
	status := statusIdle
	if o.dialog != nil {
		status = statusConfirm
	}
	f := Frame{
		Protocol: frameProtocol, Version: frameVersion,
		FrameID:              fmt.Sprintf("frame-%d", o.frameNo),
		FrameCursor:          o.cursor(),
		OSInstanceID:         fmt.Sprintf("zimoos-sim-%d", o.seed),
		AgentID:              agentID,
		CurrentAppInstanceID: instanceOf(o.here.app),
		Status:               status,
		Title:                v.title,
		Summary:              strings.TrimSpace(o.effect + " " + v.summary),
		Breadcrumb:           o.breadcrumb(v),
		VisibleContent:       orEmpty(v.items),
		Shortcuts:            numbered("s", v.actions),
		Handles:              orEmpty(v.handles),
		RecoveryActions:      numbered("r", o.recovery()),
		Notifications:        o.world.openNotices(),
		UpdatedAt:            o.updatedAt(),
	}
	used := frameSize(f) / bytesPerToken
	f.TokenBudget = TokenBudget{Max: frameTokenBudget, Used: used, Truncated: false}
	return f
}

func (o *virtualOS) view() view {
	if o.dialog != nil {
		return o.viewDialog()
	}
	switch o.here.app {
	case "notes":
		return o.viewNotes()
	case "mail":
		return o.viewMail()
	case "files":
		return o.viewFiles()
	case "settings":
		return o.viewSettings()
	case "notifications":
		return o.viewNotifications()
	case "workbench":
		return o.viewWorkbench()
	case "search":
		return o.viewSearch()
	}
	return o.viewHome()
}

func (o *virtualOS) breadcrumb(v view) []Crumb {
	out := []Crumb{{Label: "Home", AppInstanceID: instanceOf("home")}}
	if o.here.app != "home" {
		label := appTitle(o.here.app)
		if o.here.app == "search" {
			label = "Search"
		}
		out = append(out, Crumb{Label: label, AppInstanceID: instanceOf(o.here.app)})
	}
	return append(out, v.crumbs...)
}

// recovery is the way out of wherever the agent is.
func (o *virtualOS) recovery() []Shortcut {
	if o.dialog != nil {
		return []Shortcut{shortcut("cancel", "Cancel", "Closes the question and changes nothing")}
	}
	var out []Shortcut
	if len(o.back) > 0 {
		out = append(out, shortcut("back", "Back", "Goes to the screen before"))
	}
	if o.here.app != "home" {
		out = append(out, shortcut("home", "Home", "Goes to the desktop"))
	}
	return out
}

func shortcut(cmd, label, effect string) Shortcut {
	return Shortcut{Cmd: cmd, Label: label, EffectPreview: effect, RiskLevel: riskSafe}
}

func risky(s Shortcut, level string, confirm bool) Shortcut {
	s.RiskLevel, s.RequiresConfirmation = level, confirm
	return s
}

// numbered gives the shortcuts their ids, in order.
func numbered(prefix string, list []Shortcut) []Shortcut {
	out := make([]Shortcut, len(list))
	for i, s := range list {
		s.ID = fmt.Sprintf("%s%d", prefix, i+1)
		out[i] = s
	}
	return out
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// frameSize adds up the texts of a frame, in bytes.
func frameSize(f Frame) int {
	n := len(f.Title) + len(f.Summary)
	for _, it := range f.VisibleContent {
		n += len(it.ItemID) + len(it.Title) + len(it.Content)
	}
	for _, s := range f.Shortcuts {
		n += len(s.Cmd) + len(s.Label) + len(s.EffectPreview)
	}
	for _, h := range f.Handles {
		n += len(h.ID) + len(h.Label) + len(h.EffectPreview)
	}
	return n
}

func (o *virtualOS) viewHome() view {
	v := view{title: "Home", summary: fmt.Sprintf("The desktop, with %d apps.", len(apps()))}
	for _, a := range apps() {
		v.items = append(v.items, Item{ItemID: "app:" + a.id, Kind: "app", Title: a.title, Content: a.about, Priority: "normal"})
		v.actions = append(v.actions, shortcut("open app:"+a.id, "Open "+a.title, "Opens "+a.title))
	}
	return v
}

func (o *virtualOS) viewDialog() view {
	d := o.dialog
	return view{
		title:   "Confirm",
		summary: "The OS asks before it goes on. Only confirm or cancel can follow.",
		crumbs:  []Crumb{{Label: "Confirm", AppInstanceID: instanceOf(o.here.app)}},
		items:   []Item{{ItemID: "dialog", Kind: "question", Title: d.question, Content: d.effect, Priority: "high"}},
		actions: []Shortcut{
			risky(shortcut("confirm", "Confirm", d.effect), d.risk, true),
			shortcut("cancel", "Cancel", "Closes the question and changes nothing"),
		},
	}
}
