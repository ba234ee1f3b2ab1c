// Package bridge is what both shells share: a dispatcher that turns a method name and JSON arguments into a call on
// api.Service, the hub that numbers and hands out events, and the headers that go with every file of the front end.
//
// Call runs in the caller's goroutine and blocks as long as the method does. It never panics: a panic inside the
// service becomes a *PanicError.
//
// Hub keeps events in the order of Publish, with numbers from 1 and no holes. Publish never blocks. A subscriber gets
// every event after the number it names, or, when that can't be kept (the number lies too far back or was given by
// another run of the program, or the subscriber reads too slowly), a closed channel: it then pulls a snapshot and
// subscribes again from the snapshot's number.
package bridge
