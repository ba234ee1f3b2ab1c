package provider

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// ErrUnknownProfile says that a connection names a profile which does not
// exist; the text lists the ones that do.
var ErrUnknownProfile = errors.New("unknown provider profile")

// ProfileNames lists the names that ProfileFor accepts, in table order.
func ProfileNames() []string {
	var names []string
	for _, p := range profiles() {
		names = append(names, p.Name)
	}
	return names
}

// ProfileFor returns the profile of the given name or, when name is empty or
// "auto", the one that the address and the model suggest. An unknown name is
// ErrUnknownProfile.
func ProfileFor(name, baseURL, model string) (Profile, error) {
	wanted := strings.ToLower(strings.TrimSpace(name))
	if wanted == "" || wanted == "auto" {
		wanted = guessProfile(baseURL, model)
	}
	for _, p := range profiles() {
		if p.Name == wanted {
			return p, nil
		}
	}
	return Profile{}, fmt.Errorf("%w %q; choose one of: %s",
		ErrUnknownProfile, name, strings.Join(ProfileNames(), ", "))
}

// ErrUnknownMark says that a connection asks for a cache mark that does not
// exist; the text lists the ones that do.
var ErrUnknownMark = errors.New("unknown cache mark")

// WithCacheMark returns the profile with a cache mark on the last sealed message
// of each request; empty or "none" is the profile itself. The carrier becomes a
// message of its own where the template allows it, so that nothing stands
// between the mark and what changes.
func (p Profile) WithCacheMark(mark string) (Profile, error) {
	switch mark {
	case "", "none":
		return p, nil
	case MarkCacheControl, MarkBreakpoint:
	default:
		return p, fmt.Errorf("%w %q; choose one of: none, %s, %s",
			ErrUnknownMark, mark, MarkCacheControl, MarkBreakpoint)
	}
	p.CacheMark, p.CacheClass = mark, CacheMarks
	p.CacheBlock, p.CacheMinimum, p.CacheStep = 0, 0, 0
	if p.Placement == PlaceAttach {
		p.Placement = PlaceSeparate
	}
	return p, nil
}

// WithToolImages returns the profile with another way for images in results of
// ordinary tools; empty is the profile itself. What is asked for is what the
// configuration allows: ImagesParts or ImagesNote.
func (p Profile) WithToolImages(how string) Profile {
	if how != "" {
		p.ToolImages = how
	}
	return p
}

// profileHint ties a host or a default port to a profile.
type profileHint struct {
	host    string // suffix of the host name; empty: any
	port    string // empty: any
	profile string
}

func profileHints() []profileHint {
	return []profileHint{
		{host: "api.openai.com", profile: "openai"},
		{host: "deepseek.com", profile: "deepseek"},
		{host: "mistral.ai", profile: "mistral-template"},
		{port: "1234", profile: "lmstudio"},
		{port: "11434", profile: "ollama"},
		{port: "8000", profile: "vllm"},
		{port: "8080", profile: "llamacpp"},
	}
}

// templateModels are model families whose chat template refuses a user message
// after a tool message, whatever local server renders it.
func templateModels() []string {
	return []string{"mistral", "mixtral", "devstral", "ministral", "magistral", "codestral"}
}

func guessProfile(baseURL, model string) string {
	if u, err := url.Parse(strings.TrimSpace(baseURL)); err == nil {
		local := isLocalHost(u.Hostname())
		for _, h := range profileHints() {
			hostFits := h.host == "" || u.Hostname() == h.host || strings.HasSuffix(u.Hostname(), "."+h.host)
			portFits := h.port == "" || (local && u.Port() == h.port)
			if !hostFits || !portFits {
				continue
			}
			if local && isTemplateModel(model) {
				return "mistral-template"
			}
			return h.profile
		}
	}
	if isTemplateModel(model) {
		return "mistral-template"
	}
	return "generic"
}

// isLocalHost reports whether a default port says something about the server:
// on this machine and on a private network it does, on the internet it doesn't.
func isLocalHost(host string) bool {
	return host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1" ||
		strings.HasPrefix(host, "192.168.") || strings.HasPrefix(host, "10.") ||
		strings.HasSuffix(host, ".local")
}

func isTemplateModel(model string) bool {
	m := strings.ToLower(model)
	for _, family := range templateModels() {
		if strings.Contains(m, family) {
			return true
		}
	}
	return false
}

// mistralIDLength is the only id length that the Mistral template accepts.
const mistralIDLength = 9

// MapCallID returns the form of a stored call id that goes on the wire. It is a
// function of its arguments alone: the same id gives the same form in every
// request, on the call and on its result. An id that fits already is kept.
func MapCallID(p Profile, id string) string {
	if p.CallIDs != IDsMistral9 || fitsMistral(id) {
		return id
	}
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum := sha256.Sum256([]byte(id))
	mapped := make([]byte, mistralIDLength)
	for i := range mapped {
		mapped[i] = alphabet[int(sum[i])%len(alphabet)]
	}
	return string(mapped)
}

func fitsMistral(id string) bool {
	if len(id) != mistralIDLength {
		return false
	}
	for _, r := range id {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return true
}
