//go:build !windows && !linux

package toolbox

import "syscall"

// endWithUs does nothing: these systems offer no such signal.
func endWithUs(*syscall.SysProcAttr) {}
