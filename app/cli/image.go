package cli

import (
	"fmt"

	"zimoscope/app/picture"
	"zimoscope/backend/transcript"
)

// readImages reads pictures into data URLs. An error says which file it is and why it was not taken.
func readImages(paths []string) ([]transcript.Image, error) {
	var list []picture.Given
	for _, path := range paths {
		g, err := picture.Read(path)
		if err != nil {
			return nil, fmt.Errorf("--image: %w", err)
		}
		list = append(list, g)
	}
	images, err := picture.Images(list)
	if err != nil {
		return nil, fmt.Errorf("--image: %w", err)
	}
	return images, nil
}
