// Package soak runs a session for as long as a working day has: ten thousand steps and eight hours by its own clock,
// with the scripted model and the simulator as real processes beside it. What a session holds must not grow with the
// steps behind it but for the conversation itself, which is measured apart; handles, goroutines and processes stay what
// they were.
//
// Every run of the tests does a short form; ZIMOSCOPE_SLOW=1 does the whole and prints the figures.
package soak
