package service

import (
	"testing"
	"time"

	"zimoscope/app/api"
)

// Opening a session can take as long as its servers need to start, and closing one as long as its turn needs to end.
func TestQuestionsAreAnsweredWhileASessionIsOpenedOrClosed(t *testing.T) {
	d, id := played(t)
	d.s.opening.Lock()
	defer d.s.opening.Unlock()
	for name, ask := range map[string]func() error{
		"snapshot": func() error { _, err := d.s.Snapshot(); return err },
		"timeline": func() error { _, err := d.s.TimelineSince(id, 0); return err },
		"search":   func() error { _, err := d.s.Search(api.SearchQuery{Text: "notes"}); return err },
		"settings": func() error { _, err := d.s.Settings(id); return err },
		"trash":    func() error { _, err := d.s.Trash(); return err },
		"request":  func() error { _, err := d.s.Request(api.RequestRef{Session: id, N: 1}); return err },
	} {
		got := make(chan error, 1)
		go func() { got <- ask() }()
		select {
		case err := <-got:
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s waits", name)
		}
	}
}
