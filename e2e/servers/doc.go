// Package servers tests the tool client against MCP servers that no one here wrote, and against a small ZimoOS on the
// official TypeScript SDK under bun, which is how the real backend is built.
//
// Its tests are slow ones: they need npm and, the first time, a network. What they fetch lies under
// $XDG_CACHE_HOME/zimoscope (else ~/.cache/zimoscope), never in the source tree.
package servers
