package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// ErrConfig is wrapped by all that is wrong with a configuration: correct the named places of the file and try again.
var ErrConfig = errors.New("the configuration can't be used")

// DefaultKeyVariable is the environment variable that holds the key when the file names neither a key nor a variable.
const DefaultKeyVariable = "OPENAI_API_KEY"

// maxFileBytes bounds a configuration file: one that is larger is something else.
const maxFileBytes = 4 << 20

// Param is one request parameter with its JSON value as written, without comments and white space.
type Param struct {
	Name string
	Raw  json.RawMessage
}

// Model is the connection to a provider. The zero value means that the file names none.
type Model struct {
	BaseURL string
	Model   string
	// APIKey is the key itself, when the file holds or refers to one; use Config.Key.
	APIKey string
	// APIKeyEnv names the environment variable that holds the key.
	APIKeyEnv string
	// APIKeyKeyring names the entry of the system's keyring that holds the key.
	APIKeyKeyring string
	Profile       string // name of a provider profile; "" or "auto" means by address
	CacheMark     string // which cache mark each request puts on its last sealed message; "" for none
	ToolImages    string // what becomes of images in results of ordinary tools: parts or note; "" means by profile
	// Temperature and MaxTokens are numbers as written, nil when absent.
	Temperature   json.RawMessage
	MaxTokens     json.RawMessage
	ContextWindow int     // tokens; 0 when absent
	ExtraParams   []Param // under their names in a request, in file order
	Headers       map[string]string
}

// Server is one MCP server: either Command or URL is set.
type Server struct {
	Name    string
	Command string
	Args    []string
	Env     map[string]string
	Cwd     string // absolute, or "" for this program's
	URL     string
	Headers map[string]string
}

// Config is one configuration, with references to the environment and the home folder already followed.
type Config struct {
	Path     string // of the file; "" when there is none
	Model    Model
	Servers  []Server // in file order, without the disabled ones
	System   string   // system prompt, "" for the built-in one
	MaxSteps int      // requests in one turn, 0 for the default
	// Warnings are sentences about settings that are not used.
	Warnings []string

	source  map[place]origin // how each text stands in the file
	leftOut []place          // texts that a stored form does not have
	ring    *ringKey         // what was read from the keyring
}

// Load reads the file at path. Errors wrap ErrConfig and say file:line:column.
func Load(path string) (*Config, error) {
	path, err := absolute(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if len(text) > maxFileBytes {
		return nil, fmt.Errorf("%w: %s is larger than %d MiB, so it is not a configuration file",
			ErrConfig, path, maxFileBytes>>20)
	}
	return parse(&reader{path: path, text: text})
}

// DefaultPath is where the configuration lies unless another file is named: $XDG_CONFIG_HOME/zimoscope/config.json or
// what stands for it on this system. It is "" when there is no home folder.
func DefaultPath() string {
	// A relative XDG_CONFIG_HOME is invalid by its specification.
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "zimoscope", "config.json")
	}
	if home, err := os.UserHomeDir(); err == nil {
		return filepath.Join(home, ".config", "zimoscope", "config.json")
	}
	return ""
}

// HasModel says whether the file names a provider.
func (c *Config) HasModel() bool { return c.Model.BaseURL != "" }

// Key returns the key to send: the file's own, else that of the variable it names, else that of the keyring entry it names,
// else, for OpenAI's own address, that of DefaultKeyVariable, else "". The error says what is missing. A
// keyring may ask a person for its password, so this can take as long as keyringWait.
func (c *Config) Key() (string, error) {
	for _, name := range references(c.source[place{part: partKey}].written) {
		if os.Getenv(name) == "" {
			return "", fmt.Errorf("%w: model.apiKey refers to the environment variable %s, which is not set or empty; "+
				"set it and start again", ErrConfig, name)
		}
	}
	if c.Model.APIKey != "" {
		return c.Model.APIKey, nil
	}
	if name := c.Model.APIKeyEnv; name != "" {
		if key := os.Getenv(name); key != "" {
			return key, nil
		}
		if c.Model.APIKeyKeyring == "" {
			return "", fmt.Errorf("%w: the environment variable %s, named by model.apiKeyEnv, is not set or empty; "+
				"set it and start again", ErrConfig, name)
		}
	}
	if name := c.Model.APIKeyKeyring; name != "" {
		return c.keyOfRing(name)
	}
	key := os.Getenv(DefaultKeyVariable)
	for _, p := range c.leftOut {
		if p.part == partKey && key == "" && !c.onThisMachine() {
			return "", fmt.Errorf("%w: the key of this session is not stored; put it into the environment variable %s, "+
				"or name the configuration file again", ErrConfig, DefaultKeyVariable)
		}
		if p.part == partKey {
			return key, nil
		}
	}
	if c.atOpenAI() {
		return key, nil
	}
	return "", nil
}

// atOpenAI says that requests go to the owner of the keys in DefaultKeyVariable. Nobody else is sent one that the
// configuration doesn't name.
func (c *Config) atOpenAI() bool {
	u, err := url.Parse(c.Model.BaseURL)
	if err != nil || u.Scheme != "https" {
		return false
	}
	host := strings.ToLower(u.Hostname())
	return host == "openai.com" || strings.HasSuffix(host, ".openai.com")
}

func (c *Config) onThisMachine() bool {
	u, err := url.Parse(c.Model.BaseURL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
