// Package proxy is a transparent recording reverse proxy: clients talk to it as they would to their provider, it passes
// everything on, and what went over the wire is handed to a sink afterwards.
//
// Contract for the traffic. The bytes of both bodies pass unchanged, whatever their content encoding; so do status,
// trailers and all headers that are not hop-by-hop. Header names arrive in canonical case, Host is the upstream's, and
// nothing is added, not even X-Forwarded-For. Each piece of a response is written and flushed as it is read. There is
// no timeout of our own once a request has arrived: who waits decides how long. An upstream that can't be reached, or
// whose TLS fails, is a 502 whose body says that the proxy is speaking; an upstream that breaks later breaks the
// client's connection in the same way. No other status is ever made up, but for the refusals of guard.go and 400 for a
// request body that is not readable HTTP. A request is sent once; only when a kept-alive connection turns out to be
// dead before anything was answered does the transport open another, as any client does, and the record says so.
//
// Contract for the record. It never delays or changes traffic: copies are made after a piece was written, into memory
// that is bounded for each body and in all; decoding, judging and handing over happen in one goroutine behind a bounded
// queue. What doesn't fit passes through, and the record says that it was cut; an exchange for which the queue has no
// room is dropped and counted. Exchanges reach the sink one at a time, in the order in which their responses ended.
// URL, headers, notes and errors in them hold no secrets; bodies do, and Exchange.Secrets names them.
//
// Everything is lost that was not handed over when the program ends in another way than by Serve's context.
package proxy
