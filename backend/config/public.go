package config

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"zimoscope/backend/secret"
)

// stored is the form in a session's file: that of the configuration file, without secrets.
type stored struct {
	Path     string      `json:"path,omitempty"`
	Model    any         `json:"model,omitempty"`
	Servers  orderedJSON `json:"mcpServers,omitempty"`
	System   string      `json:"system,omitempty"`
	MaxSteps int         `json:"maxSteps,omitempty"`
	LeftOut  [][3]string `json:"leftOut,omitempty"`
}

type storedModel struct {
	BaseURL       string            `json:"baseURL"`
	Model         string            `json:"model"`
	APIKey        string            `json:"apiKey,omitempty"`
	APIKeyEnv     string            `json:"apiKeyEnv,omitempty"`
	APIKeyKeyring string            `json:"apiKeyKeyring,omitempty"`
	Profile       string            `json:"profile,omitempty"`
	CacheMark     string            `json:"cacheMark,omitempty"`
	ToolImages    string            `json:"toolImages,omitempty"`
	Temperature   json.RawMessage   `json:"temperature,omitempty"`
	MaxTokens     json.RawMessage   `json:"maxTokens,omitempty"`
	ContextWindow int               `json:"contextWindow,omitempty"`
	ExtraParams   orderedJSON       `json:"extraParams,omitempty"`
	Headers       map[string]string `json:"headers,omitempty"`
}

type storedServer struct {
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Cwd     string            `json:"cwd,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// orderedJSON is an object whose members keep their order.
type orderedJSON []Param

// MarshalJSON implements json.Marshaler.
func (o orderedJSON) MarshalJSON() ([]byte, error) {
	var buf bytes.Buffer
	buf.WriteByte('{')
	for i, p := range o {
		if i > 0 {
			buf.WriteByte(',')
		}
		name, err := json.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		buf.Write(name)
		buf.WriteByte(':')
		buf.Write(p.Raw)
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// Public is the configuration without secrets, for a session's file: references and the names of variables are kept,
// secret texts are left out and their places noted.
func (c *Config) Public() json.RawMessage {
	plain, left := c.withoutSecrets()
	out := storedOf(plain, left)
	out.Path, out.System, out.MaxSteps = c.Path, c.System, c.MaxSteps
	text, err := json.Marshal(out)
	if err != nil {
		return json.RawMessage("{}") // raw numbers and parameters were valid when read
	}
	// A secret that was pasted into another setting as well goes too.
	return secret.New(c.Secrets()...).Bytes(text)
}

// withoutSecrets gives the texts as written, without the secret ones, and the places of those.
func (c *Config) withoutSecrets() (plain body, left []place) {
	left = slices.Clone(c.leftOut)
	written := c.asWritten()
	return written.each(func(p place, text string) string {
		if len(secretsAt(written, p, text)) == 0 || onlyReferences(text) {
			return text
		}
		if !slices.Contains(left, p) {
			left = append(left, p)
		}
		if p.part == partBase || p.part == partURL {
			return addressWithout(text)
		}
		return ""
	}), left
}

func storedOf(b body, left []place) (out stored) {
	if m := b.model; m.BaseURL != "" || m.Model != "" {
		out.Model = storedModel{
			m.BaseURL, m.Model, m.APIKey, m.APIKeyEnv, m.APIKeyKeyring, m.Profile, m.CacheMark, m.ToolImages, m.Temperature, m.MaxTokens,
			m.ContextWindow, m.ExtraParams, m.Headers,
		}
	}
	for _, s := range b.servers {
		one, err := json.Marshal(storedServer{s.Command, s.Args, s.Env, s.Cwd, s.URL, s.Headers})
		if err == nil { // maps and slices of text always marshal
			out.Servers = append(out.Servers, Param{s.Name, one})
		}
	}
	for _, p := range left {
		out.LeftOut = append(out.LeftOut, [3]string{p.server, p.part, p.name})
	}
	return out
}

// onlyReferences: a text that names variables and holds no more than a scheme beside them is no secret itself.
func onlyReferences(text string) bool {
	return len(references(text)) > 0 && len(strings.TrimSpace(reference.ReplaceAllString(text, ""))) < shortestSecret
}

// FromPublic reads what Public wrote, for resuming a session. Variables are read again; what was left out is missing
// until Borrow finds it, and a warning says so.
func FromPublic(text json.RawMessage) (*Config, error) {
	return parse(&reader{text: text, stored: true})
}

// storedSetting reads the members that only the stored form has.
func (r *reader) storedSetting(c *Config, f field) bool {
	switch f.name {
	case "path":
		c.Path = r.str(f.value, "path")
	case "leftOut":
		var list [][3]string
		if json.Unmarshal(raw(f.value), &list) != nil {
			r.wrong(f.at, "leftOut is not a list of places")
		}
		for _, p := range list {
			c.leftOut = append(c.leftOut, place{p[0], p[1], p[2]})
		}
	default:
		return false
	}
	return true
}

// Borrow fills in what the stored form left out from a configuration that still has it, such as the file loaded again,
// where the same setting has the same place. Missing returns what it could not find.
func (c *Config) Borrow(from *Config) {
	had := map[place]string{}
	from.asWritten().each(func(p place, text string) string {
		had[p] = text
		return text
	})
	wanted := func(p place) bool { return slices.Contains(c.leftOut, p) && had[p] != "" }
	said := c.asWritten().each(func(p place, text string) string {
		if wanted(p) {
			return had[p]
		}
		return text
	})
	c.leftOut = slices.DeleteFunc(c.leftOut, wanted)
	c.Warnings = nil
	c.follow(said)
}

// Missing lists the settings that a stored form left out and that are still missing.
func (c *Config) Missing() []string {
	var list []string
	for _, p := range c.leftOut {
		list = append(list, p.String())
	}
	return list
}

// String names the place as a person would.
func (p place) String() string {
	text := "model." + p.part
	if p.server != "" {
		text = "mcpServers." + p.server + "." + p.part
	}
	if p.name == "" {
		return text
	}
	if _, err := strconv.Atoi(p.name); err == nil && p.part == partArg {
		return text + "[" + p.name + "]"
	}
	return text + "." + p.name
}
