package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
)

// agents are whole agents from npm at the versions that the tests were written for.
func agents() []string {
	return []string{"@qwen-code/qwen-code@0.15.10", "opencode-ai@1.18.33", "@openai/codex@0.171.0", "@anthropic-ai/claude-code@2.1.197"}
}

// told holds what was recorded of an agent's two turns: in the shape that it speaks, every conversation with words in
// it told apart, and the main one as long as the turns.
func told(t *testing.T, recs []*record.Record, d exchange.Dialect) {
	t.Helper()
	threads, longest := map[string]int{}, ""
	for _, r := range recs {
		t.Logf("request %d %s %s %s after %d (%s): %s, %d bytes %v", r.N, r.Foreign.Dialect, r.Meta.Thread, r.Meta.Kind, r.Meta.Predecessor, r.Foreign.How, r.Verdict.Verdict, r.Sizes.Bytes, r.Foreign.Notes)
		for _, i := range r.Foreign.Inferred {
			t.Logf("    %s: %s", i.Cause, i.Evidence)
		}
		if r.Meta.Kind == record.KindOther {
			continue
		}
		if r.Foreign.Dialect != string(d) {
			t.Errorf("request %d was taken for %s", r.N, r.Foreign.Dialect)
		}
		if r.Meta.Kind != verdict.KindMain {
			continue
		}
		if threads[r.Meta.Thread]++; threads[r.Meta.Thread] > threads[longest] {
			longest = r.Meta.Thread
		}
	}
	if threads[longest] < steps+1 {
		t.Errorf("the longest conversation has %d requests, a turn alone has %d: %v", threads[longest], steps+1, threads)
	}
}

func TestQwenCodeThroughTheProxy(t *testing.T) {
	bin := filepath.Join(modules(t, "agents", agents()...), ".bin", "qwen")
	home, work := place(t)
	r := record1(t, work)
	env := []string{"OPENAI_API_KEY=sk-agent-key-12345", "OPENAI_BASE_URL=" + r.url + "/v1", "OPENAI_MODEL=puppet"}
	if out := r.run(home, work, env, bin, "--auth-type", "openai", "-p", "Read notes.txt and say what it says."); !strings.Contains(out, "buy bread") {
		t.Errorf("the agent says %s", out)
	}
	r.run(home, work, env, bin, "--auth-type", "openai", "--continue", "-p", "And once more?")
	told(t, r.stop(), exchange.Chat)
}

func TestOpencodeThroughTheProxy(t *testing.T) {
	mods := modules(t, "agents", agents()...)
	home, work := place(t)
	r := record1(t, work)
	config := fmt.Sprintf(`{"$schema":"x","provider":{"p":{"npm":"@ai-sdk/openai-compatible","name":"p","options":{"baseURL":%q,"apiKey":"sk-agent-key-12345"},"models":{"puppet":{"name":"puppet"}}}},"model":"p/puppet","small_model":"p/puppet","autoupdate":false,"share":"disabled"}`, r.url+"/v1")
	must(t, os.WriteFile(filepath.Join(work, "opencode.json"), []byte(config), 0o600))
	bin := filepath.Join(mods, "opencode-linux-x64", "bin", "opencode")
	if out := r.run(home, work, nil, bin, "run", "Read notes.txt and say what it says."); !strings.Contains(out, "buy bread") {
		t.Errorf("the agent says %s", out)
	}
	r.run(home, work, nil, bin, "run", "--continue", "And once more?")
	told(t, r.stop(), exchange.Chat)
}

func TestCodexThroughTheProxy(t *testing.T) {
	bin := filepath.Join(modules(t, "agents", agents()...), ".bin", "codex")
	home, work := place(t)
	r := record1(t, work)
	env := []string{"X_KEY=sk-agent-key-12345", "CODEX_HOME=" + home}
	provider := []string{"-c", "model_provider=x", "-c", fmt.Sprintf(`model_providers.x={name="x",base_url=%q,wire_api="responses",env_key="X_KEY"}`, r.url+"/v1"), "-c", "model=puppet", "--skip-git-repo-check"}
	args := append([]string{"exec"}, append(provider, "Read notes.txt and say what it says.")...)
	if out := r.run(home, work, env, bin, args...); !strings.Contains(out, "buy bread") {
		t.Errorf("the agent says %s", out)
	}
	r.run(home, work, env, bin, append([]string{"exec"}, append(provider, "resume", "--last", "And once more?")...)...)
	told(t, r.stop(), exchange.Responses)
}

func TestClaudeCodeThroughTheProxy(t *testing.T) {
	mods := modules(t, "agents", agents()...)
	home, work := place(t)
	r := record1(t, work)
	bin := filepath.Join(mods, "@anthropic-ai", "claude-code-linux-x64", "claude")
	env := []string{"ANTHROPIC_BASE_URL=" + r.url, "ANTHROPIC_API_KEY=sk-agent-key-12345", "ANTHROPIC_MODEL=puppet", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
	if out := r.run(home, work, env, bin, "-p", "Read notes.txt and say what it says."); !strings.Contains(out, "buy bread") {
		t.Errorf("the agent says %s", out)
	}
	r.run(home, work, env, bin, "--continue", "-p", "And once more?")
	told(t, r.stop(), exchange.Messages)
}
