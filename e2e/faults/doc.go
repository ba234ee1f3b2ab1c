// Package faults does to the program what machines do: it is killed at random instants, its disk fills up or can't be
// written, its clock jumps, its file is torn, and it meets a second of its kind. After each of these every record that
// was acknowledged is there, the chain is verified from the stored bytes, and the session goes on with a valid request.
//
// What is random comes from a seed that every test prints; ZIMOSCOPE_SEED plays it again. With ZIMOSCOPE_SLOW=1 there
// are a thousand crashes instead of a few.
package faults
