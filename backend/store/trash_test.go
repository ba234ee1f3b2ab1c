package store

import (
	"errors"
	"os"
	"testing"
	"time"

	"zimoscope/backend/requestview/wire"
)

func TestADeletedSessionComesBackWholeUntilItsTimeIsOver(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	must(t, p.tr.AppendUser("keep me", nil))
	must(t, p.request())
	id := p.sess.ID
	if err := st.Discard(id); !errors.Is(err, ErrHeld) {
		t.Fatalf("a session that is open was deleted: %v", err)
	}
	must(t, p.sess.Close())
	must(t, st.Discard(id))
	if list, _ := st.List(); len(list) != 0 {
		t.Fatalf("still listed: %+v", list)
	}
	trash, err := st.Trash()
	if err != nil || len(trash) != 1 || trash[0].Name != "test" || trash[0].Requests != 1 || time.Since(time.UnixMilli(trash[0].DeletedAt)) > time.Hour {
		t.Fatalf("%v %+v", err, trash)
	}
	must(t, st.EmptyTrash(time.Now().Add(KeptInTrash-time.Hour)))
	must(t, st.Restore(id))
	if err := st.Restore(id); !errors.Is(err, os.ErrExist) {
		t.Fatalf("a second time: %v", err)
	}
	sess, err := st.Open(id)
	must(t, err)
	p.sess = sess
	must(t, p.verify())
	must(t, sess.Close())

	must(t, st.Discard(id))
	must(t, st.EmptyTrash(time.Now().Add(KeptInTrash+time.Hour)))
	if trash, _ = st.Trash(); len(trash) != 0 {
		t.Fatalf("%+v", trash)
	}
	for _, id := range []string{id, "../x", "", ".."} {
		if err := st.Restore(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("restore %q: %v", id, err)
		}
		if err := st.Purge(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("purge %q: %v", id, err)
		}
	}
}

func TestReadersShareAFileAndChangeNothing(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	must(t, p.tr.AppendUser("x", nil))
	must(t, p.request())
	must(t, p.sess.Close())
	path := sessionPath(st.dir, p.sess.ID)
	before, err := os.ReadFile(path)
	must(t, err)
	a, err := st.Read(p.sess.ID)
	must(t, err)
	b, err := st.Read(p.sess.ID)
	must(t, err)
	if liveHolder(st.dir, p.sess.ID) != "" {
		t.Error("a reader counts as the holder")
	}
	if err := b.Commit(Batch{Info: &Info{}}); !errors.Is(err, ErrReading) {
		t.Error(err)
	}
	if _, _, err := b.Compact(); !errors.Is(err, ErrReading) {
		t.Error(err)
	}
	must(t, a.Close())
	must(t, b.Close())
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("reading changed the file")
	}
}

// What all requests are the first to hold, put together, is every message, and each once but for its seal.
func TestEachMessageIsFreshInTheFirstRequestThatHoldsIt(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := begin(t, st, 0)
	must(t, p.tr.AppendUser("first words", nil))
	must(t, p.request())
	for range checkpointEvery + 3 {
		must(t, p.sealPending())
		must(t, p.operate(2))
		p.sess.db.NoSync = true // only bytes are tested here
		must(t, p.request())
	}
	seen := map[string]int{}
	mark := Mark{}
	for n := 1; ; n++ {
		messages, next, err := p.sess.Fresh(mark)
		if errors.Is(err, ErrNotFound) {
			break
		}
		must(t, err)
		if next.Request != n || len(messages) == 0 {
			t.Fatalf("request %d: %+v, %d messages", n, next, len(messages))
		}
		for _, m := range messages {
			if seen[string(m)] > 0 {
				t.Fatalf("request %d gives what request %d gave: %s", n, seen[string(m)], m)
			}
			seen[string(m)] = n
		}
		mark = next
	}
	if mark.Request != p.sess.Requests() {
		t.Fatalf("it ended after request %d", mark.Request)
	}
	for n := range p.sess.Requests() {
		raw, err := p.sess.Body(n + 1)
		must(t, err)
		body, err := wire.Scan(raw)
		must(t, err)
		for i := range body.Messages.Len() {
			if at := seen[string(body.Bytes(wire.KindMessage, i))]; at == 0 || at > n+1 {
				t.Fatalf("message %d of request %d was never fresh before (%d)", i, n+1, at)
			}
		}
	}
	must(t, p.sess.Close())
}
