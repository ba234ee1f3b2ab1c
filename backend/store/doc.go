// Package store keeps sessions: one bbolt file each, with a small summary beside it for the list. It is the only
// importer of bbolt.
//
// Contract: Commit is one transaction; when it returns nil, everything in the batch survives a crash, and when it
// returns an error, nothing of it is there. Transcript and captured requests lie in separate buckets; what builds a
// request reads the first alone. No transaction stays open across a call, and every byte slice handed out is a copy.
// A file that another program holds is reported within lockWait, with who holds it. A file of a newer version, or a
// damaged one, is left as it is.
package store
