package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/record"
)

// The official SDKs of OpenAI and Anthropic, streamed and not: their own view of the answer with and without the proxy
// between is the same, and what is stored is what arrived.
func TestOfficialSDKsThroughTheProxy(t *testing.T) {
	mods := modules(t, "sdks", "openai@6.49.0", "@anthropic-ai/sdk@1.14.0")
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run the SDKs with")
	}
	script, err := os.ReadFile(filepath.Join("testdata", "sdks.mjs"))
	must(t, err)
	path := filepath.Join(filepath.Dir(mods), "sdks.mjs")
	must(t, os.WriteFile(path, script, 0o600))
	home, work := place(t)
	r := record1(t, work)
	direct := r.run(home, work, []string{"BASE=" + r.up.URL}, "node", path)
	passed := r.run(home, work, []string{"BASE=" + r.url}, "node", path)
	if direct != passed || strings.Count(passed, "\n") != 6 {
		t.Errorf("with the proxy between, the SDKs see\n%s\nand without it\n%s", passed, direct)
	}
	r.up.mu.Lock()
	r.up.seen = r.up.seen[len(r.up.seen)/2:] // only the second half went through the proxy
	r.up.mu.Unlock()
	recs := r.stop()
	dialects := map[string]int{}
	for _, rec := range recs {
		dialects[rec.Foreign.Dialect]++
		if rec.Meta.Kind != record.KindOther && rec.Foreign.HTTP != 200 {
			t.Errorf("request %d: %d", rec.N, rec.Foreign.HTTP)
		}
	}
	if dialects["chat"] != 2 || dialects["responses"] != 2 || dialects["messages"] != 2 {
		t.Errorf("recorded %v", dialects)
	}
}
