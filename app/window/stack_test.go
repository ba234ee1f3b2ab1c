package window

import (
	"errors"
	"runtime"
	"testing"
	"unsafe"
)

// room is what withRoom promises, in pages.
const room = 100 << 10 / page

func TestTheStackKeepsItsRoomWhileItIsCollected(t *testing.T) {
	want := errors.New("ended")
	err := withRoom(func() error {
		for range 8 { // a stack is halved once at each
			runtime.GC()
		}
		var here byte
		before := uintptr(unsafe.Pointer(&here))
		grow(room)
		if uintptr(unsafe.Pointer(&here)) != before {
			t.Error("the stack had to move to a larger one")
		}
		return want
	})
	if !errors.Is(err, want) {
		t.Error(err)
	}
}
