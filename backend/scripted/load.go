package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// ScriptError is a mistake in a script file: where it is, and what is allowed
// there.
type ScriptError struct {
	File    string
	Line    int    // from 1
	Key     string // as in steps[2].tool_calls[0].name; empty for a mistake in the JSON itself
	Problem string
	Allowed []string
}

func (e *ScriptError) Error() string {
	where := fmt.Sprintf("%s:%d", e.File, e.Line)
	if e.Key != "" {
		where += ": " + e.Key
	}
	text := where + ": " + e.Problem
	if len(e.Allowed) > 0 {
		text += "; allowed: " + strings.Join(e.Allowed, ", ")
	}
	return text
}

// Load reads a script file. The error is a *ScriptError when the file could be
// read and its contents are wrong.
func Load(path string) (*Script, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the script cannot be read: %w", err)
	}
	return Parse(path, data)
}

// Parse reads a script from data; name stands in errors.
func Parse(name string, data []byte) (*Script, error) {
	l := &loader{file: name, data: data}
	tree, err := hujson.Parse(bytes.Clone(data))
	if err != nil {
		return nil, l.syntax(err)
	}
	if err := l.checkKeys(tree, reflect.TypeFor[Script](), ""); err != nil {
		return nil, err
	}
	// Standardize keeps every offset: it overwrites comments with spaces.
	plain, err := hujson.Standardize(bytes.Clone(data))
	if err != nil {
		return nil, l.syntax(err)
	}
	var s Script
	if err := json.Unmarshal(plain, &s); err != nil {
		return nil, l.wrongType(err)
	}
	l.tree = tree
	if err := l.checkScript(&s); err != nil {
		return nil, err
	}
	return &s, nil
}

type loader struct {
	file string
	data []byte
	tree hujson.Value
}

func (l *loader) line(offset int) int {
	offset = max(0, min(offset, len(l.data)))
	return 1 + bytes.Count(l.data[:offset], []byte("\n"))
}

func (l *loader) syntax(err error) error {
	problem, line := err.Error(), 1
	var col int
	if _, scanErr := fmt.Sscanf(problem, "hujson: line %d, column %d:", &line, &col); scanErr == nil {
		_, problem, _ = strings.Cut(problem, ": ")
		_, problem, _ = strings.Cut(problem, ": ")
	}
	return &ScriptError{File: l.file, Line: line, Problem: "no valid JSON: " + problem}
}

func (l *loader) wrongType(err error) error {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return &ScriptError{File: l.file, Line: l.line(int(typ.Offset)), Key: typ.Field,
			Problem: fmt.Sprintf("a %s stands where a %s belongs", typ.Value, kindName(typ.Type))}
	}
	return &ScriptError{File: l.file, Line: 1, Problem: err.Error()}
}

func kindName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Slice:
		return "list"
	case reflect.Struct:
		return "object"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "whole number"
	}
	return t.Kind().String()
}

// checkKeys finds members that t does not know, or that stand twice.
func (l *loader) checkKeys(v hujson.Value, t reflect.Type, at string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch node := v.Value.(type) {
	case *hujson.Array:
		if t.Kind() != reflect.Slice || t == reflect.TypeFor[json.RawMessage]() {
			return nil
		}
		for i, e := range node.Elements {
			if err := l.checkKeys(e, t.Elem(), fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case *hujson.Object:
		if t.Kind() == reflect.Struct {
			return l.checkMembers(node, t, at)
		}
	}
	return nil
}

func (l *loader) checkMembers(node *hujson.Object, t reflect.Type, at string) error {
	fields, names := jsonFields(t)
	seen := map[string]bool{}
	for _, m := range node.Members {
		name := m.Name.Value.(hujson.Literal).String()
		key := strings.TrimPrefix(at+"."+name, ".")
		field, ok := fields[name]
		if !ok {
			return &ScriptError{File: l.file, Line: l.line(m.Name.StartOffset), Key: key, Problem: "unknown key", Allowed: names}
		}
		if seen[name] {
			return &ScriptError{File: l.file, Line: l.line(m.Name.StartOffset), Key: key, Problem: "this key stands twice"}
		}
		seen[name] = true
		if err := l.checkKeys(m.Value, field, key); err != nil {
			return err
		}
	}
	return nil
}

func jsonFields(t reflect.Type) (map[string]reflect.Type, []string) {
	fields, names := map[string]reflect.Type{}, []string{}
	for i := range t.NumField() {
		name := t.Field(i).Tag.Get("json")
		fields[name] = t.Field(i).Type
		names = append(names, name)
	}
	return fields, names
}
