package window

const (
	// ballast is how much of the stack stays in use below the window's loop, in bytes. The runtime makes a stack smaller,
	// by halves, while less than a quarter of it is used: with this one it keeps four times as much.
	ballast = 80 << 10
	// page and pages are what is used once to make the stack as large as that.
	page  = 4 << 10
	pages = 48
)

// withRoom runs f on a stack of its goroutine that has at least 100 KB left, whatever is collected meanwhile.
//
// WebKit's script engine stops the main thread by a signal while it collects. Its handler has to run on the stack that is
// in use, see keepSignalStacks: that is this one, when the window calls Go at that moment, and nobody looks whether a
// handler fits on it.
func withRoom(f func() error) error {
	var held [ballast]byte
	use(&held)
	grow(pages)
	err := f()
	use(&held)
	return err
}

//go:noinline
func use(held *[ballast]byte) { held[0]++ }

//go:noinline
func grow(n int) byte {
	var p [page]byte
	if n > 0 {
		p[n] = grow(n - 1)
	}
	return p[n]
}
