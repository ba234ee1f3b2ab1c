package service

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

// readable gives a way to read a body of so many messages, each of some bytes, which counts how often it is used.
func readable(t testing.TB, n, messages, size int, reads *int) func([]*store.Scanned) (held, error) {
	return func([]*store.Scanned) (held, error) {
		*reads++
		list := strings.Repeat(`,"`+strings.Repeat("x", size)+`"`, messages)
		body, err := wire.Scan([]byte(`{"messages":[` + list[1:] + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		return held{&store.Scanned{N: n, Body: body}, body}, nil
	}
}

func TestABodyIsReadOnceForAllWhoWantIt(t *testing.T) {
	b := newBodies()
	var reads int
	started, goOn := make(chan struct{}), make(chan struct{})
	inner := readable(t, 7, 3, 10, &reads)
	slow := func(near []*store.Scanned) (held, error) {
		close(started) // a second read would panic here
		<-goOn
		return inner(near)
	}
	var all sync.WaitGroup
	get := func() {
		if body, err := b.get(7, slow); err != nil || body.Messages.Len() != 3 {
			t.Error(body, err)
		}
	}
	all.Go(get)
	<-started
	for range 8 {
		all.Go(get)
	}
	close(goOn)
	all.Wait()
	if reads != 1 {
		t.Errorf("read %d times", reads)
	}
}

func TestABodyThatCouldNotBeReadIsReadAgain(t *testing.T) {
	b := newBodies()
	refused := errors.New("refused")
	if _, err := b.get(1, func([]*store.Scanned) (held, error) { return held{}, refused }); !errors.Is(err, refused) {
		t.Fatal(err)
	}
	var reads int
	if _, err := b.get(1, readable(t, 1, 1, 1, &reads)); err != nil || reads != 1 {
		t.Fatal(reads, err)
	}
}

// However many requests are looked at, the bodies kept are bounded, and the one with the most messages is among those that
// the next is read beside.
func TestKeptBodiesAreBoundedAndTheWidestStays(t *testing.T) {
	b := newBodies()
	var reads int
	if _, err := b.get(1, readable(t, 1, 50, 1<<10, &reads)); err != nil {
		t.Fatal(err)
	}
	const big, many = 4 << 20, 40
	for n := 2; n < 2+many; n++ {
		if _, err := b.get(n, readable(t, n, 3, big/3, &reads)); err != nil {
			t.Fatal(err)
		}
		if len(b.order) > keptBodies && b.bytes > keptBytes {
			t.Fatalf("%d bodies of %d bytes are kept", len(b.order), b.bytes)
		}
	}
	sum := 0
	for _, x := range b.list {
		sum += x.stored.Size()
	}
	if sum != b.bytes || len(b.list) != len(b.order) {
		t.Fatalf("%d bytes are counted of %d, %d bodies of %d", b.bytes, sum, len(b.order), len(b.list))
	}
	near := b.near()
	if fmt.Sprint(near[len(near)-1].N, len(near)) != fmt.Sprint(1, nearBodies+1) {
		t.Errorf("the widest is not among the %d near", len(near))
	}
	if _, err := b.get(1, readable(t, 1, 50, 1<<10, &reads)); err != nil || reads != 1+many {
		t.Errorf("the widest was read again (%v)", err)
	}
}
