package toolbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ErrConfig groups what is wrong with an mcpServers configuration; the text
// names the server and the setting to change.
var ErrConfig = errors.New("the MCP configuration is not usable")

// ParseServers reads an mcpServers object, {"name": {"command", "args", "env",
// "cwd"} or {"url", "headers"}}, bare or inside an object under "mcpServers".
// The order is that of the text.
func ParseServers(text []byte) ([]ServerConfig, error) {
	var outer struct {
		Servers json.RawMessage `json:"mcpServers"`
	}
	if json.Unmarshal(text, &outer) == nil && outer.Servers != nil {
		text = outer.Servers
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("%w: it is not a JSON object", ErrConfig)
	}
	var list []ServerConfig
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("%w: it is not valid JSON", ErrConfig)
		}
		name, _ := key.(string)
		// The error's own text may quote a value, so it is not passed on.
		var entry struct {
			Command string            `json:"command"`
			Args    []string          `json:"args"`
			Env     map[string]string `json:"env"`
			Cwd     string            `json:"cwd"`
			URL     string            `json:"url"`
			Headers map[string]string `json:"headers"`
		}
		if err := dec.Decode(&entry); err != nil {
			return nil, fmt.Errorf("%w: the entry %q has a setting of the wrong kind", ErrConfig, name)
		}
		list = append(list, ServerConfig{
			Name: name, Command: entry.Command, Args: entry.Args, Env: entry.Env,
			Cwd: entry.Cwd, URL: entry.URL, Headers: entry.Headers,
		})
	}
	return list, checkServers(list)
}

func checkServers(list []ServerConfig) error {
	seen := map[string]bool{}
	for _, s := range list {
		switch {
		case strings.TrimSpace(s.Name) == "":
			return fmt.Errorf("%w: a server has no name", ErrConfig)
		case seen[s.Name]:
			return fmt.Errorf("%w: the name %q occurs twice", ErrConfig, s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

// check says why one server cannot be started, empty when it can.
func (s ServerConfig) check() string {
	switch {
	case s.Command == "" && s.URL == "":
		return "it has neither a command nor a url"
	case s.Command != "" && s.URL != "":
		return "it has both a command and a url"
	case s.URL != "" && !strings.HasPrefix(s.URL, "http://") && !strings.HasPrefix(s.URL, "https://"):
		return "its url must begin with http:// or https://"
	}
	return ""
}
