// Package transcript is what a session remembers: a header that is fixed, and messages that are only appended.
//
// Contract: every message is serialised once, when it is appended, and those bytes are what every later request
// holds. An operation record grows at its end, once, when it is sealed. Every change goes through one door, as an
// Event; replaying the events gives the same bytes. Nothing request-only is ever stored here: text that imitates
// a block, a frame or its marker is made inert on entry. A Transcript is owned by one goroutine; a View of it may
// be read by others. Nothing blocks, and no clock is read.
package transcript
