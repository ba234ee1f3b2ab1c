package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxBrackets bounds how many objects and lists a file may open: the parser recurses once for each level.
const maxBrackets = 20_000

// reader collects what is wrong with one text, so that a person can correct it in one go.
type reader struct {
	path     string
	text     []byte
	stored   bool // the text is one that Public wrote
	edited   bool // it was put together from a form: places in it mean nothing to a person
	problems []problem
	warnings []string
}

type problem struct {
	at   int // byte offset
	text string
}

// field is one member of an object.
type field struct {
	name  string
	at    int // where the name stands
	value hujson.Value
}

func (r *reader) wrong(at int, format string, args ...any) {
	r.problems = append(r.problems, problem{at, fmt.Sprintf(format, args...)})
}

func (r *reader) warn(at int, format string, args ...any) {
	r.warnings = append(r.warnings, r.where(at)+": "+fmt.Sprintf(format, args...))
}

// where is file:line:column, counted from 1, columns in characters.
func (r *reader) where(at int) string {
	at = min(at, len(r.text))
	before := r.text[:at]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	if r.path == "" {
		return fmt.Sprintf("%d:%d", line, column)
	}
	return fmt.Sprintf("%s:%d:%d", r.path, line, column)
}

func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b problem) int { return a.at - b.at })
	lines := make([]string, len(r.problems))
	for i, p := range r.problems {
		if lines[i] = p.text; !r.edited {
			lines[i] = r.where(p.at) + ": " + p.text
		}
	}
	return fmt.Errorf("%w: %s", ErrConfig, strings.Join(lines, "\n"))
}

// root parses the text. ok is false when it is not one object.
func (r *reader) root() (hujson.Value, bool) {
	if !utf8.Valid(r.text) {
		at := 0
		for at < len(r.text) {
			c, n := utf8.DecodeRune(r.text[at:])
			if c == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		r.wrong(at, "this byte is not UTF-8; save the file as UTF-8")
		return hujson.Value{}, false
	}
	if bytes.Count(r.text, []byte("{"))+bytes.Count(r.text, []byte("[")) > maxBrackets {
		r.wrong(0, "more than %d objects and lists, so this is not a configuration file", maxBrackets)
		return hujson.Value{}, false
	}
	v, err := hujson.Parse(r.text)
	if err != nil {
		r.syntax(err)
		return hujson.Value{}, false
	}
	if v.Value.Kind() != '{' {
		r.wrong(v.StartOffset, "the file must hold one object in braces, not %s", kindName(v))
		return hujson.Value{}, false
	}
	return v, true
}

// syntax reports the parser's complaint at the parser's place, without the literal that it may quote.
func (r *reader) syntax(err error) {
	text := err.Error()
	var line, column int
	fmt.Sscanf(text, "hujson: line %d, column %d:", &line, &column)
	at := 0
	for ; line > 1; line-- {
		at += bytes.IndexByte(r.text[at:], '\n') + 1
	}
	at += max(column-1, 0)
	if _, after, found := strings.Cut(text, ": line "); found {
		if _, after, found = strings.Cut(after, ": "); found {
			text = after
		}
	}
	if strings.HasPrefix(text, "invalid literal") {
		text = "this is no valid value; text must stand in double quotes on one line"
	}
	r.wrong(at, "not valid JSON: %s", text)
}

// fields lists an object's members in file order. A name that occurs twice is a problem and is listed once.
func (r *reader) fields(v hujson.Value, where string) []field {
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		r.wrong(v.StartOffset, "%s must be an object in braces, not %s", where, kindName(v))
		return nil
	}
	var list []field
	seen := map[string]int{}
	for _, m := range obj.Members {
		lit, _ := m.Name.Value.(hujson.Literal)
		f := field{name: lit.String(), at: m.Name.StartOffset, value: m.Value}
		if first, twice := seen[f.name]; twice {
			r.wrong(f.at, "%q occurs twice in %s, first at %s; keep one", f.name, where, r.where(first))
			continue
		}
		seen[f.name] = f.at
		list = append(list, f)
	}
	return list
}

func (r *reader) str(v hujson.Value, where string) string {
	if lit, ok := v.Value.(hujson.Literal); ok && lit.Kind() == '"' {
		return lit.String()
	}
	r.wrong(v.StartOffset, "%s must be text in double quotes, not %s", where, kindName(v))
	return ""
}

func (r *reader) strs(v hujson.Value, where string) []string {
	arr, ok := v.Value.(*hujson.Array)
	if !ok {
		r.wrong(v.StartOffset, "%s must be a list of texts, not %s", where, kindName(v))
		return nil
	}
	list := make([]string, 0, len(arr.Elements))
	for i, e := range arr.Elements {
		list = append(list, r.str(e, fmt.Sprintf("%s[%d]", where, i)))
	}
	return list
}

func (r *reader) strMap(v hujson.Value, where string) map[string]string {
	list := r.fields(v, where)
	if len(list) == 0 {
		return nil
	}
	m := map[string]string{}
	for _, f := range list {
		m[f.name] = r.str(f.value, where+"."+f.name)
	}
	return m
}

// number returns a number as written; null counts as absent.
func (r *reader) number(v hujson.Value, where string) json.RawMessage {
	switch v.Value.Kind() {
	case 'n':
		return nil
	case '0':
		return raw(v)
	}
	r.wrong(v.StartOffset, "%s must be a number, not %s", where, kindName(v))
	return nil
}

// count returns a positive whole number as written and as a value.
func (r *reader) count(v hujson.Value, where string) (json.RawMessage, int) {
	n := r.number(v, where)
	if n == nil {
		return nil, 0
	}
	var i int
	if json.Unmarshal(n, &i) != nil || i < 1 {
		r.wrong(v.StartOffset, "%s must be a whole number of at least 1", where)
		return nil, 0
	}
	return n, i
}

// raw is the value without comments, white space and trailing commas; its literals are as written.
func raw(v hujson.Value) json.RawMessage {
	v = v.Clone()
	v.Minimize()
	return json.RawMessage(bytes.TrimSpace(v.Pack()))
}

func kindName(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "true or false"
}
