package config

import (
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"zimoscope/backend/secret"
)

// shortestSecret is the length in bytes from which a text can be a secret; shorter ones occur in ordinary words.
const shortestSecret = 8

// Secrets lists every value that must not be kept or shown: the key, headers, variables and arguments whose names say so,
// values in the form of a key, and what addresses carry. Each once, in no particular order.
func (c *Config) Secrets() []string {
	var list []string
	add := func(values ...string) {
		for _, v := range values {
			if v = strings.TrimSpace(v); len(v) >= shortestSecret && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	if c.Model.APIKeyKeyring == "" {
		if key, err := c.Key(); err == nil {
			add(key)
		}
	}
	add(c.ring.seen()) // asking for it again might ask a person
	if c.Model.APIKeyEnv != "" {
		add(os.Getenv(c.Model.APIKeyEnv))
	}
	c.asWritten().each(func(_ place, text string) string {
		for _, name := range references(text) {
			if secret.Name(name) {
				add(os.Getenv(name))
			}
		}
		return text
	})
	now := body{c.Model, c.Servers}
	now.each(func(p place, text string) string {
		add(secretsAt(now, p, text)...)
		return text
	})
	return list
}

// secretsAt lists what is secret in the text at p.
func secretsAt(b body, p place, text string) []string {
	if text == "" {
		return nil
	}
	switch p.part {
	case partKey:
		return []string{text}
	case partHeader, partEnv:
		if namesSecret(p.name) || keyLike(text) {
			return append([]string{text}, words(text)...)
		}
	case partArg:
		return secretsOfArg(b, p, text)
	case partBase, partURL:
		return secretsOfAddress(text)
	}
	return nil
}

// words: a header is often a scheme and a value, and the value alone must not show either.
func words(text string) []string {
	if list := strings.Fields(text); len(list) > 1 {
		return list
	}
	return nil
}

var locationName = regexp.MustCompile(`(?i)(file|path|dir|folder)$`)

// namesSecret: a name that says secret, unless it says that the secret is elsewhere.
func namesSecret(name string) bool { return secret.Name(name) && !locationName.MatchString(name) }

var keyForm = regexp.MustCompile(
	`(?:^|[^A-Za-z0-9])(?:sk-|gh[pousr]_|github_pat_|xox[abprs]-|AKIA|AIza|hf_|glpat-|eyJ)[A-Za-z0-9_\-.]{8,}`)

// keyLike: well-known services mark their keys.
func keyLike(text string) bool { return keyForm.MatchString(text) }

var assignment = regexp.MustCompile(`^-{0,2}([A-Za-z0-9_.\-]+)\s*[=:]\s*(.+)$`)

func secretsOfArg(b body, p place, text string) []string {
	if m := assignment.FindStringSubmatch(text); m != nil && namesSecret(m[1]) {
		return append([]string{m[2]}, words(m[2])...)
	}
	if before := argBefore(b, p); strings.HasPrefix(before, "-") && !strings.ContainsAny(before, "= ") &&
		namesSecret(before) && !strings.HasPrefix(text, "-") {
		return append([]string{text}, words(text)...)
	}
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		return secretsOfAddress(text)
	}
	if keyLike(text) {
		return []string{text}
	}
	return nil
}

func argBefore(b body, p place) string {
	i, err := strconv.Atoi(p.name)
	for _, s := range b.servers {
		if err == nil && s.Name == p.server && i > 0 && i < len(s.Args) {
			return s.Args[i-1]
		}
	}
	return ""
}

// secretsOfAddress lists the password of an address, and those of its parameters that are secret.
func secretsOfAddress(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	var list []string
	if password, ok := u.User.Password(); ok {
		list = append(list, password)
	}
	for name, values := range u.Query() {
		for _, v := range values {
			if namesSecret(name) || keyLike(v) {
				list = append(list, v)
			}
		}
	}
	return list
}

// addressWithout is the address without its secrets.
func addressWithout(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if _, ok := u.User.Password(); ok {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	for name, values := range query {
		if namesSecret(name) || slices.ContainsFunc(values, keyLike) {
			query.Del(name)
		}
	}
	u.RawQuery = query.Encode()
	return u.String()
}
