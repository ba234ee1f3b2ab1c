package config

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Parts of a configuration that hold text.
const (
	partKey     = "apiKey"
	partBase    = "baseURL"
	partHeader  = "headers"
	partCommand = "command"
	partArg     = "args"
	partEnv     = "env"
	partCwd     = "cwd"
	partURL     = "url"
)

// place is where one text of a configuration stands.
type place struct {
	server string // "" for the model
	part   string
	name   string // of a header or variable; of an argument its index
}

// each replaces every text by what f makes of it, in a copy.
func (b body) each(f func(p place, text string) string) body {
	m := b.model
	m.BaseURL = f(place{part: partBase}, m.BaseURL)
	m.APIKey = f(place{part: partKey}, m.APIKey)
	m.Headers = eachOf(m.Headers, place{part: partHeader}, f)
	out := body{model: m}
	for _, s := range b.servers {
		s.Command = f(place{server: s.Name, part: partCommand}, s.Command)
		s.Cwd = f(place{server: s.Name, part: partCwd}, s.Cwd)
		s.URL = f(place{server: s.Name, part: partURL}, s.URL)
		s.Args = slices.Clone(s.Args)
		for i, a := range s.Args {
			s.Args[i] = f(place{s.Name, partArg, strconv.Itoa(i)}, a)
		}
		s.Env = eachOf(s.Env, place{server: s.Name, part: partEnv}, f)
		s.Headers = eachOf(s.Headers, place{server: s.Name, part: partHeader}, f)
		out.servers = append(out.servers, s)
	}
	return out
}

func eachOf(m map[string]string, p place, f func(place, string) string) map[string]string {
	if m == nil {
		return nil
	}
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		p.name = name
		out[name] = f(p, m[name])
	}
	return out
}

// reference is ${env:NAME} or ${NAME}.
var reference = regexp.MustCompile(`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}`)

// references lists the variables that a text refers to.
func references(text string) []string {
	var list []string
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// origin is a text as the file has it and what it stands for.
type origin struct{ written, followed string }

// follow fills the Config from what the file says: variables, the home folder, folders relative to the file's.
func (c *Config) follow(said body) {
	c.source, c.ring = map[place]origin{}, &ringKey{}
	var unset []string
	followed := said.each(func(p place, written string) string {
		text, missing := variables(written)
		unset = append(unset, missing...)
		switch p.part {
		case partCommand:
			text = home(text)
		case partCwd:
			text = home(text)
			if text != "" && c.Path != "" && !filepath.IsAbs(text) {
				text = filepath.Join(filepath.Dir(c.Path), text)
			}
		}
		c.source[p] = origin{written, text}
		return text
	})
	c.Model, c.Servers = followed.model, followed.servers
	slices.Sort(unset)
	for _, name := range slices.Compact(unset) {
		c.Warnings = append(c.Warnings, "the environment variable "+name+", to which the configuration refers, is not set")
	}
	for _, p := range c.leftOut {
		c.Warnings = append(c.Warnings, "not stored, because it is secret: "+p.String())
	}
}

// asWritten is the configuration with each text as the file has it; one that was changed since stands as it is now.
func (c *Config) asWritten() body {
	return body{c.Model, c.Servers}.each(func(p place, text string) string {
		if o, ok := c.source[p]; ok && o.followed == text {
			return o.written
		}
		return text
	})
}

// variables puts values in and lists the variables that are not set. A reference to one of those stays as it is, so that
// the error of whoever gets the text names it.
func variables(text string) (followed string, unset []string) {
	followed = reference.ReplaceAllStringFunc(text, func(ref string) string {
		name := reference.FindStringSubmatch(ref)[1]
		value, ok := os.LookupEnv(name)
		if !ok {
			unset = append(unset, name)
			return ref
		}
		return value
	})
	return followed, unset
}

// home follows a leading ~.
func home(text string) string {
	if text != "~" && !strings.HasPrefix(text, "~/") {
		return text
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return text
	}
	return filepath.Join(dir, text[1:])
}

func absolute(path string) (string, error) { return filepath.Abs(home(path)) }
