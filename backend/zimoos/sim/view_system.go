package sim

import (
	"fmt"
	"strings"
)

const (
	// growItemBytes is the content of one item that `grow-bytes` makes.
	growItemBytes = 1000
	// maxQueryBytes bounds a search query, in bytes.
	maxQueryBytes = 200
)

func (o *virtualOS) viewSettings() view {
	v := view{title: "Settings", summary: fmt.Sprintf("%d switches.", len(o.world.settings))}
	for _, s := range o.world.settings {
		ref := "setting:" + s.id
		v.items = append(v.items, Item{ItemID: ref, Kind: "switch", Title: s.title, Content: onOff(s.on) + ". " + s.about, Priority: "normal"})
		effect := fmt.Sprintf("Turns %s %s", s.title, onOff(!s.on))
		v.actions = append(v.actions, risky(shortcut("toggle "+ref, "Toggle "+s.title, effect), riskLow, false))
	}
	return v
}

func (o *virtualOS) viewNotifications() view {
	open := o.world.openNotices()
	v := view{title: "Notifications", summary: fmt.Sprintf("%d open notifications.", len(open))}
	for _, n := range open {
		ref := "notification:" + n.ID
		v.items = append(v.items, Item{ItemID: ref, Kind: "notification", Title: n.Summary, Content: "From " + n.AppID, Priority: n.Priority})
		v.actions = append(v.actions,
			shortcut("open "+n.AppID, "Open "+appTitle(strings.TrimPrefix(n.AppID, "app:")), "Opens the app that sent it"),
			shortcut("dismiss "+ref, "Dismiss", "Takes the notification away"))
	}
	return v
}

func (o *virtualOS) viewWorkbench() view {
	v := view{
		title: "Workbench",
		actions: []Shortcut{
			shortcut("grow <items>", "Show many items", "Shows that many items"),
			shortcut("grow-bytes <bytes>", "Show much text", "Shows about that many bytes of text"),
		},
	}
	switch o.here.view {
	case "grow":
		v.summary = fmt.Sprintf("%d items, made on demand.", o.here.n)
		v.items = growItems(o.here.n)
	case "grow-bytes":
		v.summary = fmt.Sprintf("%d bytes of text, made on demand.", o.here.n)
		v.items = growBytes(o.here.n)
	default:
		v.summary = "Makes a frame of any size, to see how large ones are handled."
	}
	return v
}

func growItems(n int) []Item {
	out := make([]Item, n)
	for i := range out {
		out[i] = growItem(i, fmt.Sprintf("Content of item %d.", i+1))
	}
	return out
}

// growBytes spreads n bytes of text over items of growItemBytes each.
func growBytes(n int) []Item {
	unit := strings.Repeat("All work and some play. ", growItemBytes/24+1)[:growItemBytes]
	var out []Item
	for i := 0; n > 0; i++ {
		size := min(n, growItemBytes)
		out = append(out, growItem(i, unit[:size]))
		n -= size
	}
	return out
}

func growItem(i int, content string) Item {
	return Item{ItemID: fmt.Sprintf("row:%06d", i+1), Kind: "row", Title: fmt.Sprintf("Item %d", i+1), Content: content, Priority: "low"}
}

// openSearch goes to the list of hits. An empty query is an error; a query
// without hits is an empty list.
func (o *virtualOS) openSearch(query string) error {
	query = strings.Join(strings.Fields(query), " ")
	if o.dialog != nil {
		return fmt.Errorf("a question is open (%s): only confirm or cancel can follow", o.dialog.question)
	}
	if query == "" || len(query) > maxQueryBytes {
		return fmt.Errorf("search wants a query of 1 to %d bytes", maxQueryBytes)
	}
	o.goTo(screen{app: "search", view: "list", id: query})
	return nil
}

func (o *virtualOS) viewSearch() view {
	hits := o.hits(strings.ToLower(o.here.id))
	v := view{
		title:   "Search: " + o.here.id,
		summary: fmt.Sprintf("%d hits for %q.", len(hits), o.here.id),
		items:   hits,
	}
	for _, h := range hits {
		v.actions = append(v.actions, shortcut("open "+h.ItemID, "Open "+h.Title, "Opens the hit"))
	}
	return v
}

// hits looks for the lower-case query in notes, mails, files and settings.
func (o *virtualOS) hits(query string) []Item {
	var out []Item
	add := func(ref, kind, title, text string) {
		if strings.Contains(strings.ToLower(title+"\n"+text), query) {
			out = append(out, Item{ItemID: ref, Kind: kind, Title: title, Content: preview(text), Priority: "normal"})
		}
	}
	for _, n := range o.world.sortedNotes() {
		add("note:"+n.id, "note", n.title, strings.Join(n.lines, "; "))
	}
	for _, m := range o.world.inbox() {
		add("mail:"+m.id, "mail", m.subject, m.from+": "+m.body)
	}
	for _, f := range o.world.files {
		if f.path != "/" {
			add("file:"+f.path, "file", f.path, f.text)
		}
	}
	for _, s := range o.world.settings {
		add("setting:"+s.id, "switch", s.title, s.about)
	}
	return out
}
