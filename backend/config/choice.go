package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Profiles are the names that model.profile can have beside auto. The list stands here because files are read below the
// providers; a test above both holds the two equal.
func Profiles() []string {
	return []string{"openai", "deepseek", "lmstudio", "ollama", "vllm", "llamacpp", "mistral-template", "generic"}
}

// cacheMarks are the marks that providers with breakpoints know; none is the default.
func cacheMarks() []string { return []string{"none", "cache_control", "prompt_cache_breakpoint"} }

// toolImages are what can become of an image in a result; without a word the profile decides.
func toolImages() []string { return []string{"parts", "note"} }

// oneOf reads a text that has to be one of a few; "" stands for not set.
func (r *reader) oneOf(v hujson.Value, where string, allowed []string) string {
	text := r.str(v, where)
	if text != "" && !slices.Contains(allowed, text) {
		hint := ""
		if near := nearest(text, allowed); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		r.wrong(v.StartOffset, "%s is %q%s; allowed are: %s", where, text, hint, strings.Join(allowed, ", "))
	}
	return text
}

// profile is read as generously as it is looked up.
func (r *reader) profile(v hujson.Value, where string) string {
	text := r.str(v, where)
	if name := strings.ToLower(strings.TrimSpace(text)); name != "" && name != "auto" && !slices.Contains(Profiles(), name) {
		return r.oneOf(v, where, append(Profiles(), "auto"))
	}
	return text
}

// address is the provider's. One that refers to the environment is judged when it is used; its value is never named, for
// it may hold a key.
func (r *reader) address(v hujson.Value, where string) string {
	text := r.str(v, where)
	if text != "" && len(references(text)) == 0 && !isWeb(strings.ToLower(strings.TrimSpace(text))) {
		r.wrong(v.StartOffset, "%s must begin with http:// or https://", where)
	}
	return text
}
