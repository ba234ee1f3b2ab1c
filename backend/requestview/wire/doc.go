// Package wire is the byte level of a provider request: it scans a body into its raw JSON parts,
// chains their hashes (zimoscope-chain/1), and assembles a body from messages that were serialised once.
//
// Contract: nothing here parses a value into Go types and writes it again. Bytes that were handed in are the
// bytes that go out; a Body never changes after it was made; a Log only grows. Nothing blocks, nothing is
// logged, and the package imports nothing else of this program that knows what the bytes mean.
package wire
