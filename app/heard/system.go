package heard

import "zimoscope/backend/said"

// system are the words of operating systems and of the standard library, for what a person can do something about. They
// belong to codes and types, not to this program: a test makes each of them from its errno or value, so that a system
// that says it otherwise is found there. Windows has words of its own.
var system = said.Catalogue{Family: "system", Texts: map[string]string{
	"not-found":   "no such file or directory",
	"permission":  "permission denied",
	"not-allowed": "operation not permitted",
	"exists":      "file exists",
	"directory":   "is a directory",
	"no-folder":   "not a directory",
	"not-empty":   "directory not empty",
	"name-long":   "file name too long",
	"no-space":    "no space left on device",
	"quota":       "disk quota exceeded",
	"file-large":  "file too large",
	"read-only":   "read-only file system",
	"device":      "input/output error",
	"files-open":  "too many open files",
	"files-all":   "too many open files in system",
	"no-memory":   "cannot allocate memory",
	"refused":     "connection refused",
	"reset":       "connection reset by peer",
	"pipe":        "broken pipe",
	"timed-out":   "connection timed out",
	"in-use":      "address already in use",
	"no-address":  "cannot assign requested address",
	"no-route":    "no route to host",
	"no-network":  "network is unreachable",

	"missing":      "file does not exist",
	"late":         "i/o timeout",
	"deadline":     "context deadline exceeded",
	"cancelled":    "context canceled",
	"ended":        "unexpected EOF",
	"no-host":      "lookup {host:w}: no such host",
	"no-host-said": "lookup {host:w} on {server:w}: no such host",
	"dial":         "dial {net:w} {address:w}: connect: {why}",
	"listen":       "listen {net:w} {address:w}: bind: {why}",

	"win-file":    "The system cannot find the file specified.",
	"win-path":    "The system cannot find the path specified.",
	"win-access":  "Access is denied.",
	"win-space":   "There is not enough space on the disk.",
	"win-held":    "The process cannot access the file because it is being used by another process.",
	"win-refused": "No connection could be made because the target machine actively refused it.",
	"win-in-use":  "Only one usage of each socket address (protocol/network address/port) is normally permitted.",
}}
