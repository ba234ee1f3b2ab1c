package config

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// body is what a file says, references not followed.
type body struct {
	model   Model
	servers []Server
}

func topSettings() []string {
	return []string{"model", "mcpServers", "servers", "system", "maxSteps"}
}

// topIgnored are members of other programs' files that need no warning.
func topIgnored() []string { return []string{"$schema"} }

func parse(r *reader) (*Config, error) {
	r.text = bytes.TrimPrefix(r.text, []byte("\xef\xbb\xbf"))
	c := &Config{Path: r.path}
	var said body
	if root, ok := r.root(); ok {
		said = r.top(c, r.fields(root, "the file"))
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	c.Warnings = r.warnings
	c.follow(said)
	return c, nil
}

func (r *reader) top(c *Config, list []field) (b body) {
	present := map[string]bool{}
	for _, f := range list {
		present[f.name] = true
	}
	for _, f := range list {
		switch f.name {
		case "model":
			b.model = r.model(f)
		case "mcpServers", "servers":
			b.servers = append(b.servers, r.servers(f, b.servers)...)
		case "system":
			c.System = r.str(f.value, "system")
		case "maxSteps":
			_, c.MaxSteps = r.count(f.value, "maxSteps")
		default:
			if r.stored && r.storedSetting(c, f) {
				break
			}
			r.otherTop(f, present)
		}
	}
	return b
}

// otherTop: other programs keep settings of their own in this file, so a name that nobody here knows is passed over; one
// that is almost a name of ours, which is missing, is a typo.
func (r *reader) otherTop(f field, present map[string]bool) {
	if slices.Contains(topIgnored(), f.name) {
		return
	}
	if s := nearest(f.name, topSettings()); s != "" && !present[s] && !(present["mcpServers"] && s == "servers") {
		r.wrong(f.at, "%s", unknown(f.name, "the file", topSettings()))
		return
	}
	r.warn(f.at, "the setting %q is not used here", f.name)
}

func modelSettings() []string {
	return []string{
		"baseURL", "model", "apiKey", "apiKeyEnv", "apiKeyKeyring", "profile", "cacheMark", "toolImages", "temperature", "maxTokens",
		"contextWindow", "extraParams", "headers",
	}
}

// sampling maps the settings that other programs have for parameters of a request to the parameters' names.
func sampling() map[string]string {
	return map[string]string{
		"topP": "top_p", "top_p": "top_p", "topK": "top_k", "top_k": "top_k", "minP": "min_p", "min_p": "min_p",
		"presencePenalty": "presence_penalty", "presence_penalty": "presence_penalty",
		"frequencyPenalty": "frequency_penalty", "frequency_penalty": "frequency_penalty",
		"repeatPenalty": "repeat_penalty", "repeat_penalty": "repeat_penalty",
		"reasoningEffort": "reasoning_effort", "reasoning_effort": "reasoning_effort",
		"seed": "seed", "stop": "stop",
	}
}

// modelUnused are settings of other programs that have no meaning here.
func modelUnused() []string {
	return []string{
		"provider", "type", "name", "id", "description", "timeout", "maxRetries", "stream", "organization", "disabled",
	}
}

// reserved are the parameters that a session writes itself.
func reserved() []string { return []string{"model", "messages", "tools", "stream", "stream_options"} }

func (r *reader) model(f field) Model {
	var m Model
	list := r.fields(f.value, "model")
	for _, s := range list {
		r.modelSetting(&m, s)
	}
	r.params(&m, f)
	if f.value.Value.Kind() != '{' {
		return m
	}
	for _, needed := range []struct{ name, value string }{{"baseURL", m.BaseURL}, {"model", m.Model}} {
		if strings.TrimSpace(needed.value) == "" && !hasNearly(list, needed.name) {
			r.wrong(f.at, "model.%s is missing", needed.name)
		}
	}
	return m
}

// hasNearly: a setting that is there under a wrong name or with a wrong value is reported once, as that.
func hasNearly(list []field, name string) bool {
	for _, f := range list {
		lit := string(raw(f.value))
		if f.name == name && strings.Trim(lit, `" `) != "" || f.name != name && nearest(f.name, []string{name}) != "" {
			return true
		}
	}
	return false
}

func (r *reader) modelSetting(m *Model, f field) {
	where := "model." + f.name
	switch f.name {
	case "baseURL":
		m.BaseURL = r.address(f.value, where)
	case "model":
		m.Model = r.str(f.value, where)
	case "apiKey":
		if f.value.Value.Kind() != 'n' {
			m.APIKey = r.str(f.value, where)
		}
	case "apiKeyEnv":
		m.APIKeyEnv = r.str(f.value, where)
	case "apiKeyKeyring":
		if m.APIKeyKeyring = r.str(f.value, where); m.APIKeyKeyring != "" && !isKeyName(m.APIKeyKeyring) {
			r.wrong(f.value.StartOffset, "%s must be %s", where, keyNameRule)
		}
	case "profile":
		m.Profile = r.profile(f.value, where)
	case "cacheMark":
		if m.CacheMark = r.oneOf(f.value, where, cacheMarks()); m.CacheMark == "none" {
			m.CacheMark = ""
		}
	case "toolImages":
		m.ToolImages = r.oneOf(f.value, where, toolImages())
	case "temperature":
		m.Temperature = r.number(f.value, where)
	case "maxTokens":
		m.MaxTokens, _ = r.count(f.value, where)
	case "contextWindow":
		_, m.ContextWindow = r.count(f.value, where)
	case "headers":
		m.Headers = r.strMap(f.value, where)
	case "extraParams":
		for _, p := range r.fields(f.value, where) {
			m.ExtraParams = append(m.ExtraParams, Param{p.name, raw(p.value)})
		}
	default:
		r.otherModel(m, f)
	}
}

func (r *reader) otherModel(m *Model, f field) {
	if wire := sampling()[f.name]; wire != "" {
		if f.value.Value.Kind() != 'n' {
			m.ExtraParams = append(m.ExtraParams, Param{wire, raw(f.value)})
		}
		return
	}
	if slices.Contains(modelUnused(), f.name) {
		r.warn(f.at, "the setting model.%s is not used here", f.name)
		return
	}
	allowed := names(modelSettings(), slices.Collect(maps.Keys(sampling())))
	r.wrong(f.at, "%s", unknown(f.name, "model", allowed))
}

// params finds parameters that would stand twice in a request, or that a session writes itself.
func (r *reader) params(m *Model, f field) {
	seen := map[string]string{}
	if m.Temperature != nil {
		seen["temperature"] = "model.temperature"
	}
	if m.MaxTokens != nil {
		seen["max_tokens"], seen["max_completion_tokens"] = "model.maxTokens", "model.maxTokens"
	}
	for _, p := range m.ExtraParams {
		switch {
		case slices.Contains(reserved(), p.Name):
			r.wrong(f.at, "model.extraParams can't set %q: the session writes it", p.Name)
		case seen[p.Name] != "":
			r.wrong(f.at, "the parameter %q is set by an entry of model.extraParams and by %s; keep one", p.Name, seen[p.Name])
		}
		seen[p.Name] = fmt.Sprintf("another setting for %q", p.Name)
	}
}
