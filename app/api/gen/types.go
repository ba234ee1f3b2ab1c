package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"reflect"
	"strconv"
	"strings"
)

// tsType is the TypeScript type of what encoding/json makes of a Go type, nil slices and maps being written empty.
func tsType(expr ast.Expr) (string, error) {
	switch t := expr.(type) {
	case *ast.Ident:
		return named(t)
	case *ast.StarExpr:
		inner, err := tsType(t.X)
		return inner + " | null", err
	case *ast.ArrayType:
		inner, err := tsType(t.Elt)
		if strings.Contains(inner, " ") {
			inner = "(" + inner + ")"
		}
		return inner + "[]", err
	case *ast.MapType:
		if !isIdent(t.Key, "string") {
			return "", fmt.Errorf("only maps with string keys can be written")
		}
		inner, err := tsType(t.Value)
		return "Record<string, " + inner + ">", err
	case *ast.SelectorExpr:
		if isSelector(t, "json", "RawMessage") {
			return "unknown", nil
		}
	}
	return "", fmt.Errorf("%T has no TypeScript form here", expr)
}

func named(t *ast.Ident) (string, error) {
	switch t.Name {
	case "string":
		return "string", nil
	case "bool":
		return "boolean", nil
	case "int", "int32", "int64", "uint", "uint32", "uint64", "float64":
		return "number", nil
	}
	if !t.IsExported() {
		return "", fmt.Errorf("%s has no TypeScript form here", t.Name)
	}
	return t.Name, nil
}

func jsonName(field *ast.Field) (string, error) {
	if field.Tag == nil {
		return "", fmt.Errorf("field %s has no json tag", field.Names[0].Name)
	}
	tag, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return "", err
	}
	key := reflect.StructTag(tag).Get("json")
	if key == "" || strings.ContainsAny(key, ",-") {
		return "", fmt.Errorf("field %s needs a plain json name, without options", field.Names[0].Name)
	}
	return key, nil
}

func writeDoc(out *bytes.Buffer, indent, text string) {
	text = strings.Join(strings.Fields(text), " ")
	if text != "" {
		fmt.Fprintf(out, "%s/** %s */\n", indent, strings.ReplaceAll(text, "*/", "* /"))
	}
}

func isIdent(expr ast.Expr, name string) bool {
	t, ok := expr.(*ast.Ident)
	return ok && t.Name == name
}

func isSelector(expr ast.Expr, pkg, name string) bool {
	t, ok := expr.(*ast.SelectorExpr)
	return ok && isIdent(t.X, pkg) && t.Sel.Name == name
}
