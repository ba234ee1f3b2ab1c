package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// beginning is a place where something begins to run in a goroutine of its own.
type beginning struct{ file, at, how string }

// ownGoroutine lists where goroutines may begin beside package safely, a file or a folder with a slash, each with why a
// panic there ends no program.
func ownGoroutine() map[string]string {
	return map[string]string{
		"backend/safely/":                    "this is where they begin, and where their panics end",
		"backend/lab/lab.go":                 "its workers catch their own, and the one that waits for them raises it again",
		"app/service/":                       "all of them run through the package's own safely, which a test there holds",
		"backend/agent/provider/watchdog.go": "it cancels a context and nothing else",
		"backend/agent/toolbox/box.go":       "it cancels a context and nothing else",
		"backend/agent/toolbox/process.go":   "it sets a deadline and nothing else",
		"backend/zimoos/sim/listen.go":       "another program, which shares no code with what it tests; what it runs there is the library's",
		"backend/scripted/listen.go":         "another program, which shares no code with what it tests; what it runs there is the library's",
		"e2e/":                               "tests and their tools: a panic there is a failed run",
		"internal/":                          "tests and their tools: a panic there is a failed run",
	}
}

// beginnings lists every go statement, every call of a method Go and of an AfterFunc below root, but those of package
// safely itself.
func beginnings(root string) (list []beginning, err error) {
	err = eachSource(root, func(file, shown string) error {
		found, err := beginningsIn(file, shown, nil)
		list = append(list, found...)
		return err
	})
	return list, err
}

// beginningsIn reads one file; src stands for its text where it is not nil.
func beginningsIn(file, shown string, src any) (list []beginning, err error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, src, 0)
	if err != nil {
		return nil, err
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if how := begins(n); how != "" {
			list = append(list, beginning{shown, fmt.Sprint(shown, ":", set.Position(n.Pos()).Line), how})
		}
		return true
	})
	return list, nil
}

// begins says how a node begins a goroutine, "" when it doesn't.
func begins(n ast.Node) string {
	switch x := n.(type) {
	case *ast.GoStmt:
		return "a go statement"
	case *ast.CallExpr:
		sel, ok := x.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Go" && sel.Sel.Name != "AfterFunc" {
			return ""
		}
		if of, ok := sel.X.(*ast.Ident); ok && of.Name == "safely" && sel.Sel.Name == "Go" {
			return ""
		}
		return "a call of " + sel.Sel.Name
	}
	return ""
}

// goroutineProblems lists the beginnings that no entry of ownGoroutine answers for, and the entries that answer for none.
func goroutineProblems(list []beginning) (problems []string) {
	used := map[string]bool{}
	for _, b := range list {
		known := false
		for place := range ownGoroutine() {
			if b.file == place || strings.HasSuffix(place, "/") && strings.HasPrefix(b.file, place) {
				known, used[place] = true, true
			}
		}
		if !known {
			problems = append(problems, fmt.Sprintf("%s: %s outside package safely: a panic in it would end the program; begin it by safely.Go or together.Group", b.at, b.how))
		}
	}
	for place := range ownGoroutine() {
		if !used[place] {
			problems = append(problems, fmt.Sprintf("no goroutine begins in %s any more: take it off the list", place))
		}
	}
	slices.Sort(problems)
	return problems
}
