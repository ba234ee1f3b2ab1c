package archtest

import (
	"path/filepath"
	"testing"
)

// Go ends the whole program for a panic that its own goroutine doesn't catch.
func TestEveryGoroutineBeginsWhereItsPanicsEnd(t *testing.T) {
	list, err := beginnings(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range goroutineProblems(list) {
		t.Error(p)
	}
}

func TestAGoroutineOfItsOwnIsFound(t *testing.T) {
	for what, line := range map[string]string{
		"a go statement":       "go f()",
		"a function":           "go func() {}()",
		"a wait group":         "w.Go(f)",
		"a timer":              "time.AfterFunc(1, f)",
		"a context":            "context.AfterFunc(ctx, f)",
		"a namesake of safely": "x.safely.Go(f, nil)",
	} {
		list, err := beginningsIn("x.go", "backend/capture/x.go", "package x\nfunc _() {\n"+line+"\n}\n")
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v %v", what, list, err)
			continue
		}
		wantProblem(t, goroutineProblems(list), "backend/capture/x.go:3")
	}
	if list, err := beginningsIn("x.go", "backend/x.go", "package x\nfunc _() { safely.Go(f, nil) }\n"); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
	wantProblem(t, goroutineProblems(nil), "take it off the list")
}
