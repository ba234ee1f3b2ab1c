package sim

import (
	"slices"
	"strings"
)

const (
	noticeUnread    = "unread"
	noticeDismissed = "dismissed"
)

type note struct {
	id     string
	title  string
	pinned bool
	lines  []string
}

type mail struct {
	id       string
	from     string
	subject  string
	body     string
	read     bool
	archived bool
	replies  []string
}

type file struct {
	path   string // starts with "/"; a folder's path has no "/" at its end
	folder bool
	text   string
}

type setting struct {
	id    string
	title string
	about string
	on    bool
}

// arrival is a notification that comes after a number of actions, with the
// mail that it tells of, if any.
type arrival struct {
	after  int
	notice Notification
	mail   *mail
}

// world is everything that the OS holds: the data behind the screens.
type world struct {
	notes    []*note
	mails    []*mail
	files    []*file
	settings []*setting
	notices  []Notification
	coming   []arrival
}

func (w *world) note(id string) *note {
	return find(w.notes, func(n *note) bool { return n.id == id })
}

func (w *world) mail(id string) *mail {
	return find(w.mails, func(m *mail) bool { return m.id == id && !m.archived })
}

func (w *world) file(path string) *file {
	return find(w.files, func(f *file) bool { return f.path == path })
}

func (w *world) setting(id string) *setting {
	return find(w.settings, func(s *setting) bool { return s.id == id })
}

func find[T any](list []*T, ok func(*T) bool) *T {
	if i := slices.IndexFunc(list, ok); i >= 0 {
		return list[i]
	}
	return nil
}

func (w *world) removeNote(id string) {
	w.notes = slices.DeleteFunc(w.notes, func(n *note) bool { return n.id == id })
}

// sortedNotes gives the pinned notes first, else in their own order.
func (w *world) sortedNotes() []*note {
	out := slices.Clone(w.notes)
	slices.SortStableFunc(out, func(a, b *note) int {
		switch {
		case a.pinned == b.pinned:
			return 0
		case a.pinned:
			return -1
		}
		return 1
	})
	return out
}

func (w *world) inbox() []*mail {
	return slices.DeleteFunc(slices.Clone(w.mails), func(m *mail) bool { return m.archived })
}

// children lists what lies directly in a folder.
func (w *world) children(folder string) []*file {
	prefix := strings.TrimSuffix(folder, "/") + "/"
	var out []*file
	for _, f := range w.files {
		rest, ok := strings.CutPrefix(f.path, prefix)
		if ok && rest != "" && !strings.Contains(rest, "/") {
			out = append(out, f)
		}
	}
	return out
}

// deliver puts up the notifications that are due after that many actions.
func (w *world) deliver(actions int) {
	for len(w.coming) > 0 && w.coming[0].after <= actions {
		next := w.coming[0]
		w.coming = w.coming[1:]
		w.notices = append(w.notices, next.notice)
		if next.mail != nil {
			w.mails = append([]*mail{next.mail}, w.mails...)
		}
	}
}

func (w *world) openNotices() []Notification {
	out := []Notification{}
	for _, n := range w.notices {
		if n.Status == noticeUnread {
			out = append(out, n)
		}
	}
	return out
}
