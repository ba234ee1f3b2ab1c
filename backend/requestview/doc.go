// Package requestview builds a provider request: Build(transcript view, slot, notices) -> View. It is a pure function
// of its arguments: no index, no search, no memory, no clock. The transcript's bytes are the same whatever the
// placement; the request-only tail is written anew each time and stored nowhere.
package requestview
