// Package agent runs the turns of one session: it builds a request, sends it, seals the pending record, runs the tool
// calls of the response in their order, and goes on until the model answers.
//
// Contract: a Session is driven by one goroutine at a time (Prompt, Retry); Stepper, CallByHand and State may be used
// from others. Every step is two commits: the raw response with the calls it intends before any of them runs; then
// seals, results and the next request before it is sent. When a commit fails, the turn ends and nothing more is
// acknowledged. A cancelled turn leaves a valid conversation: every call has its result, nothing is pending. The
// package owns its goroutines (one per sent attempt, for the proof) and waits for them.
package agent
