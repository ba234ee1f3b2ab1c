package transcript

import (
	"strings"
	"testing"
)

func TestAPictureCountsAsAPictureAndPushesNothingOut(t *testing.T) {
	tr, cs := begin(t, 2)
	before := tr.Cost()
	_ = tr.AppendResult(cs[0].ID, "camera", "one picture", []Image{{URL: "data:image/png;base64," + strings.Repeat("A", 4<<20)}})
	if got := tr.Cost() - before; got < pictureTokens || got > pictureTokens+100 {
		t.Errorf("a picture of 4 MB counts as %d tokens", got)
	}
	before = tr.Cost()
	_ = tr.AppendResult(cs[1].ID, "notes", `the words "image_url" and `+strings.Repeat("a", 4000), nil)
	if got := tr.Cost() - before; got < 1000 || got > 1100 {
		t.Errorf("a text of 4,000 letters counts as %d tokens", got)
	}
}
