// Package app holds what every part of the program says of itself. The parts themselves lie in the folders below.
package app

// Version and Commit are set by the linker when a release is built.
var (
	Version = "0.1.0-dev"
	Commit  = ""
)

// VersionLine is what `zimoscope version` prints.
func VersionLine() string {
	if Commit == "" {
		return "zimoscope " + Version
	}
	return "zimoscope " + Version + " (" + Commit + ")"
}
