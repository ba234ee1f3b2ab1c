// Package scripted is an OpenAI-compatible provider that plays a script. It
// stands in for a model in demos and tests, and it keeps a true prefix cache,
// so that what it reports as cached was really found in earlier prompts.
//
// # Which step is played
//
// The conversation decides, not a counter. Each tool call that the provider
// makes carries the number of its step in its id (call_s<step>_…). The step of
// a request is
//
//	the step in the newest such id + the assistant messages from there on
//
// and, when no message carries such an id, the number of assistant messages.
// So the same body always gets the same step (a retry), conversations can be
// interleaved, a session can be resumed after a restart of the provider, and a
// window that drops old messages does not disturb the count as long as one
// call is left. Only a conversation without any tool call is lost when its old
// messages are dropped.
//
// Steps whose calls are all optional and not offered by the request are left
// out of the script for that request.
//
// # Summary requests
//
// A request whose last message ends in an instruction that asks for one line
// starting with "Summary:" (behind the block, if there is one) is answered
// from the summary of the step that the same body without the instruction
// would play. It uses up no step.
//
// # The cache
//
// A prompt is rendered by a template of this package, cut into tokens by a
// tokenizer of this package, and compared with the token sequences of all
// earlier prompts and answers. Nothing here is shared with the code that
// predicts cache use elsewhere in the project, nor with any other part of it.
//
// Order: requests are served side by side; the cache sees them in the order in
// which their bodies were read.
// Loss: the cache drops the sequences used longest ago when it is full; the
// record of faults drops the oldest conversations.
// Blocking: a request waits for the delays that its step asks for, times
// Options.Speed, and ends early when the client goes away.
package scripted
