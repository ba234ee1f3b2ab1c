package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"zimoscope/backend/store"
)

// Whoever only looks takes no lock that keeps other readers out, and writes nothing: an archive may lie on a disk that
// can't be written.
func TestLookingAtASessionOnlyReads(t *testing.T) {
	h := newHome(t)
	h.must(0, "run", "--demo", "--session", "kept", "--prompt", "What is on the screen?")
	var list []struct{ ID string }
	if err := json.Unmarshal([]byte(h.must(0, "sessions", "--json").out), &list); err != nil || len(list) != 1 {
		t.Fatalf("%v: %v", err, list)
	}
	st, err := store.New(h.data)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := st.Read(list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	path := filepath.Join(h.data, list[0].ID+".zimo")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h.must(0, "check", "kept")
	h.must(0, "lab", "kept")
	h.must(0, "export", "kept", "--format", "jsonl", "--out", filepath.Join(h.dir, "kept.jsonl"))
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("%v: the file of the session was written", err)
	}
}
