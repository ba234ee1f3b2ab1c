package config

import (
	"slices"
	"strings"
)

func serverSettings() []string {
	return []string{"command", "args", "env", "cwd", "url", "headers", "type", "disabled"}
}

// serverUnused are settings of other programs that have no meaning here.
func serverUnused() []string {
	return []string{
		"timeout", "alwaysAllow", "autoApprove", "description", "name", "enabled", "autoStart", "envFile", "version",
		"gallery", "dev",
	}
}

// serverTypes are what other programs write for the ways to reach a server.
func serverTypes() []string {
	return []string{"stdio", "http", "streamable-http", "streamableHttp", "sse"}
}

func (r *reader) servers(f field, before []Server) []Server {
	var list []Server
	for _, s := range r.fields(f.value, f.name) {
		switch {
		case strings.TrimSpace(s.name) == "":
			r.wrong(s.at, "a server in %s has no name", f.name)
		case slices.ContainsFunc(before, func(b Server) bool { return b.Name == s.name }):
			r.wrong(s.at, "the server %q stands in mcpServers and in servers; keep one", s.name)
		default:
			if server, use := r.server(s, f.name+"."+s.name); use {
				list = append(list, server)
			}
		}
	}
	return list
}

// server reads one entry; use is false for one that is switched off.
func (r *reader) server(f field, where string) (s Server, use bool) {
	s, use = Server{Name: f.name}, true
	list := r.fields(f.value, where)
	for _, e := range list {
		if !r.serverSetting(&s, e, where) {
			use = false
		}
	}
	if f.value.Value.Kind() != '{' {
		return s, false
	}
	switch {
	case s.Command != "" && s.URL != "":
		r.wrong(f.at, "%s has both a command and a url; keep one", where)
	case s.Command == "" && s.URL == "" && !hasNearly(list, "command") && !hasNearly(list, "url"):
		r.wrong(f.at, "%s needs a command (to start it) or a url (to reach it)", where)
	case s.URL != "" && len(references(s.URL)) == 0 && !isWeb(s.URL):
		r.wrong(f.at, "%s.url must begin with http:// or https://", where)
	}
	return s, use
}

func isWeb(address string) bool {
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
}

// serverSetting returns false when the setting switches the server off.
func (r *reader) serverSetting(s *Server, f field, where string) bool {
	at := where + "." + f.name
	switch f.name {
	case "command":
		s.Command = r.str(f.value, at)
	case "args":
		s.Args = r.strs(f.value, at)
	case "env":
		s.Env = r.strMap(f.value, at)
	case "cwd":
		s.Cwd = r.str(f.value, at)
	case "url":
		s.URL = r.str(f.value, at)
	case "headers":
		s.Headers = r.strMap(f.value, at)
	case "type":
		r.serverType(f, at)
	case "disabled":
		switch f.value.Value.Kind() {
		case 't':
			r.warn(f.at, "the server %q is switched off by its setting disabled", s.Name)
			return false
		case 'f':
		default:
			r.wrong(f.value.StartOffset, "%s must be true or false, not %s", at, kindName(f.value))
		}
	default:
		if slices.Contains(serverUnused(), f.name) {
			r.warn(f.at, "the setting %s is not used here", at)
			break
		}
		r.wrong(f.at, "%s", unknown(f.name, where, serverSettings()))
	}
	return true
}

func (r *reader) serverType(f field, at string) {
	kind := r.str(f.value, at)
	switch {
	case kind == "sse":
		r.warn(f.at, "%s is sse, an older way that is not spoken here; streamable HTTP is tried at the same address", at)
	case kind != "" && !slices.Contains(serverTypes(), kind):
		r.wrong(f.value.StartOffset, "%s must be one of %s", at, strings.Join(serverTypes(), ", "))
	}
}
