package zimoos

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// maxName is the longest function name that providers take (OpenAI's function calling reference).
const maxName = 64

// hashTail is how many hexadecimal digits of a hash mark a cut or colliding name.
const hashTail = 8

// PublicName is a tool as MCP knows it.
type PublicName struct{ Server, Tool string }

// Names is the two-way table between public tools and the function names a provider accepts. It is built once from
// what is offered and never parses a name back: decoding is a lookup.
type Names struct {
	byFunction map[string]PublicName
	byPublic   map[PublicName]string
}

// NewNames encodes the tools in their order. The same list gives the same names, also after a restart.
func NewNames(tools []PublicName) *Names {
	n := &Names{byFunction: map[string]PublicName{}, byPublic: map[PublicName]string{}}
	for _, t := range tools {
		if _, known := n.byPublic[t]; known {
			continue
		}
		name := encode(t)
		if _, taken := n.byFunction[name]; taken {
			name = cut(name, digest(t.Server+"\x00"+t.Tool))
		}
		for i := 2; n.byFunction[name] != (PublicName{}); i++ {
			name = cut(name, digest(fmt.Sprint(t.Server, "\x00", t.Tool, "\x00", i)))
		}
		n.byFunction[name], n.byPublic[t] = t, name
	}
	return n
}

// Function gives the function name of a public tool; ok is false for a tool that was not offered.
func (n *Names) Function(t PublicName) (name string, ok bool) {
	name, ok = n.byPublic[t]
	return name, ok
}

// Public gives the tool behind a function name; ok is false for a name that was not offered.
func (n *Names) Public(function string) (t PublicName, ok bool) {
	t, ok = n.byFunction[function]
	return t, ok
}

// Legal turns any name a model wrote into one that may stand in history, and says whether it already was.
func Legal(function string) (string, bool) {
	ok := function != "" && len(function) <= maxName
	for i := 0; i < len(function); i++ {
		ok = ok && legal(rune(function[i]))
	}
	if ok {
		return function, true
	}
	name := escape(function)
	if name == "" {
		name = "unnamed"
	}
	if len(name) > maxName {
		name = cut(name, digest(function))
	}
	return name, false
}

func encode(t PublicName) string {
	name := escape(t.Tool)
	if t.Server != "" {
		name = escape(t.Server) + "__" + name
	}
	if len(name) > maxName {
		return cut(name, digest(t.Server+"__"+t.Tool))
	}
	return name
}

func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if legal(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "_x%x_", r)
		}
	}
	return b.String()
}

func legal(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}

func cut(name, hash string) string {
	return name[:min(len(name), maxName-hashTail-1)] + "_" + hash
}

func digest(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])[:hashTail]
}
