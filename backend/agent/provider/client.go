package provider

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

const (
	// defaultRetries is how often a failed attempt is repeated.
	defaultRetries = 2
	// defaultRetryDelay bounds one wait between attempts. Together with the
	// number of retries it bounds the whole wait; a provider that asks for more
	// gets no further attempt, and the user is told its wait.
	defaultRetryDelay = 20 * time.Second
	// defaultFirstByteTimeout: a local server reads a long prompt for minutes
	// before its first byte.
	defaultFirstByteTimeout = 10 * time.Minute
	// defaultIdleTimeout: the longest silence within a stream; reasoning models
	// are silent for minutes at times.
	defaultIdleTimeout = 5 * time.Minute
	// maxIdlePerHost is the number of idle connections kept to the provider:
	// one for the main request, one for a side request.
	maxIdlePerHost = 2
)

// ErrConfig groups what New refuses; the text says which setting to change.
var ErrConfig = errors.New("the provider connection is not usable")

// Config is one connection. The caller sets it once.
type Config struct {
	BaseURL string // as in the provider's manual, usually ending in /v1
	Model   string // only for error texts; the body names the model
	APIKey  string // empty: no authorisation header
	Headers map[string]string
	Profile Profile
	// MaxRetries: zero means two, negative means none.
	MaxRetries int
	// The limits; zero means the default.
	MaxRetryDelay    time.Duration
	FirstByteTimeout time.Duration
	IdleTimeout      time.Duration
}

// Client sends requests over one connection. It is safe for concurrent use.
type Client struct {
	cfg    Config
	api    openai.Client
	net    *http.Transport
	redact *redactor
	where  string
}

// New checks the connection's settings and returns a client. Nothing is sent.
func New(cfg Config) (*Client, error) {
	base, err := parseBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	cfg = withDefaults(cfg)
	c := &Client{
		cfg: cfg, redact: newRedactor(cfg, base), where: base.Scheme + "://" + base.Host + base.Path,
		net: newTransport(),
	}
	query := base.Query()
	base.RawQuery = ""
	options := []option.RequestOption{
		option.WithBaseURL(base.String()),
		option.WithMaxRetries(max(cfg.MaxRetries, 0)),
		option.WithMaxRetryDelay(cfg.MaxRetryDelay),
		option.WithHeader("User-Agent", "ZimoScope"),
	}
	for _, name := range platformHeaders() {
		options = append(options, option.WithHeaderDel(name))
	}
	if cfg.APIKey != "" {
		options = append(options, option.WithAPIKey(cfg.APIKey))
	}
	for name, value := range cfg.Headers {
		options = append(options, option.WithHeader(name, value))
	}
	for name := range query {
		options = append(options, option.WithQuery(name, query.Get(name)))
	}
	// Not openai.NewClient: that one reads keys, organisation and headers from
	// the environment and would send them to whatever address is configured.
	c.api = openai.Client{Options: options}
	return c, nil
}

// Profile is the profile the client was made with.
func (c *Client) Profile() Profile { return c.cfg.Profile }

// Redact removes the connection's secrets from text that a server or a capture
// holds, before it is written anywhere.
func (c *Client) Redact(s string) string { return c.redact.known(s) }

// Close ends idle connections. Calls that run are not touched.
func (c *Client) Close() { c.net.CloseIdleConnections() }

func withDefaults(cfg Config) Config {
	if cfg.MaxRetries == 0 {
		cfg.MaxRetries = defaultRetries
	}
	if cfg.MaxRetryDelay <= 0 {
		cfg.MaxRetryDelay = defaultRetryDelay
	}
	if cfg.FirstByteTimeout <= 0 {
		cfg.FirstByteTimeout = defaultFirstByteTimeout
	}
	if cfg.IdleTimeout <= 0 {
		cfg.IdleTimeout = defaultIdleTimeout
	}
	return cfg
}

func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true // the answer is kept byte for byte
	t.MaxIdleConnsPerHost = maxIdlePerHost
	return t
}

// platformHeaders tell the provider about this machine; it needs none of them.
func platformHeaders() []string {
	return []string{
		"X-Stainless-Lang", "X-Stainless-Package-Version", "X-Stainless-OS", "X-Stainless-Arch",
		"X-Stainless-Runtime", "X-Stainless-Runtime-Version", "X-Stainless-Retry-Count", "X-Stainless-Timeout",
	}
}

// parseBase checks the address. A pasted address of the endpoint itself is cut
// back to its base.
func parseBase(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("%w: the address cannot be read; it should look like http://127.0.0.1:1234/v1", ErrConfig)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%w: the address must begin with http:// or https:// and name a host", ErrConfig)
	}
	if u.User != nil {
		return nil, fmt.Errorf("%w: the address must not hold a user name or password; put them into a header", ErrConfig)
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions")
	u.RawPath, u.Fragment = "", ""
	return u, nil
}

// addressOf gives an address without what may be secret in it.
func addressOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "an address that cannot be read"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}
