//go:build unix

package main

import (
	"syscall"
	"time"
)

// nap asks the system itself, whose timer is finer than the runtime's.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil)
}
