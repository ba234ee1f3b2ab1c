package cachemodel

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Usage is what a provider reported, in one normal form: PromptTotal = Cached + Written + Uncached.
type Usage struct {
	PromptTotal int    `json:"prompt_total"`
	Cached      int    `json:"cached"`
	Written     int    `json:"written"`
	Uncached    int    `json:"uncached"`
	Reported    bool   `json:"reported"` // the cache figures were reported; otherwise they are unknown, not zero
	HasTotal    bool   `json:"has_total"`
	Shape       string `json:"shape"` // which form the figures came in
}

// Shapes of a usage report.
const (
	ShapeOpenAI    = "openai"
	ShapeDeepSeek  = "deepseek"
	ShapeAnthropic = "anthropic"
	ShapeLiteLLM   = "litellm"
	ShapeResponses = "responses"
	ShapeLlama     = "llama.cpp"
	ShapeOTel      = "otel"
)

// Share is the part of the prompt that came from the cache; ok is false when it was not reported.
func (u Usage) Share() (share float64, ok bool) {
	if !u.Reported || u.PromptTotal <= 0 {
		return 0, false
	}
	return float64(u.Cached) / float64(u.PromptTotal), true
}

// Average is the share over all requests that reported one, weighted by tokens. ok is false when none did.
func Average(list []Usage) (share float64, reported int, ok bool) {
	cached, total := 0, 0
	for _, u := range list {
		if u.Reported && u.PromptTotal > 0 {
			cached, total, reported = cached+u.Cached, total+u.PromptTotal, reported+1
		}
	}
	if total == 0 {
		return 0, reported, false
	}
	return float64(cached) / float64(total), reported, true
}

// ParseUsage reads a usage report: the usage object, a response or chunk that holds one, llama.cpp's timings, or
// OpenTelemetry attributes. Figures that are absent, null or impossible are not reported.
func ParseUsage(raw []byte) Usage {
	o := object(raw)
	u := figures{}
	if inner, ok := o["usage"]; ok {
		u = object(inner)
	} else if _, ok := o["timings"]; !ok {
		u = o
	}
	out := parseShape(u)
	if t, ok := o["timings"]; ok && !out.Reported {
		if l := parseShape(object(t)); l.Reported {
			out = l
		}
	}
	return out
}

type figures map[string]json.RawMessage

func object(raw []byte) figures {
	var f figures
	if json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return f
}

// number reads a whole number that is not negative; null and anything else are absent. OTel exporters write numbers
// as strings too.
func (f figures) number(path ...string) (int, bool) {
	for _, p := range path[:len(path)-1] {
		f = object(f[p])
	}
	s := strings.Trim(string(f[path[len(path)-1]]), `"`)
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n < 0 || n != float64(int(n)) {
		return 0, false
	}
	return int(n), true
}

func (f figures) has(name string) bool {
	_, ok := f.number(name)
	return ok
}

func parseShape(f figures) Usage {
	switch {
	case f.has("prompt_cache_hit_tokens"):
		return deepseek(f)
	case f.has("cache_n") || f.has("prompt_n"):
		return llama(f)
	case f.has("gen_ai.usage.input_tokens"):
		return included(f, ShapeOTel, []string{"gen_ai.usage.input_tokens"},
			[]string{"gen_ai.usage.cache_read.input_tokens"}, []string{"gen_ai.usage.cache_creation.input_tokens"})
	case f.has("prompt_tokens") && (f.has("cache_read_input_tokens") || f.has("cache_creation_input_tokens")):
		return included(f, ShapeLiteLLM, []string{"prompt_tokens"}, []string{"cache_read_input_tokens"}, []string{"cache_creation_input_tokens"})
	case f.has("prompt_tokens"):
		return openai(f)
	case f.has("input_tokens") && f["input_tokens_details"] != nil:
		return included(f, ShapeResponses, []string{"input_tokens"},
			[]string{"input_tokens_details", "cached_tokens"}, []string{"input_tokens_details", "cache_write_tokens"})
	case f.has("input_tokens"):
		return anthropic(f)
	}
	return Usage{}
}

// normal fills what follows from the rest. A report that contradicts itself counts as none.
func normal(shape string, total, cached, written int, reported bool) Usage {
	u := Usage{PromptTotal: total, HasTotal: true, Shape: shape}
	if !reported || cached+written > total {
		return u
	}
	u.Cached, u.Written, u.Uncached, u.Reported = cached, written, total-cached-written, true
	return u
}

// included: cache reads and writes are inside the total.
func included(f figures, shape string, total, read, write []string) Usage {
	t, _ := f.number(total...)
	c, ok := f.number(read...)
	w, wrote := f.number(write...)
	return normal(shape, t, c, w, ok || wrote && shape == ShapeLiteLLM)
}

func openai(f figures) Usage {
	t, _ := f.number("prompt_tokens")
	c, ok := f.number("prompt_tokens_details", "cached_tokens")
	if !ok {
		c, ok = f.number("cached_tokens") // some put it beside the total
	}
	w, _ := f.number("prompt_tokens_details", "cache_write_tokens")
	return normal(ShapeOpenAI, t, c, w, ok)
}

// deepseek: hit and miss make up the prompt.
func deepseek(f figures) Usage {
	hit, _ := f.number("prompt_cache_hit_tokens")
	miss, hasMiss := f.number("prompt_cache_miss_tokens")
	total, hasTotal := f.number("prompt_tokens")
	if !hasTotal {
		total = hit + miss
	}
	return normal(ShapeDeepSeek, total, hit, 0, hasTotal || hasMiss)
}

// anthropic: input_tokens leaves cache reads and writes out.
func anthropic(f figures) Usage {
	in, _ := f.number("input_tokens")
	read, hasRead := f.number("cache_read_input_tokens")
	written, hasWritten := f.number("cache_creation_input_tokens")
	return normal(ShapeAnthropic, in+read+written, read, written, hasRead || hasWritten)
}

func llama(f figures) Usage {
	cached, hasCached := f.number("cache_n")
	fresh, hasFresh := f.number("prompt_n")
	u := normal(ShapeLlama, cached+fresh, cached, 0, hasCached && hasFresh)
	u.HasTotal = hasCached && hasFresh
	return u
}
