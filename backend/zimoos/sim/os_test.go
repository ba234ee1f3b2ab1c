package sim

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// tour is a list of commands that passes through every app and every verb.
func tour() []string {
	return []string{
		"open app:notes", "open note:groceries", "append note:groceries Oat milk", "pin note:groceries",
		"rename note:groceries Weekend shopping", "back", "open app:mail", "open mail:m2", "reply mail:m2 Yes, <both> & more",
		"confirm", "mark-unread mail:m2", "archive mail:m2", "open app:files", "open file:/Documents",
		"open file:/Documents/rent.txt", "open app:settings", "toggle setting:wifi", "open app:notifications",
		"dismiss notification:n1", "open app:workbench", "grow 3", "grow-bytes 2500", "home",
	}
}

func run(t *testing.T, o *virtualOS, cmds ...string) Frame {
	t.Helper()
	f := o.current()
	for _, cmd := range cmds {
		var err error
		if f, err = o.act(f.FrameCursor, cmd); err != nil {
			t.Fatalf("%s: %v", cmd, err)
		}
	}
	return f
}

func script(t *testing.T, seed int64) string {
	t.Helper()
	o := newOS(seed)
	var all strings.Builder
	for _, cmd := range tour() {
		text, err := encode(run(t, o, cmd))
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(text)
	}
	return all.String()
}

func TestSameSeedAndCallsGiveSameBytes(t *testing.T) {
	if script(t, 7) != script(t, 7) {
		t.Error("two runs with one seed differ")
	}
	if script(t, 7) == script(t, 8) {
		t.Error("two seeds give the same contents")
	}
}

func TestEveryAppCanBeOpenedFromHome(t *testing.T) {
	for _, a := range apps() {
		o := newOS(1)
		home := o.current()
		found := false
		for _, s := range home.Shortcuts {
			found = found || s.Cmd == "open app:"+a.id
		}
		f := run(t, o, "open app:"+a.id)
		if !found || !strings.HasPrefix(f.Title, a.title) || f.CurrentAppInstanceID != a.id+"-1" {
			t.Errorf("%s: listed at home %v, title %q, instance %q", a.id, found, f.Title, f.CurrentAppInstanceID)
		}
	}
}

// Whatever a frame offers must work: a shortcut that leads nowhere would teach
// an agent that errors are normal.
func TestEveryShortcutWithoutABlankRuns(t *testing.T) {
	for i := range tour() {
		o := newOS(3)
		f := run(t, o, tour()[:i]...)
		for _, s := range append(f.Shortcuts, f.RecoveryActions...) {
			fresh := newOS(3)
			at := run(t, fresh, tour()[:i]...)
			if strings.Contains(s.Cmd, "<") {
				continue
			}
			if _, err := fresh.act(at.FrameCursor, s.Cmd); err != nil {
				t.Errorf("after %v: %s: %v", tour()[:i], s.Cmd, err)
			}
		}
	}
}

func TestStaleCursorChangesNothing(t *testing.T) {
	o := newOS(1)
	old := o.current().FrameCursor
	now := run(t, o, "open app:notes")
	f, err := o.act(old, "open app:mail")
	if err == nil || !strings.Contains(err.Error(), "stale") {
		t.Fatalf("err = %v, want a stale cursor", err)
	}
	a, _ := encode(f)
	b, _ := encode(now)
	if a != b {
		t.Error("the frame moved although the action was refused")
	}
}

func TestFailedCommandsChangeNothing(t *testing.T) {
	o := newOS(1)
	before, _ := encode(run(t, o, "open note:groceries"))
	for _, cmd := range []string{
		"", "fly", "open", "open note:nope", "open app:nope", "open file:/nope", "open setting:nope", "append note:groceries",
		"append note:groceries <text>", "append note:groceries " + strings.Repeat("x", maxTextBytes+1), "rename note:nope x",
		"unpin note:groceries", "toggle setting:nope", "dismiss notification:n9", "reply mail:nope x", "confirm",
		"grow -1", "grow x", "grow 100001", "grow-bytes 99999999999999999999",
	} {
		f, err := o.act(o.current().FrameCursor, cmd)
		after, _ := encode(f)
		if err == nil || after != before {
			t.Errorf("%q: err %v, frame unchanged %v", cmd, err, after == before)
		}
	}
}

func TestDeleteAsksFirst(t *testing.T) {
	o := newOS(1)
	f := run(t, o, "open note:groceries", "delete note:groceries")
	if f.Status != statusConfirm || len(f.Shortcuts) != 2 || !f.Shortcuts[0].RequiresConfirmation || f.Shortcuts[0].RiskLevel != riskHigh {
		t.Fatalf("no question: %+v", f.Shortcuts)
	}
	if _, err := o.act(f.FrameCursor, "home"); err == nil {
		t.Error("the question could be left without an answer")
	}
	if _, err := o.search("bread"); err == nil {
		t.Error("a search left the question behind")
	}
	if f = run(t, o, "cancel"); f.Title != "Groceries" || f.Status != statusIdle {
		t.Errorf("after cancel: %q %q", f.Title, f.Status)
	}
	f = run(t, o, "open app:mail", "delete note:groceries", "confirm")
	if f.Title != "Notes" || o.world.note("groceries") != nil {
		t.Errorf("after confirm: %q", f.Title)
	}
	for len(o.back) > 0 {
		if f = run(t, o, "back"); f.Title == "Groceries" {
			t.Error("the way back leads to the deleted note")
		}
	}
}

func TestEditsShowInTheFrame(t *testing.T) {
	o := newOS(1)
	n := len(run(t, o, "open note:groceries").VisibleContent)
	f := run(t, o, "append note:groceries Oat milk", "rename note:groceries Market", "pin note:groceries")
	if last := f.VisibleContent[len(f.VisibleContent)-1]; len(f.VisibleContent) != n+1 || last.Content != "Oat milk" || f.Title != "Market" {
		t.Errorf("%d lines, last %q, title %q", len(f.VisibleContent), last.Content, f.Title)
	}
	run(t, o, "unpin note:groceries", "pin note:balcony")
	if f = run(t, o, "open app:notes"); f.VisibleContent[0].ItemID != "note:balcony" {
		t.Errorf("the pinned note is not first: %s", f.VisibleContent[0].ItemID)
	}
}

func TestToggleAndReply(t *testing.T) {
	o := newOS(1)
	if f := run(t, o, "open app:settings", "toggle setting:wifi"); !strings.HasPrefix(f.VisibleContent[0].Content, "off") {
		t.Errorf("wifi: %q", f.VisibleContent[0].Content)
	}
	f := run(t, o, "open mail:m2", "reply mail:m2 Gladly", "confirm")
	if last := f.VisibleContent[len(f.VisibleContent)-1]; last.Content != "Gladly" {
		t.Errorf("reply: %+v", last)
	}
}

func TestSearchFindsInEveryAppAndMovesTheCursor(t *testing.T) {
	o := newOS(1)
	before := o.current().FrameCursor
	f, err := o.search("  BREAD ")
	if err != nil || f.FrameCursor == before || f.Title != "Search: BREAD" {
		t.Fatalf("%v %q %q", err, f.FrameCursor, f.Title)
	}
	var refs []string
	for _, it := range f.VisibleContent {
		refs = append(refs, it.ItemID)
	}
	if got := strings.Join(refs, " "); !strings.Contains(got, "note:groceries") || !strings.Contains(got, "file:/Documents/recipes/bread.txt") {
		t.Errorf("hits: %s", got)
	}
	if f, err = o.search("zzz"); err != nil || len(f.VisibleContent) != 0 {
		t.Errorf("no hits: %v, %d", err, len(f.VisibleContent))
	}
	if _, err = o.search("  "); err == nil {
		t.Error("an empty query was taken")
	}
}

func TestNotificationsArriveAfterActions(t *testing.T) {
	o := newOS(1)
	if f := run(t, o, "open app:notes", "home"); len(f.Notifications) != 0 {
		t.Fatalf("too early: %+v", f.Notifications)
	}
	f := run(t, o, "open app:notifications")
	if len(f.Notifications) != 1 || f.Notifications[0].ID != "n1" || len(f.VisibleContent) != 1 {
		t.Fatalf("after three actions: %+v", f.Notifications)
	}
	if f = run(t, o, "dismiss notification:n1"); len(f.Notifications) != 0 {
		t.Error("the notification stayed")
	}
	if f = run(t, o, "open app:mail"); f.VisibleContent[0].ItemID != "mail:m5" {
		t.Errorf("the mail that was told of is not there: %s", f.VisibleContent[0].ItemID)
	}
}

func TestVirtualClockMovesOnlyWithActions(t *testing.T) {
	o := newOS(1)
	if a, b := o.current(), o.current(); a.UpdatedAt != "2026-07-02T09:00:00.000Z" || b.UpdatedAt != a.UpdatedAt || a.FrameCursor != "c1" {
		t.Errorf("looking moved the OS: %s %s", a.UpdatedAt, b.UpdatedAt)
	}
	if f := run(t, o, "home", "open app:notes"); f.UpdatedAt != "2026-07-02T09:00:14.000Z" || f.FrameCursor != "c3" {
		t.Errorf("%s %s", f.UpdatedAt, f.FrameCursor)
	}
}

func TestGrowMakesFramesOfTheSizeAskedFor(t *testing.T) {
	o := newOS(1)
	if f := run(t, o, "grow 1234"); len(f.VisibleContent) != 1234 {
		t.Errorf("%d items", len(f.VisibleContent))
	}
	text, err := encode(run(t, o, "grow-bytes 10000000"))
	if err != nil || len(text) < 10_000_000 || len(text) > 13_000_000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestTheOSKnowsNothingOfMCP(t *testing.T) {
	surface := map[string]bool{"server.go": true, "notebook.go": true, "listen.go": true}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range f.Imports {
			if strings.Contains(imp.Path.Value, "mcp-go") && !surface[name] {
				t.Errorf("%s imports %s: the state machine must work without MCP", name, imp.Path.Value)
			}
			if strings.HasPrefix(imp.Path.Value, `"zimoscope/`) {
				t.Errorf("%s imports %s: the simulator must not share code with what it tests", name, imp.Path.Value)
			}
		}
	}
}
