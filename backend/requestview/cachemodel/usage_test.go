package cachemodel

import "testing"

func TestUsageComesInOneNormalForm(t *testing.T) {
	for name, c := range map[string]struct {
		raw                            string
		total, cached, written, uncach int
		reported                       bool
	}{
		"openai":              {`{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":64}}`, 100, 64, 0, 36, true},
		"openai writes":       {`{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":64,"cache_write_tokens":30}}`, 100, 64, 30, 6, true},
		"openai zero":         {`{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":0}}`, 100, 0, 0, 100, true},
		"details null":        {`{"prompt_tokens":100,"prompt_tokens_details":null}`, 100, 0, 0, 0, false},
		"details absent":      {`{"prompt_tokens":100}`, 100, 0, 0, 0, false},
		"cached null":         {`{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":null}}`, 100, 0, 0, 0, false},
		"beside the total":    {`{"prompt_tokens":100,"cached_tokens":10}`, 100, 10, 0, 90, true},
		"deepseek":            {`{"prompt_tokens":100,"prompt_cache_hit_tokens":80,"prompt_cache_miss_tokens":20}`, 100, 80, 0, 20, true},
		"deepseek and openai": {`{"prompt_tokens":100,"prompt_cache_hit_tokens":80,"prompt_cache_miss_tokens":20,"prompt_tokens_details":{"cached_tokens":80}}`, 100, 80, 0, 20, true},
		"anthropic":           {`{"input_tokens":10,"cache_read_input_tokens":80,"cache_creation_input_tokens":5}`, 95, 80, 5, 10, true},
		"anthropic silent":    {`{"input_tokens":10}`, 10, 0, 0, 0, false},
		"litellm":             {`{"prompt_tokens":95,"cache_read_input_tokens":80,"cache_creation_input_tokens":5}`, 95, 80, 5, 10, true},
		"responses":           {`{"input_tokens":100,"input_tokens_details":{"cached_tokens":60}}`, 100, 60, 0, 40, true},
		"responses null":      {`{"input_tokens":100,"input_tokens_details":{"cached_tokens":null}}`, 100, 0, 0, 0, false},
		"llama":               {`{"timings":{"cache_n":90,"prompt_n":10}}`, 100, 90, 0, 10, true},
		"llama beside usage":  {`{"usage":{"prompt_tokens":100},"timings":{"cache_n":90,"prompt_n":10}}`, 100, 90, 0, 10, true},
		"otel":                {`{"gen_ai.usage.input_tokens":100,"gen_ai.usage.cache_read.input_tokens":"70"}`, 100, 70, 0, 30, true},
		"otel silent":         {`{"gen_ai.usage.input_tokens":100}`, 100, 0, 0, 0, false},
		"in a response":       {`{"id":"x","usage":{"prompt_tokens":7,"prompt_tokens_details":{"cached_tokens":0}}}`, 7, 0, 0, 7, true},
		"contradiction":       {`{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":64}}`, 10, 0, 0, 0, false},
		"usage null":          {`{"usage":null}`, 0, 0, 0, 0, false},
		"nonsense":            {`[1]`, 0, 0, 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			u := ParseUsage([]byte(c.raw))
			if u.PromptTotal != c.total || u.Cached != c.cached || u.Written != c.written || u.Uncached != c.uncach || u.Reported != c.reported {
				t.Fatalf("%+v", u)
			}
		})
	}
}

func TestWhatWasNotReportedStaysOutOfAverages(t *testing.T) {
	share, n, ok := Average([]Usage{
		ParseUsage([]byte(`{"prompt_tokens":100}`)),
		ParseUsage([]byte(`{"prompt_tokens":100,"prompt_cache_hit_tokens":80,"prompt_cache_miss_tokens":20}`)),
	})
	if !ok || n != 1 || share != 0.8 {
		t.Fatal(share, n, ok)
	}
	if _, _, ok := Average([]Usage{ParseUsage([]byte(`{"prompt_tokens":100}`))}); ok {
		t.Fatal("an average of nothing")
	}
	if _, ok := (Usage{PromptTotal: 10, HasTotal: true}).Share(); ok {
		t.Fatal("a share that nobody reported")
	}
}
