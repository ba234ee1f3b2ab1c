package verdict

import (
	"maps"
	"slices"
)

// Peek says what Add would say, and leaves the checker as it was: for a request that is built and may never be sent.
// Unlike Add it copies what is known of each old message.
func (c *Checker) Peek(r *Request) Result {
	copied := *c
	copied.marks = slices.Clone(c.marks)
	copied.facts = maps.Clone(c.facts)
	return copied.Add(r)
}
