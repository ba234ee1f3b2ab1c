package window

import (
	"encoding/base64"
	"path/filepath"

	"zimoscope/app/api"
	"zimoscope/app/picture"
)

// parted reads those files that are pictures, and gives the paths of all others. No more are read than one message may
// have, and one: the page then says that these are too many.
func parted(paths []string) (pictures []api.Picture, others []string) {
	for _, path := range paths {
		switch {
		case !picture.Is(path):
			others = append(others, path)
		case len(pictures) <= picture.MaxCount:
			if g, err := picture.Read(path); err == nil {
				pictures = append(pictures, api.Picture{Name: filepath.Base(path), Data: base64.StdEncoding.EncodeToString(g.Raw)})
			}
		}
	}
	return pictures, others
}
