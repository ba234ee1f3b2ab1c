// Package e2e holds the end-to-end tests: the whole path against the simulator and the scripted provider, and the run
// against the real mteam backend, which says `skipped: requires mteam backend` where there is none.
package e2e
