// Package predict says, beside each request as it passes, what a cache of its provider's kind could reuse. The cache lab
// is for looking back at a whole session under every kind.
package predict

import (
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/wire"
)

// Predictor answers for one conversation, in the order of its requests.
type Predictor struct {
	class cachemodel.Class
	sess  *cachemodel.Session
}

// For is nil for profiles whose cache can't be told from the newest bytes alone: nothing is predicted then.
func For(p provider.Profile) *Predictor {
	classes := map[string]cachemodel.Class{provider.CacheToken: cachemodel.Token(), provider.CacheBlock: cachemodel.Block(), provider.CacheMinimumStep: cachemodel.MinimumStep()}
	class, ok := classes[p.CacheClass]
	if !ok {
		return nil
	}
	return &Predictor{class, cachemodel.NewSession(cachemodel.O200k(), p.Tokenizer == cachemodel.VocabularyO200k)}
}

// Next predicts for a request, and remembers it.
func (p *Predictor) Next(b *wire.Body) *record.Prediction {
	got := p.sess.Next(b, p.class)[0]
	return &record.Prediction{Class: got.Class, Reused: got.Reused, Total: got.Total, Exact: !got.Estimated}
}
