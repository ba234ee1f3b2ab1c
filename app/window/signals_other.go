//go:build bindings || (desktop && !linux)

package window

// keepSignalStacks has nothing to repair here.
func keepSignalStacks() {}
