package config

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Settings are what a person sees and changes of a configuration, as text. They hold no secret: a secret text reads "",
// and stays what it was when it is given back as "".
type Settings struct {
	BaseURL, Model, Profile string
	APIKeyEnv               string // name of a variable
	APIKeyKeyring           string // name of a keyring entry
	System                  string // "" for the built-in one
	Temperature, MaxTokens  string // numbers as written, "" for none
	ContextWindow, MaxSteps int    // 0 for none
	Params                  string // extra parameters, a JSON object
	Servers                 string // MCP servers by name, a JSON object in the shape of mcpServers
}

// Settings gives the configuration as a person sees it.
func (c *Config) Settings() Settings {
	plain, _ := c.withoutSecrets()
	m := plain.model
	return Settings{BaseURL: m.BaseURL, Model: m.Model, Profile: m.Profile, APIKeyEnv: m.APIKeyEnv, APIKeyKeyring: m.APIKeyKeyring, System: c.System,
		Temperature: string(m.Temperature), MaxTokens: string(m.MaxTokens), ContextWindow: m.ContextWindow, MaxSteps: c.MaxSteps,
		Params: indented(orderedJSON(m.ExtraParams)), Servers: indented(storedOf(plain, nil).Servers)}
}

func indented(o orderedJSON) string {
	if len(o) == 0 {
		return ""
	}
	text, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return ""
	}
	return string(text)
}

// With gives the configuration with other settings. What is secret stays where it was, unless it would go to another
// host. Errors wrap ErrConfig; a secret among the settings is one: it would be lost, because settings are stored.
func (c *Config) With(s Settings) (*Config, error) {
	plain, left := c.withoutSecrets()
	params, err := object(s.Params, "the extra parameters")
	if err != nil {
		return nil, err
	}
	servers, err := object(s.Servers, "the MCP servers")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"mcpServers", "servers"} { // the whole of a file was pasted
		if len(servers) == 1 && servers[0].Name == name {
			if servers, err = object(string(servers[0].Raw), "the MCP servers"); err != nil {
				return nil, err
			}
		}
	}
	m := storedModel{BaseURL: strings.TrimSpace(s.BaseURL), Model: strings.TrimSpace(s.Model), APIKeyEnv: strings.TrimSpace(s.APIKeyEnv),
		APIKeyKeyring: strings.TrimSpace(s.APIKeyKeyring), Profile: s.Profile, CacheMark: plain.model.CacheMark,
		ToolImages: plain.model.ToolImages, ContextWindow: s.ContextWindow, ExtraParams: params, Headers: plain.model.Headers}
	if m.APIKeyEnv == "" && m.APIKeyKeyring == "" {
		m.APIKey = plain.model.APIKey // a reference, which is no secret
	}
	for _, n := range []struct {
		text string
		to   *json.RawMessage
		name string
	}{{s.Temperature, &m.Temperature, "the temperature"}, {s.MaxTokens, &m.MaxTokens, "the limit of tokens"}} {
		if text := strings.TrimSpace(n.text); text != "" {
			if !json.Valid([]byte(text)) {
				return nil, fmt.Errorf("%w: %s is not a number", ErrConfig, n.name)
			}
			*n.to = json.RawMessage(text)
		}
	}
	next, err := c.read(stored{Path: c.Path, Model: m, Servers: servers, System: s.System, MaxSteps: s.MaxSteps})
	if err != nil {
		return nil, err
	}
	next.leftOut = c.stillFits(left, next)
	next.Borrow(c)
	return next, nil
}

func (c *Config) read(s stored) (*Config, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrConfig, err)
	}
	next, err := parse(&reader{text: text, stored: true, edited: true})
	if err != nil {
		return nil, err
	}
	written := next.asWritten()
	var found []string
	written.each(func(p place, text string) string {
		if len(secretsAt(written, p, text)) > 0 && !onlyReferences(text) && !c.same(p, text) {
			found = append(found, p.String())
		}
		return text
	})
	if len(found) > 0 {
		return nil, fmt.Errorf("%w: %s looks like a secret. Settings are stored, secrets never: write ${env:NAME} for the value of an "+
			"environment variable", ErrConfig, strings.Join(found, ", "))
	}
	return next, nil
}

// same says that a text stands in this place already.
func (c *Config) same(p place, text string) bool { return c.source[p].written == text }

// stillFits lists the secret places that exist in next as well and belong to the same host or command.
func (c *Config) stillFits(left []place, next *Config) []place {
	empty := map[place]bool{{part: partKey}: next.Model.APIKeyEnv == "" && next.Model.APIKeyKeyring == ""}
	next.asWritten().each(func(p place, text string) string {
		if p.part != partKey {
			empty[p] = text == "" || p.part == partBase || p.part == partURL
		}
		return text
	})
	was, is := c.targets(), next.targets()
	return slices.DeleteFunc(slices.Clone(left), func(p place) bool { return !empty[p] || was[p.server] != is[p.server] })
}

// targets says where the secrets of the model ("") and of each server go.
func (c *Config) targets() map[string]string {
	out := map[string]string{"": hostOf(c.Model.BaseURL)}
	for _, s := range c.Servers {
		out[s.Name] = s.Command + " " + hostOf(s.URL)
	}
	return out
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host
}

// object reads a JSON object, comments and trailing commas allowed, its members in order.
func object(text, what string) (orderedJSON, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	v, err := hujson.Parse([]byte(text))
	o, ok := v.Value.(*hujson.Object)
	if err != nil || !ok {
		return nil, fmt.Errorf("%w: %s must be a JSON object in braces", ErrConfig, what)
	}
	var list orderedJSON
	for _, m := range o.Members {
		name, _ := m.Name.Value.(hujson.Literal)
		list = append(list, Param{name.String(), raw(m.Value)})
	}
	return list, nil
}
