// Package kv holds what ZimoScope predicts of cache reuse against a true cache: llama.cpp's server, with a small model of
// random weights. The agent plays sessions against it, and on every request the predicted number of tokens has to be the
// number that the engine measured.
//
// Its tests are slow ones: they need npm, a compiler and, the first time, a network. scripts/kv/engine.sh makes the engine.
package kv
