package sim

import (
	"fmt"
	"path"
	"strings"
)

// previewRunes is how much of a text a list shows of each row.
const previewRunes = 60

func preview(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	r := []rune(s)
	if len(r) <= previewRunes {
		return s
	}
	return string(r[:previewRunes-1]) + "…"
}

func (o *virtualOS) viewNotes() view {
	if o.here.view == "detail" {
		return o.viewNote(o.world.note(o.here.id))
	}
	v := view{title: "Notes", summary: fmt.Sprintf("%d notes.", len(o.world.notes))}
	for _, n := range o.world.sortedNotes() {
		ref := "note:" + n.id
		body := strings.Join(n.lines, "; ")
		v.items = append(v.items, Item{ItemID: ref, Kind: "note", Title: n.title, Content: preview(body), Priority: pinPriority(n)})
		v.actions = append(v.actions, shortcut("open "+ref, "Open "+n.title, "Shows the whole note"))
		v.handles = append(v.handles, Handle{ID: ref, Label: n.title, EffectPreview: "Shows the whole note", TokenEstimate: len(body)/bytesPerToken + 1})
	}
	return v
}

func pinPriority(n *note) string {
	if n.pinned {
		return "high"
	}
	return "normal"
}

func (o *virtualOS) viewNote(n *note) view {
	ref := "note:" + n.id
	v := view{
		title:   n.title,
		summary: fmt.Sprintf("A note with %d lines, %s.", len(n.lines), pinWord(n.pinned)),
		crumbs:  []Crumb{{Label: n.title, AppInstanceID: instanceOf("notes")}},
	}
	for i, line := range n.lines {
		v.items = append(v.items, Item{ItemID: fmt.Sprintf("%s#%d", ref, i+1), Kind: "line", Title: fmt.Sprintf("Line %d", i+1), Content: line, Priority: "normal"})
	}
	pin := shortcut("pin "+ref, "Pin", "Moves the note to the top of the list")
	if n.pinned {
		pin = shortcut("unpin "+ref, "Unpin", "Moves the note back to its place")
	}
	v.actions = []Shortcut{
		risky(shortcut("append "+ref+" <text>", "Add a line", "Adds the text as the last line"), riskLow, false),
		risky(shortcut("rename "+ref+" <title>", "Rename", "Gives the note another title"), riskLow, false),
		pin,
		risky(shortcut("delete "+ref, "Delete", "Asks, then deletes the note for good"), riskHigh, true),
	}
	return v
}

func (o *virtualOS) viewMail() view {
	if o.here.view == "detail" {
		if m := o.world.mail(o.here.id); m != nil {
			return viewOneMail(m)
		}
	}
	inbox := o.world.inbox()
	v := view{title: "Mail"}
	unread := 0
	for _, m := range inbox {
		ref, priority := "mail:"+m.id, "normal"
		if !m.read {
			unread++
			priority = "high"
		}
		v.items = append(v.items, Item{ItemID: ref, Kind: "mail", Title: m.from + ": " + m.subject, Content: preview(m.body), Priority: priority})
		v.actions = append(v.actions, shortcut("open "+ref, "Read "+m.subject, "Shows the mail and marks it as read"))
		v.handles = append(v.handles, Handle{ID: ref, Label: m.subject, EffectPreview: "Shows the mail", TokenEstimate: len(m.body)/bytesPerToken + 1})
	}
	v.summary = fmt.Sprintf("%d mails, %d unread.", len(inbox), unread)
	return v
}

func viewOneMail(m *mail) view {
	ref := "mail:" + m.id
	v := view{
		title:   m.subject,
		summary: fmt.Sprintf("A mail from %s, answered %d times.", m.from, len(m.replies)),
		crumbs:  []Crumb{{Label: m.subject, AppInstanceID: instanceOf("mail")}},
		items:   []Item{{ItemID: ref, Kind: "mail", Title: "From " + m.from, Content: m.body, Priority: "normal"}},
		actions: []Shortcut{
			risky(shortcut("reply "+ref+" <text>", "Reply", "Asks, then sends the text as a reply"), riskMedium, true),
			risky(shortcut("archive "+ref, "Archive", "Takes the mail out of the inbox"), riskLow, false),
			shortcut("mark-unread "+ref, "Mark as unread", "Lists the mail as unread again"),
		},
	}
	for i, text := range m.replies {
		v.items = append(v.items, Item{ItemID: fmt.Sprintf("%s#reply%d", ref, i+1), Kind: "reply", Title: "Your reply", Content: text, Priority: "low"})
	}
	return v
}

func (o *virtualOS) viewFiles() view {
	folder := o.here.id
	if folder == "" {
		folder = "/"
	}
	if o.here.view == "detail" {
		f := o.world.file(folder)
		return view{
			title: path.Base(f.path), summary: fmt.Sprintf("A file of %d bytes in %s.", len(f.text), path.Dir(f.path)),
			crumbs: pathCrumbs(f.path),
			items:  []Item{{ItemID: "file:" + f.path, Kind: "text", Title: path.Base(f.path), Content: f.text, Priority: "normal"}},
		}
	}
	children := o.world.children(folder)
	v := view{title: "Files: " + folder, summary: fmt.Sprintf("%d entries in %s.", len(children), folder), crumbs: pathCrumbs(folder)}
	for _, f := range children {
		ref, kind, about := "file:"+f.path, "file", fmt.Sprintf("%d bytes", len(f.text))
		if f.folder {
			kind, about = "folder", fmt.Sprintf("%d entries", len(o.world.children(f.path)))
		}
		v.items = append(v.items, Item{ItemID: ref, Kind: kind, Title: path.Base(f.path), Content: about, Priority: "normal"})
		v.actions = append(v.actions, shortcut("open "+ref, "Open "+path.Base(f.path), "Opens the "+kind))
	}
	return v
}

func pathCrumbs(p string) []Crumb {
	var out []Crumb
	for _, part := range strings.Split(strings.Trim(p, "/"), "/") {
		if part != "" {
			out = append(out, Crumb{Label: part, AppInstanceID: instanceOf("files")})
		}
	}
	return out
}
