package cachemodel

import (
	"bytes"
	"sync"

	"github.com/tiktoken-go/tokenizer"
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

// pictureTokens is what a picture counts as: models cut or scale pictures to a size of this order, however many bytes
// carry them.
const pictureTokens = 1500

// shortestPicture is from how many base64 characters on something is taken for a picture, not for text.
const shortestPicture = 1024

// pictureMarks stand before the bytes of a picture: in a data URL, and in a block of Messages.
var pictureMarks = [][]byte{[]byte(";base64,"), []byte(`"data":"`)}

// nextPicture gives where the bytes of the first picture in text begin and end; -1 when there is none.
func nextPicture(text []byte) (start, end int) {
	start = -1
	for _, mark := range pictureMarks {
		for from := 0; ; {
			at := bytes.Index(text[from:], mark)
			if at < 0 {
				break
			}
			first := from + at + len(mark)
			from = first + base64Run(text[first:])
			if from-first >= shortestPicture {
				if start < 0 || first < start {
					start, end = first, from
				}
				break
			}
		}
	}
	return start, end
}

func base64Run(text []byte) int {
	n := bytes.IndexFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '+' || r == '/' || r == '=')
	})
	if n < 0 {
		return len(text)
	}
	return n
}

// Count counts text, and each picture in it as one.
func (o *o200k) Count(text []byte) (n int) {
	for {
		start, end := nextPicture(text)
		if start < 0 {
			return n + o.words(text)
		}
		n += o.words(text[:start]) + pictureTokens
		text = text[end:]
	}
}

func (o *o200k) words(text []byte) int {
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
