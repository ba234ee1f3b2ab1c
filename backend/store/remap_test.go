package store

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"zimoscope/backend/requestview/wire"
)

const (
	// grownTo and grownFar are the sizes of the file that the test crosses, in bytes: past the first map of 16 MB and the
	// doubling behind it, and, with ZIMOSCOPE_SLOW=1, past a gigabyte.
	grownTo  = 72 << 20
	grownFar = 1100 << 20
	// piece is what one commit adds, in bytes that don't compress.
	piece = 2 << 20
)

// The file is mapped anew as it grows, while readers go on: nobody waits for another for good, and every byte read is
// the one that was stored.
func TestTheFileIsMappedAnewWhileItIsRead(t *testing.T) {
	limit := int64(grownTo)
	if os.Getenv("ZIMOSCOPE_SLOW") == "1" {
		limit = grownFar
	}
	st, err := New(t.TempDir())
	must(t, err)
	sess, err := st.Create(Info{Name: "grows"})
	must(t, err)
	defer func() { must(t, sess.Close()) }()
	first := noise(1)
	must(t, sess.Commit(Batch{Request: first}))
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() { readUntil(t, sess, first.Body.Raw, stop) })
	}
	path := sessionPath(st.dir, sess.ID)
	for n := 2; ; n++ {
		size, err := sizeOf(path)
		must(t, err)
		if size > limit {
			break
		}
		must(t, sess.Commit(Batch{Request: noise(n)}))
	}
	close(stop)
	readers.Wait()
	for _, n := range []int{1, sess.Requests() / 2, sess.Requests()} {
		body, err := sess.Body(n)
		must(t, err)
		if !bytes.Equal(body, noise(n).Body.Raw) {
			t.Errorf("request %d is another one", n)
		}
	}
}

// readUntil reads all that a reader may, over and over. A question inside another's answer would be a transaction inside
// a transaction, which is what freezes: the store's own calls never do that.
func readUntil(t *testing.T, sess *Session, first []byte, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		body, err := sess.Body(1)
		if err != nil || !bytes.Equal(body, first) {
			t.Errorf("the first request can't be read while the file grows: %v", err)
			return
		}
		if _, err := sess.Events(); err != nil {
			t.Error(err)
			return
		}
	}
}

// noise is request n, of bytes that don't compress and that nobody has to keep to know them.
func noise(n int) *Request {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	raw := append(make([]byte, 0, piece+100), `{"model":"m","messages":[{"role":"user","content":"`+strconv.Itoa(n)...)
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for len(raw) < piece {
		raw = append(raw, letters[r.IntN(len(letters))])
	}
	body, err := wire.Scan(append(raw, `"}]}`...))
	if err != nil {
		panic(err)
	}
	return &Request{N: n, Body: body}
}
