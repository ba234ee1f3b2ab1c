//go:build unix

package store

import (
	"errors"
	"syscall"
)

// alive asks by signal 0, which only checks.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
