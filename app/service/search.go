package service

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"zimoscope/app/api"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
	"zimoscope/backend/zimoos"
)

const (
	// searchSlice is how long one answer of a search may take: a person who opens the session that is searched waits no
	// longer than that, and a search that nobody asks on is over by itself.
	searchSlice = 200 * time.Millisecond
	// searchHits is how many hits one answer holds.
	searchHits = 50
	// longestText bounds how much of one message is searched, in bytes.
	longestText = 1 << 20
	// snippetAround is how much of the text stands on each side of a match, in bytes.
	snippetAround = 60
)

// Search implements api.Service: one slice. Nothing is kept between slices; the open session is read beside the agent,
// others from their files, one at a time and for reading only.
func (s *Service) Search(q api.SearchQuery) (api.SearchPage, error) {
	list, err := s.sessions()
	if err != nil {
		return api.SearchPage{}, err
	}
	slices.SortFunc(list, func(a, b api.SessionInfo) int { return cmp.Compare(b.ID, a.ID) }) // ids begin with the time
	w := &searcher{s: s, q: parseQuery(q.Text), ends: time.Now().Add(searchSlice),
		page: api.SearchPage{Hits: []api.SearchHit{}, Skipped: []api.SearchSkip{}, Sessions: len(list), Next: q.From}}
	if w.q.empty() {
		w.page.Done = true
		return w.page, nil
	}
	for _, info := range list {
		if from := w.page.Next.Session; from != "" && info.ID > from {
			w.page.Searched++
			continue
		}
		if w.page.Next.Session != info.ID {
			w.page.Next = api.SearchPlace{Session: info.ID}
		}
		whole, err := w.session(info)
		if err != nil {
			w.page.Skipped = append(w.page.Skipped, api.SearchSkip{Session: info.ID, Name: info.Name, Why: err.Error()})
		} else if !whole {
			return w.page, nil
		}
		w.page.Searched++
		// The next session begins at its start, also when this one is deleted before the next slice.
		w.page.Next = api.SearchPlace{Session: info.ID, Request: pastAll}
	}
	w.page.Done = true
	return w.page, nil
}

// pastAll stands behind every request of a session.
const pastAll = 1 << 31

// searcher looks through sessions until its time is over or its page is full.
type searcher struct {
	s    *Service
	q    query
	ends time.Time
	page api.SearchPage
	// tail is the last text of the request before: a user's words that carried the frame come once more in the next
	// request, without it.
	tail said
}

func (w *searcher) full() bool {
	return len(w.page.Hits) >= searchHits || time.Now().After(w.ends)
}

// session goes on in one session. whole says that its end was reached.
func (w *searcher) session(info api.SessionInfo) (whole bool, err error) {
	if w.page.Next.Request >= pastAll {
		return true, nil
	}
	if b, err := w.s.current(info.ID); err == nil {
		return w.requests(info, b.sess)
	}
	if info.HeldBy != "" {
		return false, errors.New(info.HeldBy)
	}
	w.s.shelf.Lock()
	defer w.s.shelf.Unlock()
	sess, err := w.s.o.Store.Read(info.ID)
	if err != nil {
		return false, err
	}
	whole, err = w.requests(info, sess)
	return whole, errors.Join(err, sess.Close())
}

func (w *searcher) requests(info api.SessionInfo, sess *store.Session) (whole bool, err error) {
	if w.tail, err = tailOf(sess, w.page.Next.Request); err != nil {
		return false, err
	}
	for !w.full() {
		at := w.page.Next
		messages, next, err := sess.Fresh(store.Mark{Request: at.Request, Event: at.Event, Part: at.Part})
		if errors.Is(err, store.ErrNotFound) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		rec := &record.Record{N: next.Request}
		if facts, err := sess.Facts(next.Request); err == nil {
			if rec, err = record.Of(facts); err != nil {
				return false, err
			}
		}
		texts := spoken(messages)
		w.tail, texts = withoutRepeat(w.tail, texts)
		if hit, ok := w.fits(rowOf(rec), rec.Turn, texts); ok {
			hit.Session, hit.Name = info.ID, info.Name
			w.page.Hits = append(w.page.Hits, hit)
		}
		w.page.Next = api.SearchPlace{Session: info.ID, Request: next.Request, Event: next.Event, Part: next.Part}
	}
	return false, nil
}

// fits says whether a request fits all terms, and shows where the first text stands.
func (w *searcher) fits(row api.RequestRow, turn int, texts []said) (hit api.SearchHit, ok bool) {
	if !w.q.holds(row, turn) {
		return hit, false
	}
	hit = api.SearchHit{Request: row.N, Verdict: row.Verdict, Planned: row.Planned, Tools: row.Tools, Where: whereFacts}
	shown := false
	for _, word := range w.q.words {
		i := slices.IndexFunc(texts, func(t said) bool { return word.text.MatchString(t.text) })
		if (i >= 0 || word.inRow(row)) == word.not {
			return hit, false
		}
		if i >= 0 && !shown {
			shown = true
			hit.Where = texts[i].where
			hit.Snippet, hit.Match = snippet(texts[i].text, word.text.FindStringIndex(texts[i].text))
		}
	}
	if !shown && len(texts) > 0 {
		last := texts[len(texts)-1]
		hit.Where = last.where
		hit.Snippet, hit.Match = snippet(last.text, nil)
	}
	return hit, true
}

// Where a text was found; the front end has words for them.
const (
	whereFrame = "frame"
	whereOther = "other"
	whereFacts = "facts"
)

// said is one text and who said it.
type said struct{ text, where string }

// spoken gives the texts of messages, frames apart. The system message is the same in all requests and says nothing of one.
func spoken(messages [][]byte) (list []said) {
	for _, raw := range messages {
		d := decode(raw)
		if d.role == "system" || d.role == "developer" {
			continue
		}
		text, role := d.words(), d.role
		if role != "user" && role != "assistant" && role != "tool" {
			role = whereOther
		}
		text = text[:min(len(text), longestText)]
		frame := ""
		if at := strings.LastIndex(text, zimoos.OpenTag); at >= 0 {
			text, frame = text[:at], text[at:]
		}
		if strings.TrimSpace(text) != "" {
			list = append(list, said{text, role})
		}
		if frame != "" {
			list = append(list, said{frame, whereFrame})
		}
	}
	return list
}

// withoutRepeat leaves the words out that carried the frame of the request before, and gives those that carry this one's.
func withoutRepeat(tail said, texts []said) (next said, list []said) {
	for i, t := range texts {
		if i+1 < len(texts) && texts[i+1].where == whereFrame {
			next = said{strings.TrimSpace(t.text), t.where}
		}
	}
	return next, slices.DeleteFunc(texts, func(t said) bool {
		return tail.text != "" && t.where == tail.where && strings.TrimSpace(t.text) == tail.text
	})
}

// tailOf reads the words that carried the frame of a stored request, for going on behind it.
func tailOf(sess *store.Session, n int) (tail said, err error) {
	if n == 0 {
		return tail, nil
	}
	raw, err := sess.Body(n)
	if err != nil {
		return tail, err
	}
	body, err := wire.Scan(raw)
	if err != nil || body.Messages.Len() == 0 {
		return tail, nil // a foreign body, which carries no frame of ours
	}
	tail, _ = withoutRepeat(said{}, spoken([][]byte{body.Bytes(wire.KindMessage, body.Messages.Len()-1)}))
	return tail, nil
}

// snippet is the text around a match, on one line, with the place of the match in UTF-16 units.
func snippet(text string, match []int) (string, api.Span) {
	if match == nil {
		return oneLine(cutText(text, 2*snippetAround)), api.Span{}
	}
	from, to := max(0, match[0]-snippetAround), min(len(text), match[1]+snippetAround)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	before, found, after := oneLine(text[from:match[0]]), oneLine(text[match[0]:match[1]]), oneLine(text[match[1]:to])
	if from > 0 {
		before = "…" + before
	}
	if to < len(text) {
		after += "…"
	}
	return before + found + after, api.Span{From: units(before), To: units(before) + units(found)}
}

// oneLine writes breaks and tabs as spaces: each stands for one, so that places don't move.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, s)
}
