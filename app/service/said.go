package service

import (
	"zimoscope/app/api"
	words "zimoscope/backend/said"
)

// inWords carries what a sentence says over to a window, nil for a sentence without a code.
func inWords(w *words.Words) *api.Words {
	if w == nil {
		return nil
	}
	out := &api.Words{Code: w.Code, Texts: w.Texts, Numbers: w.Numbers, Inner: make(map[string]*api.Words, len(w.Inner))}
	for name, inner := range w.Inner {
		out.Inner[name] = inWords(inner)
	}
	return out
}
