package cachemodel

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"

	"zimoscope/backend/requestview/wire"
)

// Counter counts tokens of text. Implementations are safe for use by several goroutines.
type Counter interface {
	Count(text []byte) int
}

// O200k counts with the vocabulary o200k_base: exact for OpenAI's newer models, an estimate for others. The
// vocabulary is loaded on first use.
func O200k() Counter { return &o200k{load: sync.OnceValues(loadO200k)} }

func loadO200k() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) }

type o200k struct {
	load func() (tokenizer.Codec, error)
}

// pieceBytes is how much text is counted at once; the cut costs at most a token and bounds the time of one call.
const pieceBytes = 64 << 10

// bytesPerToken is the fallback of an estimate, where the vocabulary can't be used.
const bytesPerToken = 4

func (o *o200k) Count(text []byte) int {
	enc, err := o.load()
	if err != nil {
		return (len(text) + bytesPerToken - 1) / bytesPerToken
	}
	n := 0
	for len(text) > 0 {
		k := min(len(text), pieceBytes)
		c, err := enc.Count(string(text[:k]))
		if err != nil {
			c = (k + bytesPerToken - 1) / bytesPerToken
		}
		n += c
		text = text[k:]
	}
	return n
}

// maxCounts bounds the cache of counts: about 6 MB.
const maxCounts = 100_000

// partCounts counts each part once, by its leaf.
type partCounts struct {
	counter Counter
	byLeaf  map[wire.Hash]int
}

func (p *partCounts) count(leaf wire.Hash, raw []byte) int {
	if n, ok := p.byLeaf[leaf]; ok {
		return n
	}
	n := p.counter.Count(raw)
	if len(p.byLeaf) >= maxCounts {
		p.byLeaf = nil
	}
	if p.byLeaf == nil {
		p.byLeaf = map[wire.Hash]int{}
	}
	p.byLeaf[leaf] = n
	return n
}
