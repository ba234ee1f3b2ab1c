// Package doctest reads the tables of the documentation that name tests and files, so that tests can hold them to the
// tree.
//
// Contract: it reads files and changes none. A test is named in backquotes as folder.TestName, a file as its path.
package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// row is one line of a table: its first cell, and all of it.
type row struct{ id, text string }

var (
	testName = regexp.MustCompile("`((?:app|backend|e2e|internal)[a-z0-9/]*)\\.((?:Test|Fuzz)[A-Za-z0-9_]+)`")
	fileName = regexp.MustCompile("[`(]((?:app|backend|docs|e2e|frontend|internal|scripts)/[A-Za-z0-9_/.-]+\\.(?:go|ts|tsx|md|sh))[`)]")
)

// rows lists the lines of all tables in text, without their heads.
func rows(text string) (list []row) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		isRow := strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "|---")
		isHead := i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|---")
		if isRow && !isHead {
			list = append(list, row{strings.TrimSpace(strings.Split(line, "|")[1]), line})
		}
	}
	return list
}

// missing lists what text names and the tree below root does not have.
func missing(root, text string) (list []string) {
	for _, m := range testName.FindAllStringSubmatch(text, -1) {
		if !hasTest(filepath.Join(root, filepath.FromSlash(m[1])), m[2]) {
			list = append(list, fmt.Sprintf("there is no test %s in %s", m[2], m[1]))
		}
	}
	for _, m := range fileName.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
			list = append(list, "there is no file "+m[1])
		}
	}
	return list
}

func hasTest(folder, name string) bool {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return false
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err == nil && strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}

// unproved lists the rows that neither name a test nor say why there is none.
func unproved(list []row) (bad []string) {
	for _, r := range list {
		if !testName.MatchString(r.text) && !strings.Contains(r.text, "Open:") && !strings.Contains(r.text, "Can't apply") &&
			!strings.Contains(r.text, "Not there yet") {
			bad = append(bad, r.id)
		}
	}
	return bad
}

// differ compares the ids of a table with those that it must have, each once and in order.
func differ(list []row, want []string) string {
	for i := range max(len(list), len(want)) {
		switch {
		case i >= len(list):
			return "the line of " + want[i] + " is missing"
		case i >= len(want):
			return "the line of " + list[i].id + " is one too many"
		case list[i].id != want[i]:
			return fmt.Sprintf("the line of %s stands where that of %s must", list[i].id, want[i])
		}
	}
	return ""
}
