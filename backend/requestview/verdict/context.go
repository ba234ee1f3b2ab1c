package verdict

// ContextOf gives the text around the first difference of two requests whose verdict is known: what Compare gives beside
// that verdict, without looking at what both have in common. A leak stands elsewhere than the first difference: only
// Compare gives that.
func ContextOf(known Kind, prev, next *Request) *Context {
	c := &comparison{a: &view{body: prev.Body}, b: &view{body: next.Body}}
	where, prevAt := firstDifference(prev.Body, next.Body)
	if where.Part != nil && known != RestChanged {
		return c.contextAt(where, prevAt)
	}
	if prev.Body.Rest == next.Body.Rest {
		return nil
	}
	_, context := restCause(prev.Body, next.Body)
	return context
}
