//go:build desktop && linux && !bindings

package window

/*
#include <signal.h>
#include <stddef.h>

// on_stack lets a handler that another library installed run on the stack that Go prepared for it.
static void on_stack(int number) {
	struct sigaction action;
	if (sigaction(number, NULL, &action) != 0) return;
	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return;
	if (action.sa_flags & SA_ONSTACK) return;
	action.sa_flags |= SA_ONSTACK;
	sigaction(number, &action, NULL);
}

static void all_on_stack(int but) {
	for (int number = 1; number < NSIG; number++) if (number != but) on_stack(number);
}
*/
import "C"

import (
	"os"
	"strconv"
	"syscall"
)

// keepSignalStacks repairs signal handlers that WebKit installed after wails looked: its script engine sets some up
// when the first script runs, without SA_ONSTACK, and the Go runtime ends the program when one of those arrives.
//
// One has to stay as it is. By stopSignal the engine stops this process's main thread to collect what the page's calls
// left, and its handler must find itself on that thread's own stack: on another one it lets the thread go and is called
// again, for ever. It never calls Go's, so Go never misses its stack; see withRoom.
func keepSignalStacks() { C.all_on_stack(C.int(stopSignal())) }

// stopSignal is the signal that WebKit takes, with the variable by which it is told another one.
func stopSignal() int {
	if n, err := strconv.Atoi(os.Getenv("JSC_SIGNAL_FOR_GC")); err == nil && n > 0 {
		return n
	}
	return int(syscall.SIGUSR1)
}
