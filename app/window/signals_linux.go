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

static void all_on_stack(void) {
	for (int number = 1; number < NSIG; number++) on_stack(number);
}
*/
import "C"

// keepSignalStacks repairs signal handlers that WebKit installed after wails looked: its script engine sets some up
// when the first script runs, without SA_ONSTACK, and the Go runtime ends the program when one of those arrives.
func keepSignalStacks() { C.all_on_stack() }
