// Package run is the end-to-end run against the real mteam backend: a real model operates the real ZimoOS, and every
// assertion of package check is held against what was sent. The command line runs it, a window can, and so does the test.
//
// Contract: Run blocks until the run ended, was skipped, or its context is done; runTimeout bounds it. It tells of each
// step whenever its state or its evidence changed, from the goroutine that called Run and from those of the session, one
// call at a time and in order. What can't be found out makes the run fail, never pass. The simulator and the scripted
// model never count: a run on either fails, whatever else holds.
package run
