package live

import (
	"slices"
	"testing"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/config"
)

func TestTheProfilesThatAFileMayNameAreThoseThatExist(t *testing.T) {
	if got, want := config.Profiles(), provider.ProfileNames(); !slices.Equal(got, want) {
		t.Errorf("a configuration may name %q, there are %q", got, want)
	}
}

func TestAConfigurationDecidesWhatBecomesOfImages(t *testing.T) {
	for _, c := range []struct{ profile, set, want string }{
		{"openai", "", provider.ImagesNote}, {"openai", "parts", provider.ImagesParts},
		{"vllm", "", provider.ImagesParts}, {"vllm", "note", provider.ImagesNote},
	} {
		p, err := profileOf(config.Model{Profile: c.profile, ToolImages: c.set})
		if err != nil || p.ToolImages != c.want {
			t.Errorf("%+v: %s %v", c, p.ToolImages, err)
		}
	}
	p, err := profileOf(config.Model{Profile: "vllm", ToolImages: "note", CacheMark: "cache_control"})
	if err != nil || p.CacheMark != "cache_control" || p.ToolImages != provider.ImagesNote {
		t.Errorf("%+v %v", p, err)
	}
}
