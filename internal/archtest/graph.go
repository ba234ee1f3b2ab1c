// Package archtest holds the architecture as tests: which package may know which, each ban with its reason.
//
// Contract: the graph comes from the import clauses of all files that are no tests, whatever their build tags, so that a
// build of one system can't hide what another imports. Nothing is compiled and nothing is run.
package archtest

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// module is this module's path.
const module = "zimoscope"

// graph maps a package of this module to what its files import.
type graph map[string][]string

// eachSource visits the Go files below root that a program may be made of, tests apart: by its path, and by that below
// root with slashes.
func eachSource(root string, visit func(file, shown string) error) error {
	return filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if file != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		shown, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		return visit(file, filepath.ToSlash(shown))
	})
}

// readGraph reads the import clauses below root, the module's folder.
func readGraph(root string) (graph, error) {
	g := graph{}
	err := eachSource(root, func(file, shown string) error {
		imports, err := importsOf(file)
		pkg := path.Join(module, path.Dir(shown))
		g[pkg] = append(g[pkg], imports...)
		return err
	})
	for pkg, imports := range g {
		slices.Sort(imports)
		g[pkg] = slices.Compact(imports)
	}
	return g, err
}

func importsOf(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	// Files that only pin modules are part of no program.
	if strings.HasPrefix(string(text), "//go:build deps\n") {
		return nil, nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, s := range parsed.Imports {
		p, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		list = append(list, p)
	}
	return list, nil
}

// within says that p is pattern or lies below it.
func within(p, pattern string) bool { return p == pattern || strings.HasPrefix(p, pattern+"/") }

// reach gives everything that pkg depends on through packages of this module, each with the way to it.
func (g graph) reach(pkg string) map[string][]string {
	ways := map[string][]string{}
	queue := [][]string{{pkg}}
	for len(queue) > 0 {
		way := queue[0]
		queue = queue[1:]
		for _, next := range g[way[len(way)-1]] {
			if _, seen := ways[next]; seen {
				continue
			}
			longer := append(slices.Clone(way), next)
			ways[next] = longer
			queue = append(queue, longer)
		}
	}
	return ways
}

func short(p string) string { return strings.TrimPrefix(p, module+"/") }

// shortWay writes a way for people.
func shortWay(way []string) string {
	names := make([]string, len(way))
	for i, p := range way {
		names[i] = short(p)
	}
	return strings.Join(names, " → ")
}
