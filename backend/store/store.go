package store

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Store is a data folder.
type Store struct{ dir string }

// New makes the folder when it is missing, readable by its owner alone.
func New(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrReadOnly, err)
	}
	return &Store{dir: dir}, nil
}

// Dir is the data folder.
func (s *Store) Dir() string { return s.dir }

// Create starts a session file.
func (s *Store) Create(info Info) (*Session, error) {
	if info.CreatedAt == 0 {
		info.CreatedAt = time.Now().UnixMilli()
	}
	id := time.UnixMilli(info.CreatedAt).UTC().Format("20060102-150405-") + strings.ToLower(rand.Text()[:6])
	if err := create(s.dir, id, info); err != nil {
		return nil, err
	}
	sess, err := open(s.dir, id, forWriting)
	if err != nil {
		return nil, err
	}
	return sess, sess.WriteSummary()
}

// Open opens a session by id.
func (s *Store) Open(id string) (*Session, error) { return s.openAs(id, forWriting) }

// Read opens a session for reading: nothing of its file changes, and other readers may come too. Whoever wants to write
// waits until it is closed, so it is kept open for moments only.
func (s *Store) Read(id string) (*Session, error) { return s.openAs(id, forReading) }

func (s *Store) openAs(id string, m mode) (*Session, error) {
	if !isID(id) {
		return nil, fmt.Errorf("%q: %w", id, ErrNotFound)
	}
	return open(s.dir, id, m)
}

// isID says whether a text can be the name of a session file: nothing that leads elsewhere.
func isID(id string) bool { return id != "" && id == filepath.Base(id) && id != "." && id != ".." }

// Find resolves an id, a name (the newest of that name) or "latest".
func (s *Store) Find(name string) (string, error) {
	list, err := s.List()
	if err != nil {
		return "", err
	}
	for _, m := range list { // newest first
		if m.ID == name || m.Name == name || name == "latest" {
			return m.ID, nil
		}
	}
	return "", fmt.Errorf("%q: %w", name, ErrNotFound)
}

// Summary is one line of the session list.
type Summary struct {
	ID string `json:"id"`
	Info
	UpdatedAt  int64          `json:"updatedAt"` // ms
	Requests   int            `json:"requests"`
	Verdicts   map[string]int `json:"verdicts"`
	Violations int            `json:"violations"`
	Bytes      int64          `json:"bytes"`
	HeldBy     string         `json:"heldBy,omitempty"`
	Damaged    string         `json:"damaged,omitempty"`
}

// summary counts requests by verdict.
type summary struct {
	verdicts   map[string]int
	violations int
	of         map[int]judged
}

type judged struct {
	verdict   string
	violation bool
}

func (m *summary) put(f Facts) {
	if m.of == nil {
		m.verdicts, m.of = map[string]int{}, map[int]judged{}
	}
	if was, ok := m.of[f.N]; ok {
		m.verdicts[was.verdict]--
		if was.violation {
			m.violations--
		}
	}
	m.of[f.N] = judged{f.Verdict, f.Violation}
	m.verdicts[f.Verdict]++
	if f.Violation {
		m.violations++
	}
}

func (m *summary) load(tx *bolt.Tx, c *codec) error { return eachFacts(tx, c, m.put) }

func summaryPath(dir, id string) string { return filepath.Join(dir, id+".json") }

// Summary gives the session's line as it stands now.
func (s *Session) Summary() Summary {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := Summary{ID: s.ID, Info: s.info, UpdatedAt: time.Now().UnixMilli(), Requests: s.requests, Violations: s.sums.violations, Verdicts: map[string]int{}}
	maps.Copy(m.Verdicts, s.sums.verdicts)
	maps.DeleteFunc(m.Verdicts, func(k string, n int) bool { return n == 0 || k == "" })
	if st, err := os.Stat(sessionPath(s.dir, s.ID)); err == nil {
		m.Bytes = st.Size()
	}
	return m
}

// WriteSummary renews the summary beside the session file. Losing it costs nothing: it is made anew on the next open.
func (s *Session) WriteSummary() error {
	m := s.Summary()
	m.Config = nil
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	tmp := summaryPath(s.dir, s.ID) + ".new"
	if err := os.WriteFile(tmp, raw, 0o600); err != nil {
		return writeError(err)
	}
	return os.Rename(tmp, summaryPath(s.dir, s.ID))
}

// List gives all sessions, newest first. A session without a readable summary is opened for one, and so is one whose
// program ended without closing it; one that can't be opened is listed with the reason.
func (s *Store) List() ([]Summary, error) {
	files, err := filesEndingIn(s.dir, ".zimo")
	if err != nil {
		return nil, err
	}
	list := make([]Summary, 0, len(files))
	for _, f := range files {
		id := strings.TrimSuffix(f, ".zimo")
		m := s.summaryOf(id)
		if holder := liveHolder(s.dir, id); holder != "" {
			m.HeldBy = holder
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b Summary) int {
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return list, nil
}

// filesEndingIn gives the names in a folder that end so. The folder's own name is never taken for a pattern.
func filesEndingIn(dir, end string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), end) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func (s *Store) summaryOf(id string) Summary {
	var m Summary
	raw, err := os.ReadFile(summaryPath(s.dir, id))
	if err == nil && !crashed(s.dir, id) && json.Unmarshal(raw, &m) == nil && m.ID == id {
		return m
	}
	sess, err := s.Open(id)
	if err != nil {
		return Summary{ID: id, Verdicts: map[string]int{}, Damaged: err.Error()}
	}
	m = sess.Summary()
	_ = sess.Close() // the summary itself was read; a failure to store it again shows on the next open
	return m
}
