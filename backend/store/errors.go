package store

import "errors"

// Errors of opening a session. In each case the file stays as it is.
var (
	ErrNotFound = errors.New("no such session in the store")
	ErrHeld     = errors.New("another program has this session open")
	ErrNewer    = errors.New("this session was written by a newer version of ZimoScope: update the program to open it")
	ErrDamaged  = errors.New("this session's file is damaged; it was left as it is: copy it somewhere safe before anything else")
	ErrReadOnly = errors.New("the data folder can't be written")
)

// Errors of writing. Nothing of the batch was stored.
var (
	ErrFull    = errors.New("the disk is full: free some space, then try again")
	ErrReading = errors.New("this session was opened for reading only: open it to change it")
)
