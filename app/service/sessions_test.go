package service

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"zimoscope/app/api"
	"zimoscope/backend/store"
)

// played is a desk with one demo session that has ended.
func played(t *testing.T) (*desk, string) {
	t.Helper()
	d := newDesk(t)
	id := d.demo()
	if snap := d.until("the end of the demo", idle); snap.State.Error != "" {
		t.Fatal(snap.State.Error)
	}
	return d, id
}

// find searches to the end and gives all hits.
func (d *desk) find(text string) (hits []api.SearchHit, last api.SearchPage) {
	d.t.Helper()
	q := api.SearchQuery{Text: text}
	for {
		page, err := d.s.Search(q)
		if err != nil {
			d.t.Fatal(err)
		}
		hits = append(hits, page.Hits...)
		if page.Done {
			return hits, page
		}
		if page.Next == q.From {
			d.t.Fatalf("the search stands still at %+v", page.Next)
		}
		q.From = page.Next
	}
}

func TestASearchFindsWordsOfAllSessionsWithTheirPlace(t *testing.T) {
	d, first := played(t)
	second, err := d.s.create(api.NewSession{Demo: true, Name: "Second"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.s.Prompt("Find the walrus", nil); err != nil {
		t.Fatal(err)
	}
	d.until("the end", idle)
	hits, page := d.find("walrus")
	if len(hits) == 0 || hits[0].Session != second.ID || hits[0].Request != 1 || hits[0].Where != "user" || hits[0].Name != "Second" {
		t.Fatalf("%+v", hits)
	}
	if got := []rune(hits[0].Snippet)[hits[0].Match.From:hits[0].Match.To]; string(got) != "walrus" {
		t.Errorf("the match is %q of %q", string(got), hits[0].Snippet)
	}
	if page.Searched != 2 || page.Sessions != 2 || len(page.Skipped) != 0 {
		t.Errorf("%+v", page)
	}
	acts, _ := d.find("tool:zimoos.act")
	if len(acts) < 5 || !slices.ContainsFunc(acts, func(h api.SearchHit) bool { return h.Session == first }) {
		t.Errorf("%d requests with a call: %+v", len(acts), acts)
	}
	frames, _ := d.find(`"frameCursor" verdict:sealed`)
	if len(frames) == 0 {
		t.Error("nothing of what the frames say is found")
	}
	for _, h := range frames {
		if h.Verdict != "sealed" {
			t.Errorf("%+v", h)
		}
	}
	if none, _ := d.find(`walrus -walrus`); len(none) != 0 {
		t.Errorf("%+v", none)
	}
	if none, page := d.find("  "); len(none) != 0 || !page.Done {
		t.Errorf("an empty search: %+v", none)
	}
}

func TestEachWordIsFoundWithTheRequestThatSaidItFirst(t *testing.T) {
	d, id := played(t)
	tl, err := d.s.Timeline(id)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(tl.Turns[1].Prompt)
	hits, _ := d.find(`"` + strings.Join(words[:min(4, len(words))], " ") + `"`)
	if len(hits) != 1 || hits[0].Request != tl.Turns[1].Request {
		t.Fatalf("turn 2 begins at request %d: %+v", tl.Turns[1].Request, hits)
	}
}

func TestASearchGoesOnWhereItStoodWhenItsSessionIsDeleted(t *testing.T) {
	d, first := played(t)
	if _, err := d.s.create(api.NewSession{Demo: true}); err != nil {
		t.Fatal(err)
	}
	page, err := d.s.Search(api.SearchQuery{Text: "n>0", From: api.SearchPlace{Session: first + "x", Request: 3}})
	if err != nil || len(page.Hits) == 0 || page.Hits[0].Session != first || page.Hits[0].Request != 1 {
		t.Fatalf("%v %+v", err, page)
	}
}

func TestADeletedSessionIsUndone(t *testing.T) {
	d, id := played(t)
	before, err := d.s.Timeline(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.s.Delete(id); err != nil {
		t.Fatal(err)
	}
	if snap, _ := d.s.Snapshot(); len(snap.Sessions) != 0 || snap.Current != "" {
		t.Fatalf("%+v", snap)
	}
	trash, err := d.s.Trash()
	if err != nil || len(trash) != 1 || trash[0].Name != "Demo session" || trash[0].GoneAt-trash[0].DeletedAt != store.KeptInTrash.Milliseconds() {
		t.Fatalf("%v %+v", err, trash)
	}
	if err := d.s.Restore(id); err != nil {
		t.Fatal(err)
	}
	if _, err := d.s.Open(id); err != nil {
		t.Fatal(err)
	}
	after, err := d.s.Timeline(id)
	if err != nil || len(after.Rows) != len(before.Rows) {
		t.Fatalf("%v, %d rows of %d", err, len(after.Rows), len(before.Rows))
	}
	if err := d.s.Delete(id); err != nil {
		t.Fatal(err)
	}
	if err := d.s.Purge(id); err != nil {
		t.Fatal(err)
	}
	if err := d.s.Restore(id); !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
}

func TestPinsAndNamesAreKeptAlsoWhileATurnRuns(t *testing.T) {
	d := newDesk(t)
	info, err := d.s.create(api.NewSession{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.s.SetBreakpoints(api.Breakpoints{BeforeRequest: true}); err != nil {
		t.Fatal(err)
	}
	if err := d.s.Prompt("x", nil); err != nil {
		t.Fatal(err)
	}
	d.until("the pause", func(s api.Snapshot) bool { return s.State.Staged })
	if err := errors.Join(d.s.Pin(info.ID, true), d.s.Rename(info.ID, "Kept")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.s.Compact(info.ID); !errors.Is(err, errCompact) {
		t.Fatalf("compacted while a turn runs: %v", err)
	}
	if err := d.s.Abandon(); err != nil {
		t.Fatal(err)
	}
	d.until("the end", idle)
	if err := d.s.Close(); err != nil {
		t.Fatal(err)
	}
	again := New(d.s.o)
	defer func() {
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}()
	if snap, err := again.Snapshot(); err != nil || len(snap.Sessions) != 1 || !snap.Sessions[0].Pinned || snap.Sessions[0].Name != "Kept" {
		t.Fatalf("%v %+v", err, snap.Sessions)
	}
}

func TestACompactedSessionGoesOn(t *testing.T) {
	d, id := played(t)
	c, err := d.s.Compact(id)
	if err != nil || c.Before == 0 || c.After > c.Before {
		t.Fatalf("%v %+v", err, c)
	}
	tl, err := d.s.Timeline(id)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range tl.Rows {
		if body, err := d.s.Body(api.RequestRef{Session: id, N: r.N}, 0); err != nil || body.Total != r.Bytes {
			t.Fatalf("request %d: %v", r.N, err)
		}
	}
	if err := d.s.Prompt("And now?", nil); err != nil {
		t.Fatal(err)
	}
	d.until("the end", idle)
	if after, _ := d.s.Timeline(id); len(after.Rows) <= len(tl.Rows) {
		t.Error("the session did not go on")
	}
}

func TestTheTimelineOfAnotherSessionIsReadFromItsFile(t *testing.T) {
	d, id := played(t)
	before, err := d.s.Timeline(id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.s.create(api.NewSession{Demo: true}); err != nil {
		t.Fatal(err)
	}
	other, err := d.s.Timeline(id)
	if err != nil || len(other.Rows) != len(before.Rows) || len(other.Turns) != 2 {
		t.Fatalf("%v, %d rows of %d", err, len(other.Rows), len(before.Rows))
	}
	if _, err := d.s.Timeline("nothing"); !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
}
