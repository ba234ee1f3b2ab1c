package cli

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"

	"zimoscope/backend/transcript"
)

// maxImage bounds a picture, in bytes: it is sent again with every later request.
const maxImage = 20 << 20

// imageTypes are what providers take.
func imageTypes() []string { return []string{"image/png", "image/jpeg", "image/gif", "image/webp"} }

// readImages reads pictures into data URLs. An error says which file it is and why it was not taken.
func readImages(paths []string) (list []transcript.Image, err error) {
	for _, path := range paths {
		raw, err := readImage(path)
		if err != nil {
			return nil, fmt.Errorf("--image: %w", err)
		}
		kind := http.DetectContentType(raw)
		if !slices.Contains(imageTypes(), kind) {
			return nil, fmt.Errorf("--image %s: it is no PNG, JPEG, GIF or WebP picture", path)
		}
		list = append(list, transcript.Image{URL: "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(raw)})
	}
	return list, nil
}

func readImage(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	raw, err := io.ReadAll(io.LimitReader(file, maxImage+1))
	if err == nil && len(raw) > maxImage {
		err = fmt.Errorf("%s is larger than %d MB; give a smaller picture", path, maxImage>>20)
	}
	return raw, err
}
