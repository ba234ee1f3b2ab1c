package store

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
)

// fat is a session whose file has many unused pages.
func fat(t *testing.T, st *Store) *play {
	t.Helper()
	p := begin(t, st, 0)
	must(t, p.tr.AppendUser("prompt", nil))
	for range 40 {
		must(t, p.sealPending())
		must(t, p.operate(30))
		must(t, p.sess.Commit(Batch{Reply: []byte(strings.Repeat("x", 200<<10))}))
		must(t, p.request())
	}
	return p
}

func TestCompactingKeepsEveryByteAndTheSessionGoesOn(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := fat(t, st)
	before, after, err := p.sess.Compact()
	must(t, err)
	if after >= before || after == 0 {
		t.Fatalf("from %d to %d bytes", before, after)
	}
	if size, _ := sizeOf(sessionPath(st.dir, p.sess.ID)); size != after {
		t.Fatalf("the file has %d bytes, told were %d", size, after)
	}
	must(t, p.verify())
	if _, err := st.Open(p.sess.ID); !errors.Is(err, ErrHeld) {
		t.Fatalf("another program could open it: %v", err)
	}
	must(t, p.sealPending())
	must(t, p.operate(3))
	must(t, p.request())
	must(t, p.reopen(st))
	must(t, p.verify())
	if _, err := os.Stat(compactPath(st.dir, p.sess.ID)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy was left behind: %v", err)
	}
	must(t, p.sess.Close())
}

func TestReadersGoOnWhileAFileIsCompacted(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := fat(t, st)
	stop, ready := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := p.sess.Body(n%40 + 1); err != nil {
				t.Errorf("request %d: %v", n%40+1, err)
			}
			if n == 0 {
				close(ready)
			}
		}
	})
	<-ready
	for range 3 {
		_, _, err := p.sess.Compact()
		must(t, err)
	}
	close(stop)
	wg.Wait()
	must(t, p.verify())
	must(t, p.sess.Close())
}

// What the window asks of a session must not wait until a large file is copied.
func TestCompactingKeepsNobodyFromAsking(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := fat(t, st)
	p.sess.mu.Lock() // what Info and Summary take: compacting must do without it
	_, _, err = p.sess.Compact()
	p.sess.mu.Unlock()
	must(t, err)
	must(t, p.sess.Close())
}

func TestACopyThatCannotBeMadeLeavesTheSessionAsItWas(t *testing.T) {
	st, err := New(t.TempDir())
	must(t, err)
	p := fat(t, st)
	blocked := compactPath(st.dir, p.sess.ID)
	must(t, os.MkdirAll(blocked+"/x", 0o700))
	if _, _, err := p.sess.Compact(); err == nil {
		t.Fatal("it went through")
	}
	must(t, p.verify())
	must(t, p.sealPending())
	must(t, p.operate(3))
	must(t, p.request())
	must(t, p.sess.Close())
}
