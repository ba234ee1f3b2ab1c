// Package verdict compares two provider requests, names what changed and where, and checks the redlines that a
// request can be held to from its bytes.
//
// Contract: everything is computed from the bytes that were sent; a value is decoded to be looked at, never to be
// written again. Compare and Diff are pure functions of two requests. A Checker is fed the requests of one thread
// in the order they were sent and is not safe for use by several goroutines; what it says about a request is what
// a fresh Checker says that saw only that request's predecessor and the request. Work per message that both
// requests of our own share is none: equal links prove it. Nothing blocks and nothing is logged.
package verdict
