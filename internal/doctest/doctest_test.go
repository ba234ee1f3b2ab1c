package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var root = filepath.Join("..", "..")

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// promises are the ids of the acceptance table.
func promises() (ids []string) {
	for _, group := range []struct {
		letter string
		count  int
	}{{"A", 13}, {"B", 10}, {"C", 0}, {"D", 6}} {
		if group.count == 0 {
			ids = append(ids, group.letter)
		}
		for n := 1; n <= group.count; n++ {
			ids = append(ids, fmt.Sprint(group.letter, n))
		}
	}
	return ids
}

// kindsOfBugs is how many kinds the table of known bugs has.
const kindsOfBugs = 79

func hold(t *testing.T, text string, want []string) {
	t.Helper()
	list := rows(text)
	if d := differ(list, want); d != "" {
		t.Error(d)
	}
	for _, m := range missing(root, text) {
		t.Error(m)
	}
	for _, id := range unproved(list) {
		t.Errorf("%s names no test and does not say why", id)
	}
}

func TestEveryPromiseNamesTestsThatExist(t *testing.T) {
	hold(t, read(t, "acceptance.md"), promises())
}

func TestEveryKnownKindOfBugNamesTestsThatExist(t *testing.T) {
	var want []string
	for n := 1; n <= kindsOfBugs; n++ {
		want = append(want, fmt.Sprint(n))
	}
	text := read(t, "field-notes-coverage.md")
	hold(t, text, want)
	for _, r := range rows(text) {
		if !strings.Contains(r.text, "](https://") {
			t.Errorf("%s names no public report", r.id)
		}
	}
}

func TestWhatIsGoneIsFound(t *testing.T) {
	text := "| id | tests |\n|---|---|\n| A1 | `internal/doctest.TestWhatIsGoneIsFound` |\n| A2 | `internal/doctest.TestThatNeverWas` in `docs/never.md` |\n| A4 | nothing |\n"
	if got := strings.Join(missing(root, text), "; "); got != "there is no test TestThatNeverWas in internal/doctest; there is no file docs/never.md" {
		t.Error(got)
	}
	if got := differ(rows(text), []string{"A1", "A2", "A3"}); !strings.Contains(got, "A4 stands where that of A3") {
		t.Error(got)
	}
	if got := differ(rows(text), []string{"A1", "A2", "A4", "A5"}); !strings.Contains(got, "A5 is missing") {
		t.Error(got)
	}
	if got := unproved(rows(text)); len(got) != 1 || got[0] != "A4" {
		t.Error(got)
	}
}
