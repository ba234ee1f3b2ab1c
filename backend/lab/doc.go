// Package lab asks what caches would make of a recorded session: of the requests as they were sent, and of the same
// requests rebuilt by other strategies, under every class of package cachemodel, in tokens and in money.
//
// Contract: Run reads each request once, in order, keeps every different part once, and gives either a whole Result or
// an error; it changes nothing and ends soon after its context does. A prediction says what could be reused: what was
// reported stands beside it and is never filled in. Rebuilding is a pure function of the requests.
package lab
