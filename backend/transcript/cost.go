package transcript

import (
	"bytes"

	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/zimoos"
)

// pictureTokens is what a picture counts as in a history, in tokens: models cut or scale pictures to a size of this
// order, however many bytes carry them. Counted as text, one screenshot would push out all that stands before it.
const pictureTokens = 1500

// costOf is a message in tokens, by the integer estimate that windows use.
func costOf(msg []byte) int {
	if !bytes.Contains(msg, []byte(`"image_url"`)) {
		return zimoos.EstimateTokens(string(msg))
	}
	tokens := zimoos.EstimateTokens(string(msg))
	content := wire.Get(msg, "content")
	_ = wire.Elements(content, func(start, end int) error { // a content that is no list has no pictures
		if url := wire.Get(wire.Get(content[start:end], "image_url"), "url"); len(url) > 0 {
			tokens += pictureTokens - zimoos.EstimateTokens(string(url))
		}
		return nil
	})
	return tokens
}
