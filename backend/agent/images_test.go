package agent

import (
	"strings"
	"testing"

	"zimoscope/backend/agent/provider"
)

func TestAnImageOfAnOrdinaryToolStaysAPartWhereTheEndpointTakesIt(t *testing.T) {
	const part = `"content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}},{"type":"text","text":"a picture"}]`
	for name, want := range map[string]string{
		"openai": `a picture\n(image left out, 26 bytes as text)`, "deepseek": `(image left out`, "mistral-template": `(image left out`,
		"lmstudio": part, "ollama": part, "vllm": part, "llamacpp": part, "generic": part,
	} {
		t.Run(name, func(t *testing.T) {
			p, err := provider.ProfileFor(name, "", "")
			if err != nil {
				t.Fatal(err)
			}
			r := newRig(t, Options{Profile: p})
			r.tools.results = []string{`{"content":[{"type":"text","text":"a picture"},{"type":"image","data":"iVBO","mimeType":"image/png"}]}`}
			r.model.replies = []reply{{text: "I look.", calls: []provider.Call{call("os__notes", `{}`)}}, {text: "Seen."}, {text: "Still there."}}
			r.must("show me")
			r.must("and now?")
			if !strings.Contains(lastBody(r), want) {
				t.Errorf("%s is not in %s", want, lastBody(r))
			}
			r.audit()
		})
	}
}
