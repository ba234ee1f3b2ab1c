// Package config reads the configuration file: the connection to a model and the MCP servers, in the shape that other MCP
// clients use.
//
// Contract: Load reads one file and the environment and nothing else; it starts and contacts nothing. Servers and extra
// parameters keep the order of the file; numbers keep their digits. Everything that is wrong with a file is reported in
// one error, each with its line and column; what is merely not used is a warning. No error and no warning ever holds a
// value of the file, only names.
//
// A Config holds secrets. Secrets lists them, so that they can be removed from whatever is kept or shown; Public is the
// form without them, the only one that may be stored.
package config
