// Package window holds the smoke test of the real window: the built program in WebKitGTK under an X server of its own.
// It is built with -tags window and run by make test, and skips by name where the program or a tool is missing.
package window
