// Package clients holds tests that put clients and agents of others through the recording proxy: official SDKs, curl,
// and whole agents from npm. They are slow and fetch what they run; nothing of it is kept in the project.
package clients
