// Package capture reads and writes captured requests, and checks a list of them.
//
// Contract: a capture folder holds req-NNN.body.json, the exact bytes of one attempt, each with a req-NNN.meta.json
// where the sender knew what it sent. Requests are compared in the order of their numbers, thread by thread.
// Input that can't be read is an error with its file and byte; a sidecar that doesn't belong to its body is a
// violation in the report. Nothing is changed, and nothing blocks but reading and writing files.
package capture
