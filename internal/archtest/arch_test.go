package archtest

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func tree(t *testing.T) graph {
	t.Helper()
	g, err := readGraph(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if len(g) < 15 || len(g[module+"/backend/requestview"]) == 0 {
		t.Fatalf("the tree was not read: %d packages", len(g))
	}
	return g
}

func TestEveryImportIsAllowed(t *testing.T) {
	for _, p := range problems(tree(t)) {
		t.Error(p)
	}
}

func TestRequestPathDependsOnNothingElse(t *testing.T) {
	for _, p := range requestPathProblems(tree(t)) {
		t.Error(p)
	}
}

func TestEveryPackageOfTheTablesExists(t *testing.T) {
	g := tree(t)
	exists := func(p string) bool {
		for pkg := range g {
			if within(pkg, path.Join(module, p)) {
				return true
			}
		}
		return false
	}
	for _, level := range levels() {
		for _, p := range level {
			if !exists(p) {
				t.Errorf("the levels name %s, which is gone", p)
			}
		}
	}
	for _, b := range bans() {
		if !exists(b.from) || b.to != module && !exists(b.to) {
			t.Errorf("the ban %s → %s names a package that is gone", b.from, b.to)
		}
	}
	for _, d := range doors() {
		used := false
		for pkg, imports := range g {
			used = used || slices.ContainsFunc(imports, func(i string) bool { return within(i, d.library) }) && within(pkg, module)
		}
		if !used {
			t.Errorf("nobody imports %s any more", d.library)
		}
	}
}

// with adds one import to the real tree.
func with(g graph, from, imported string) graph {
	changed := graph{}
	for pkg, imports := range g {
		changed[pkg] = imports
	}
	pkg := path.Join(module, from)
	changed[pkg] = append(slices.Clone(changed[pkg]), imported)
	return changed
}

func wantProblem(t *testing.T, list []string, reason string) {
	t.Helper()
	if !slices.ContainsFunc(list, func(p string) bool { return strings.Contains(p, reason) }) {
		t.Errorf("no problem says %q: %q", reason, list)
	}
}

func TestEveryBanIsFoundWhenItIsBroken(t *testing.T) {
	g := tree(t)
	for _, b := range bans() {
		to := path.Join(module, b.to)
		if b.to == module {
			to = path.Join(module, "backend/secret")
		}
		wantProblem(t, problems(with(g, b.from, to)), b.reason)
	}
	// Not only at first hand: secret is used by config alone, zimoos by nearly all.
	wantProblem(t, problems(with(g, "backend/zimoos", module+"/backend/store")), "a request is a function of its arguments")
}

func TestEveryLibraryHasOneDoor(t *testing.T) {
	g := tree(t)
	for _, d := range doors() {
		wantProblem(t, problems(with(g, "backend/capture", d.library+"/x")), d.reason)
		for _, owner := range d.owners {
			if p := doorProblems(graph{path.Join(module, owner): {d.library}}, path.Join(module, owner)); len(p) > 0 && !strings.Contains(d.library, "mcp-go") {
				t.Error(p)
			}
		}
	}
}

func TestImportsGoDownOnly(t *testing.T) {
	g := tree(t)
	wantProblem(t, problems(with(g, "backend/zimoos", module+"/backend/transcript")), "imports go down only")
	wantProblem(t, problems(with(g, "backend/store", module+"/backend/capture")), "imports go down only")
	wantProblem(t, problems(with(g, "backend/agent", module+"/app/live")), "imports go down only")
	wantProblem(t, problems(with(g, "backend/brandnew", "fmt")), "has no level")
}

func TestWhatMustNotReachARequestIsFound(t *testing.T) {
	g := tree(t)
	for from, imported := range map[string]string{
		"backend/requestview":      "time",
		"backend/requestview/wire": "net/http",
		"backend/transcript":       "example.org/memory/recall",
		"backend/zimoos":           module + "/backend/secret",
	} {
		want := "no clock"
		switch {
		case strings.HasPrefix(imported, module):
			want = "on nothing else"
		case strings.Contains(imported, "memory"):
			want = "no index, search or memory"
		}
		wantProblem(t, requestPathProblems(with(g, from, imported)), want)
	}
}
