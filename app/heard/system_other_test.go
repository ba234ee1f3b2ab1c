//go:build !linux

package heard

import (
	"runtime"
	"strings"
	"syscall"
)

// errnos are those of Windows; other systems say some things otherwise, and nothing is claimed of them here.
func errnos() map[string]syscall.Errno {
	if runtime.GOOS != "windows" {
		return nil
	}
	return map[string]syscall.Errno{"win-file": 2, "win-path": 3, "win-access": 5, "win-space": 112, "win-held": 32, "win-refused": 10061, "win-in-use": 10048}
}

func ownWords(code string) bool { return runtime.GOOS == "windows" && strings.HasPrefix(code, "win-") }

func words(unix, windows string) []string {
	if windows == "" {
		windows = unix
	}
	return []string{unix, windows}
}
