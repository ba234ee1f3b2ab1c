package service

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"zimoscope/app/api"
	"zimoscope/app/picture"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
)

// Errors of Prompt, before anything is built.
var (
	errNoText      = errors.New("there is nothing to ask: write a text")
	errPictureData = errors.New("its bytes did not arrive whole; nothing was sent, give it again")
)

// taken makes of a prompt's pictures what the wire wants; it refuses what can't be sent before a turn begins.
func taken(text string, list []api.Picture) ([]transcript.Image, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errNoText
	}
	if len(list) > picture.MaxCount {
		return nil, picture.ErrCount
	}
	given := make([]picture.Given, 0, len(list))
	for _, p := range list {
		raw, err := base64.StdEncoding.DecodeString(p.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, errPictureData)
		}
		given = append(given, picture.Given{Name: p.Name, Raw: raw})
	}
	return picture.Images(given)
}

// pictures describes the images of a message.
func pictures(raw []byte) []api.PictureView {
	list := []api.PictureView{}
	content := wire.Get(raw, "content")
	_ = wire.Elements(content, func(start, end int) error {
		part := content[start:end]
		if kind, _ := wire.String(wire.Get(part, "type")); strings.HasPrefix(kind, "image") {
			list = append(list, pictureOf(wire.Get(wire.Get(part, "image_url"), "url")))
		}
		return nil
	})
	return list
}

// pictureOf reads what a URL, raw JSON, says of its picture. It is not decoded: it may be long, and base64 has nothing
// that JSON escapes.
func pictureOf(url []byte) api.PictureView {
	head, data, ok := bytes.Cut(bytes.Trim(url, `"`), []byte(";base64,"))
	kind, isData := bytes.CutPrefix(head, []byte("data:"))
	if !ok || !isData {
		return api.PictureView{}
	}
	return api.PictureView{Type: string(kind), Bytes: base64.RawStdEncoding.DecodedLen(len(bytes.TrimRight(data, "=")))}
}
