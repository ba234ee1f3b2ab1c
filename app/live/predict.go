package live

import (
	"zimoscope/app/predict"
	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview/verdict"
)

// predictor is where the agent shows each request that it sends.
type predictor struct{ p *predict.Predictor }

func newPredictor(p provider.Profile) agent.Predictor {
	if one := predict.For(p); one != nil {
		return predictor{one}
	}
	return nil
}

// Predict implements agent.Predictor.
func (p predictor) Predict(r *verdict.Request) *agent.Prediction { return p.p.Next(r) }
