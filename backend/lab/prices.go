package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"zimoscope/backend/requestview/cachemodel"
)

// ErrPrices means that a file of prices can't be used; the text says why.
var ErrPrices = errors.New("these prices can't be used")

// Price is what a million prompt tokens cost.
type Price struct {
	Uncached float64 `json:"uncached"`
	Read     float64 `json:"read"`
	Written  float64 `json:"written"` // where a class tells no writes apart, nothing is billed at it
}

// Prices are the prices of classes. A class without one costs nothing.
type Prices struct {
	Currency string           `json:"currency"`
	Classes  map[string]Price `json:"prices"`
}

// BuiltInPrices are published prices of one model for each provider, in US dollars for a million tokens, standard
// processing, read on 30 November 2026. Engines that run here cost nothing.
func BuiltInPrices() *Prices {
	return &Prices{Currency: "USD", Classes: map[string]Price{
		// gpt-5.4: developers.openai.com/api/docs/pricing; writes are not billed apart before 5.6.
		"minimum+step": {2.50, 0.25, 2.50},
		// gpt-5.6 Sol: the same page; writes at 1.25 times the input.
		cachemodel.NameOpenAIMarks: {5.00, 0.50, 6.25},
		// Claude Opus 5: platform.claude.com/docs/en/about-claude/pricing.
		cachemodel.NameAnthropic:     {5.00, 0.50, 6.25},
		cachemodel.NameAnthropicHour: {5.00, 0.50, 10.00},
		// deepseek-flash, outside peak hours: api-docs.deepseek.com/quick_start/pricing.
		cachemodel.NameDeepSeek: {0.15, 0.003, 0.15},
		// kimi-k3: platform.kimi.ai/docs/pricing/chat-k3.
		cachemodel.NameKimi: {3.00, 0.30, 3.00},
		// Gemini 2.5 Pro up to 200,000 tokens, reads at a tenth: ai.google.dev/gemini-api/docs/pricing.
		cachemodel.NameGemini2k: {1.25, 0.125, 1.25},
		cachemodel.NameGemini4k: {1.25, 0.125, 1.25},
	}}
}

// LoadPrices reads a JSON file of the form {"currency":"USD","prices":{"CLASS":{"uncached":5,"read":0.5,"written":6.25}}}.
// Classes that it does not name keep their built-in price when the currency is the same. The error wraps ErrPrices.
func LoadPrices(path string) (*Prices, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPrices, err)
	}
	p := &Prices{}
	if err := json.Unmarshal(raw, p); err != nil {
		return nil, fmt.Errorf("%w: %s is not JSON of the expected form: %w", ErrPrices, path, err)
	}
	built := BuiltInPrices()
	if p.Currency == "" {
		p.Currency = built.Currency
	}
	merged := map[string]Price{}
	if p.Currency == built.Currency {
		merged = built.Classes
	}
	for class, price := range p.Classes {
		if price.Uncached < 0 || price.Read < 0 || price.Written < 0 {
			return nil, fmt.Errorf("%w: %s has a price below zero", ErrPrices, class)
		}
		merged[class] = price
	}
	p.Classes = merged
	return p, nil
}

// tokensPerPrice is the amount that a price is for.
const tokensPerPrice = 1e6

// cost is what a prompt costs: each token is read, written or neither.
func (p Price) cost(prompt, reused, written int) float64 {
	return (float64(prompt-reused-written)*p.Uncached + float64(reused)*p.Read + float64(written)*p.Written) / tokensPerPrice
}
