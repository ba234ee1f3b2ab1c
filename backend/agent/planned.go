package agent

import (
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/transcript"
)

// planned finds what was announced after the last request was built, when a program ended before the request that
// would have carried it: a window that moved, another prefix.
type planned struct {
	windows []verdict.Announcement
	head    *transcript.View // the prefix as it stood before it changed, nil when it didn't
}

// watch looks at the events behind those that the last request was built on. nil when there is no such request, or one
// of a version that didn't say.
func (p *planned) watch(last *Record) func(int, transcript.View, transcript.Event) {
	if last == nil || last.Events == 0 {
		return nil
	}
	return func(n int, before transcript.View, e transcript.Event) {
		switch {
		case n <= last.Events:
		case e.Type == transcript.EventWindow:
			p.windows = append(p.windows, windowAnnouncements(e.Cuts)...)
		case e.Type == transcript.EventHeader && p.head == nil:
			p.head = &before
		}
	}
}

func (p *planned) announcements(t *transcript.Transcript) []verdict.Announcement {
	if p.head == nil {
		return p.windows
	}
	return append(p.windows, headChanges(*p.head, t.View())...)
}
