package predict

import (
	"net/url"
	"path"
	"strings"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/lab"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
)

// Sender is whom requests of another agent went to, as far as it tells how their cache works.
type Sender struct{ Dialect, Host string }

// SenderOf reads it from a record.
func SenderOf(r *record.Record) Sender {
	if r.Foreign == nil {
		return Sender{}
	}
	s := Sender{Dialect: r.Foreign.Dialect}
	if u, err := url.Parse(r.Foreign.URL); err == nil {
		s.Host = u.Host
	}
	return s
}

// Kinds tells which class a request's cache follows. What the provider reported says most; else the dialect and the
// address do, then the model's name; else it is the class of local servers.
type Kinds struct{ said map[Sender]string }

// NewKinds knows of no report yet.
func NewKinds() *Kinds { return &Kinds{said: map[Sender]string{}} }

// Hear takes a request's report in. It says whether the class of its sender's requests may be another one now.
func (k *Kinds) Hear(r *record.Record) bool {
	if len(r.Usage) == 0 {
		return false
	}
	s, is := SenderOf(r), lab.OwnClass([]lab.Request{{Usage: cachemodel.ParseUsage(r.Usage)}})
	if is == "" || k.said[s] == is || k.said[s] != "" && is == cachemodel.MinimumStep().Name {
		return false // nothing new, or a shape that many share
	}
	k.said[s] = is
	return true
}

// Of gives the class of a request, and whether o200k_base is its model's own vocabulary.
func (k *Kinds) Of(r *record.Record, model string) (class string, exact bool) {
	s, common := SenderOf(r), cachemodel.MinimumStep().Name
	p, err := provider.ProfileFor("", "http://"+s.Host, model)
	exact = err == nil && p.Tokenizer == cachemodel.VocabularyO200k || ofOpenAI(model)
	known := map[string]string{provider.CacheToken: cachemodel.Token().Name, provider.CacheBlock: cachemodel.Block().Name,
		provider.CacheMinimumStep: common, provider.CacheUnits: cachemodel.NameDeepSeek}
	said, told := k.said[s], known[p.CacheClass]
	switch {
	case said != "" && said != common:
		return said, exact
	case s.Dialect == string(exchange.Messages):
		return cachemodel.NameAnthropic, exact
	case err == nil && told != "" && p.Name != generic:
		return told, exact
	case said == common || ofOpenAI(model):
		return common, exact
	}
	return cachemodel.Token().Name, exact
}

// generic is the profile of an address that says nothing.
const generic = "generic"

// ofOpenAI tells the models of OpenAI that are cut by o200k_base from their names.
func ofOpenAI(model string) bool {
	name := strings.ToLower(path.Base(model))
	for _, family := range []string{"gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "gpt-oss", "chatgpt-4o", "o1", "o3", "o4", "codex"} {
		if rest, ok := strings.CutPrefix(name, family); ok && (rest == "" || strings.ContainsAny(rest[:1], "-.:")) {
			return true
		}
	}
	return false
}
