package live

import (
	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
)

// predictor answers for one session, in the order of its requests.
type predictor struct {
	class cachemodel.Class
	sess  *cachemodel.Session
}

// newPredictor is nil for profiles whose cache can't be told from bytes alone: nothing is predicted then.
func newPredictor(p provider.Profile) agent.Predictor {
	classes := map[string]cachemodel.Class{provider.CacheToken: cachemodel.Token(), provider.CacheBlock: cachemodel.Block(), provider.CacheMinimumStep: cachemodel.MinimumStep()}
	class, ok := classes[p.CacheClass]
	if !ok {
		return nil
	}
	return &predictor{class, cachemodel.NewSession(cachemodel.O200k(), p.Tokenizer == "o200k_base")}
}

// Predict implements agent.Predictor.
func (p *predictor) Predict(r *verdict.Request) *agent.Prediction {
	got := p.sess.Next(r.Body, p.class)[0]
	return &agent.Prediction{Class: got.Class, Reused: got.Reused, Total: got.Total, Exact: !got.Estimated}
}
