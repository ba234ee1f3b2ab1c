// Package provider talks to one OpenAI-compatible chat completions endpoint.
// It is the only package that imports openai-go.
//
// # Contract
//
// Bytes: a request body leaves the process exactly as it was handed in. A tap
// at the HTTP transport sees the bytes of every attempt while they go out, so
// that the caller can prove them. The bytes of the answer are kept exactly as
// they came (Response.Raw).
//
// Order: the methods of one tap are never called at the same time; Done comes
// last, once, before Stream returns. Deltas arrive in stream order, from the
// goroutine that called Stream.
//
// Loss: whatever arrived before a failure is returned along with the error, for
// display. It is not a complete answer and its calls must not be run.
//
// Blocking: Stream blocks until the answer ended, failed, was stopped or the
// context was cancelled. Every wait has a limit, and a limit runs only while a
// call does. No goroutine outlives a call; idle connections live until Close.
//
// Secrets: the key, header values and address parameters never appear in an
// error text. Raw bytes can hold what a provider echoed; Redact removes it.
//
// # Division of labour
//
// openai-go carries the request: addressing, authorisation, retries and the
// waits between them. Reading the stream and joining its pieces is done here,
// because real servers leave the path that its decoder and accumulator know:
// empty data lines, byte order marks, very long lines, calls without index,
// repeated names, errors inside a successful answer, and streams that are cut.
package provider
