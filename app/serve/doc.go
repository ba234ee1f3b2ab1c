// Package serve is the HTTP shell: the same front end and the same calls as the window, for a browser on the same
// machine. It offers
//
//	GET  /…                   the files of the front end; no token, they hold nothing of the user's
//	POST /api/<Method>        a JSON array of arguments -> the method's result as JSON
//	GET  /api/events?after=N  server-sent events: one "data:" line with an api.Event each, in order, without holes;
//	                          "event: gap" before the end when events after N can't be given: pull a snapshot
//
// A call that fails answers {"error": "a sentence"}: 400 for arguments that don't fit, 404 for an unknown method or
// something that is not in the store, 422 for what the service refused, 500 for a mistake of the program.
//
// Whoever can call may read every session and start tools, so any web page and any other user of the machine must be
// kept out: the listener binds to loopback, the Host must be the bound address (a page can rebind its name, not ours),
// a foreign Origin or Sec-Fetch-Site is refused, and every /api route wants the token, which is only in the address
// that was printed, behind the '#'. No check stands in for another.
//
// Slow or stuck clients cost one goroutine each for a bounded time: reading a request and every write have a deadline,
// and the number of event streams is limited.
//
// Files: PUT /api/upload/UPLOAD?name=NAME takes one file as it comes, with the token; the method ImportUpload then imports
// all files of that upload. GET /download/TICKET/NAME gives an export to the browser itself, without a token: a ticket is
// good for one file and one time.
package serve
