package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
)

// format is the version of the file layout. A file with a higher one is not touched; one with a lower one gets this with
// its next commit. 2: values may wait beside a reply.
const format = 2

const (
	// lockWait is how long opening waits for a file that another program holds.
	lockWait = 700 * time.Millisecond
	// mapSize is the initial memory map: a session below it never stalls for a remap while it is read.
	mapSize = 16 << 20
	// growBy is by how much a file grows at a time, in bytes: bbolt's own 16 MB would make every short session as large.
	growBy = 512 << 10
	// fill is how full pages are packed: keys only grow, so pages are never split in their middle.
	fill = 0.95
)

var (
	bMeta      = []byte("meta")
	bEvents    = []byte("transcript") // event number -> event
	bParts     = []byte("parts")      // part number -> bytes
	bPartIndex = []byte("part-index") // first 16 bytes of SHA-256 -> part number
	bRequests  = []byte("requests")   // request number -> recipe
	bFacts     = []byte("facts")      // request number -> Facts as JSON
	bResponses = []byte("responses")  // request number -> compressed raw response
	kFormat    = []byte("format")
	kInfo      = []byte("info")
	kReply     = []byte("reply") // the last response, until its step is stored
)

var buckets = [][]byte{bMeta, bEvents, bParts, bPartIndex, bRequests, bFacts, bResponses}

// Session is one open session file. Commits and reads may come from any goroutine; what drives the agent commits
// requests, a person's commands only Info.
type Session struct {
	ID       string
	dir      string
	db       *file
	codec    *codec
	readOnly bool
	maxBody  int64 // bytes of a request that is read: maxValue

	writing sync.Mutex // held by a commit, and while the file is compacted; what is asked meanwhile does not wait for it

	mu sync.Mutex // guards what follows
	state
	sums summary
}

// state is what a failed commit takes back.
type state struct {
	info     Info
	events   int
	requests int
	parts    int
	prev     *wire.Body // the last stored request, for copy-ranges
	prevN    int
	late     bool // values wait beside a reply
	current  bool // the file says format
}

// Info is what a session says of itself. It holds no secret.
type Info struct {
	Name      string          `json:"name"`
	CreatedAt int64           `json:"createdAt"` // ms
	Model     string          `json:"model"`
	Host      string          `json:"host"`
	Endpoint  string          `json:"endpoint,omitempty"` // base URL of the provider, without parameters
	Profile   string          `json:"profile"`
	Simulated bool            `json:"simulated"`
	Foreign   string          `json:"foreign,omitempty"` // where another agent's traffic comes from: proxy, import; "" for our own
	Pinned    bool            `json:"pinned,omitempty"`
	Config    json.RawMessage `json:"config,omitempty"` // what it ran on, secrets left out
}

func sessionPath(dir, id string) string { return filepath.Join(dir, id+".zimo") }

// mode is how a session file is opened.
type mode int

const (
	forWriting mode = iota
	forReading
)

// options are bbolt's. A reader takes a shared lock: several may read a file that nobody writes.
func options(m mode) *bolt.Options {
	return &bolt.Options{Timeout: lockWait, NoFreelistSync: true, FreelistType: bolt.FreelistMapType, InitialMmapSize: mapSize, ReadOnly: m == forReading}
}

// open takes the file's lock.
func open(dir, id string, m mode) (s *Session, err error) {
	path := sessionPath(dir, id)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	defer guard(&err)
	// Whoever holds it may be writing: what is half written is not damaged, and opening waits for the lock.
	if err := sound(path); errors.Is(err, errUnsound) && liveHolder(dir, id) == "" {
		return nil, fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	db, err := bolt.Open(path, 0o600, options(m))
	if err != nil {
		return nil, openError(dir, id, err)
	}
	db.AllocSize = growBy
	c, err := newCodec()
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s = &Session{ID: id, dir: dir, db: &file{DB: db}, codec: c, readOnly: m == forReading, maxBody: maxValue}
	if err = s.load(); err != nil {
		c.close()
		_ = db.Close()
		return nil, err
	}
	if !s.readOnly {
		writeHolder(dir, id)
	}
	return s, nil
}

// guard turns bbolt's panics on damaged pages into an error.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w (%v)", ErrDamaged, r)
	}
}

func openError(dir, id string, err error) error {
	var system syscall.Errno
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return fmt.Errorf("%w: %s", ErrHeld, readHolder(dir, id))
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %v", ErrReadOnly, err)
	case errors.As(err, &system):
		return writeError(err)
	}
	return fmt.Errorf("%w (%v)", ErrDamaged, err) // whatever bbolt itself objects to is the file's content
}

// writeError names a disk that takes no more. What bbolt says of a file that can't grow holds its cause in words only.
func writeError(err error) error {
	if err == nil {
		return nil
	}
	for _, cause := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, cause) || strings.HasSuffix(err.Error(), cause.Error()) {
			return fmt.Errorf("%w (%v)", ErrFull, err)
		}
	}
	return err
}

func (s *Session) load() error {
	return s.db.View(func(tx *bolt.Tx) error {
		meta := tx.Bucket(bMeta)
		if meta == nil {
			return fmt.Errorf("%w (it is no session file)", ErrDamaged)
		}
		v := meta.Get(kFormat)
		if len(v) == 4 && binary.BigEndian.Uint32(v) > format {
			return ErrNewer
		}
		s.current = bytes.Equal(v, key(format))
		for _, b := range buckets {
			if tx.Bucket(b) == nil {
				return fmt.Errorf("%w (bucket %s is missing)", ErrDamaged, b)
			}
		}
		s.events, s.requests, s.parts = lastKey(tx, bEvents), lastKey(tx, bRequests), lastKey(tx, bParts)
		if v := meta.Get(kInfo); v != nil {
			if err := json.Unmarshal(v, &s.info); err != nil {
				return fmt.Errorf("%w (%v)", ErrDamaged, err)
			}
		}
		err := eachLate(tx, func(_, _, _ []byte) error { s.late = true; return nil })
		if err != nil {
			return err
		}
		return s.sums.load(tx, s.codec)
	})
}

func lastKey(tx *bolt.Tx, bucket []byte) int {
	k, _ := tx.Bucket(bucket).Cursor().Last()
	if len(k) != 4 {
		return 0
	}
	return int(binary.BigEndian.Uint32(k))
}

func key(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// Info gives what the session says of itself.
func (s *Session) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

// Requests counts the stored requests.
func (s *Session) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Events gives the transcript's events, in order, for transcript.Replay. It is all that a request builder may read.
func (s *Session) Events() (list [][]byte, err error) {
	defer guard(&err)
	err = s.db.View(func(tx *bolt.Tx) error {
		return tx.Bucket(bEvents).ForEach(func(_, v []byte) error {
			e, err := s.codec.unpack(v)
			list = append(list, e)
			return err
		})
	})
	return list, err
}

// Close writes the summary and gives the file back.
func (s *Session) Close() error {
	var err error
	if !s.readOnly {
		err = s.WriteSummary()
		removeHolder(s.dir, s.ID)
	}
	err = errors.Join(err, s.db.Close())
	s.codec.close()
	return err
}

// Batch is what one commit stores. All of it, or nothing.
type Batch struct {
	Events   []transcript.Event
	Info     *Info
	Request  *Request  // the next request's recipe
	Response *Response // the raw response of a request
	Reply    []byte    // the parsed reply of Response, until its step is stored; kept as given
	Done     bool      // the step of the last reply is in Events: forget Reply
	Facts    []Facts   // verdicts and figures of requests, new or replaced

	Requests  []*Request  // several at once, in order, after Request: what an import brings
	Responses []*Response // theirs
}

// Commit stores a batch in one transaction.
func (s *Session) Commit(b Batch) (err error) {
	defer guard(&err)
	if s.readOnly {
		return ErrReading
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	was, stored := s.state, false
	defer func() { // also when a page that can't be read, or what gives the batch, ends it by a panic
		if !stored {
			s.state = was
		}
	}()
	if err = s.db.Update(func(tx *bolt.Tx) error { return s.write(tx, b) }); err != nil {
		return writeError(err)
	}
	stored = true
	for _, f := range b.Facts {
		s.sums.put(f)
	}
	return nil
}

func (s *Session) write(tx *bolt.Tx, b Batch) error {
	if err := s.settle(tx); err != nil {
		return err
	}
	if !s.current {
		s.current = true
		if err := tx.Bucket(bMeta).Put(kFormat, key(format)); err != nil {
			return err
		}
	}
	late := b.Reply != nil
	events := tx.Bucket(bEvents)
	events.FillPercent = fill
	for _, e := range b.Events {
		s.events++
		if err := events.Put(key(s.events), s.codec.pack(e.Encode())); err != nil {
			return err
		}
	}
	meta := tx.Bucket(bMeta)
	if b.Info != nil {
		raw, err := json.Marshal(b.Info)
		if err != nil {
			return err
		}
		if err := meta.Put(kInfo, raw); err != nil {
			return err
		}
		s.info = *b.Info
	}
	for _, r := range append([]*Response{b.Response}, b.Responses...) {
		if r == nil {
			continue
		}
		if err := s.putResponse(tx, r, late); err != nil {
			return err
		}
	}
	if b.Reply != nil {
		if err := meta.Put(kReply, b.Reply); err != nil {
			return err
		}
	} else if b.Done {
		if err := meta.Delete(kReply); err != nil {
			return err
		}
	}
	for _, r := range append([]*Request{b.Request}, b.Requests...) {
		if r == nil {
			continue
		}
		if err := s.putRequest(tx, r); err != nil {
			return err
		}
	}
	return s.putFacts(tx, b.Facts, late)
}

// Reply gives the reply whose step was not stored: the program ended while its tools ran. nil when there is none.
func (s *Session) Reply() (reply []byte, err error) {
	defer guard(&err)
	err = s.db.View(func(tx *bolt.Tx) error {
		reply = append([]byte(nil), tx.Bucket(bMeta).Get(kReply)...)
		return nil
	})
	return reply, err
}
