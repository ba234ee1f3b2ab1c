package toolbox

import "strings"

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
