package heard

import (
	"strings"
	"syscall"
)

func errnos() map[string]syscall.Errno {
	return map[string]syscall.Errno{
		"not-found": syscall.ENOENT, "permission": syscall.EACCES, "not-allowed": syscall.EPERM, "exists": syscall.EEXIST,
		"directory": syscall.EISDIR, "no-folder": syscall.ENOTDIR, "not-empty": syscall.ENOTEMPTY, "name-long": syscall.ENAMETOOLONG,
		"no-space": syscall.ENOSPC, "quota": syscall.EDQUOT, "file-large": syscall.EFBIG, "read-only": syscall.EROFS,
		"device": syscall.EIO, "files-open": syscall.EMFILE, "files-all": syscall.ENFILE, "no-memory": syscall.ENOMEM,
		"refused": syscall.ECONNREFUSED, "reset": syscall.ECONNRESET, "pipe": syscall.EPIPE, "timed-out": syscall.ETIMEDOUT,
		"in-use": syscall.EADDRINUSE, "no-address": syscall.EADDRNOTAVAIL, "no-route": syscall.EHOSTUNREACH, "no-network": syscall.ENETUNREACH,
	}
}

// ownWords says that a code has words on this system.
func ownWords(code string) bool { return !strings.HasPrefix(code, "win-") }

func words(unix, _ string) []string { return []string{unix} }
