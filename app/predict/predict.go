// Package predict says, beside each request, what a cache could reuse of it: of our own as they pass, under the class of
// their profile; of another agent's from their stored bytes, under every class. Both ask what the cache lab asks, so that
// its figures and theirs are the same.
//
// Contract: predictors answer in the order of the requests and are for one goroutine. Nothing here writes.
package predict

import (
	"context"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/lab"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
)

// Predictor answers for one session of our own.
type Predictor struct {
	class string
	exact bool
	lab   *lab.Follower
}

// For is nil for profiles whose cache can't be told from the newest bytes alone: nothing is predicted then.
func For(p provider.Profile) *Predictor {
	classes := map[string]cachemodel.Class{provider.CacheToken: cachemodel.Token(), provider.CacheBlock: cachemodel.Block(), provider.CacheMinimumStep: cachemodel.MinimumStep()}
	class, ok := classes[p.CacheClass]
	if !ok {
		return nil
	}
	return &Predictor{class.Name, p.Tokenizer == cachemodel.VocabularyO200k, lab.Follow(cachemodel.O200k(), []cachemodel.Class{class})}
}

// Next predicts for a request, and remembers it; nil where nothing can be said.
func (p *Predictor) Next(r *verdict.Request) *record.Prediction {
	got, err := p.lab.Next(context.Background(), r, lab.Request{})
	if err != nil || got.Reused == nil {
		return nil
	}
	return &record.Prediction{Class: p.class, Reused: got.Reused[0], Total: got.Total, Exact: p.exact}
}
