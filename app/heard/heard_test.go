package heard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sources is where the sentences are said, from this folder.
var sources = []string{"../../backend", "../../app", "../../e2e/run", "../../e2e/check"}

// literals joins all texts that stand in the sources, each on a line of its own; texts that are added up are one.
func literals(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	set := token.NewFileSet()
	for _, root := range sources {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "heard" {
				return skip(err)
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return nil // being written just now; what it says is then missed by name
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if text, ok := textOf(n); ok {
					all.WriteString(text + "\n")
					return false
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

func skip(err error) error {
	if err != nil {
		return err
	}
	return filepath.SkipDir
}

// textOf is the text of a literal, or of several added up; what is not a literal stands as a verb.
func textOf(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		return text, n.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		if n.Op != token.ADD {
			return "", false
		}
		x, okX := textOf(n.X)
		y, okY := textOf(n.Y)
		if !okX && !okY {
			return "", false
		}
		return verb(x, okX) + verb(y, okY), true
	case *ast.ParenExpr:
		return textOf(n.X)
	}
	return "", false
}

func verb(text string, ok bool) string {
	if !ok {
		return "%s"
	}
	return text
}

var placeholder = regexp.MustCompile(`\{\w+(:[qdw])?\}`)

func TestEverySentenceIsStillSaidSomewhere(t *testing.T) {
	said := literals(t)
	for _, c := range Catalogues() {
		if c.Family == system.Family { // nothing here says it: its words come from codes
			continue
		}
		for code, template := range c.Texts {
			for _, piece := range placeholder.Split(template, -1) {
				if piece = strings.Trim(piece, " .,;:?()"); len(piece) > 1 && !strings.Contains(said, piece) {
					t.Errorf("%s.%s: nothing says %q any more: take the new words over, here and into the dictionaries", c.Family, code, piece)
				}
			}
		}
	}
}

func TestNoCodeIsInTwoFamilies(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Catalogues() {
		if seen[c.Family] {
			t.Errorf("two families are called %s", c.Family)
		}
		seen[c.Family] = true
	}
}
