package service

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/app/api"
	"zimoscope/backend/agent"
	"zimoscope/backend/lab"
	"zimoscope/backend/store"
)

const mistakeWords = "the program made a mistake ("

// demoed plays the demo to its end.
func demoed(d *desk) string {
	id := d.demo()
	d.until("the end of the demo", idle)
	return id
}

// stillWorks asks the open session for its timeline, and its agent for one more turn.
func stillWorks(t *testing.T, d *desk) {
	t.Helper()
	before, err := d.s.Timeline("")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.s.Prompt("Go on.", nil); err != nil {
		t.Fatal(err)
	}
	d.until("the end of one more turn", idle)
	if after, err := d.s.Timeline(""); err != nil || len(after.Rows) <= len(before.Rows) {
		t.Errorf("%d rows, then %d: %v", len(before.Rows), len(after.Rows), err)
	}
}

func nilPointer() error {
	var none *api.Job
	none.ID++
	return nil
}

// A panic of a job ends the job, in words; the session goes on and the next job runs.
func TestAPanicInAJobIsTheJobsError(t *testing.T) {
	d := newDesk(t)
	demoed(d)
	broken := d.s.jobs.begin(api.Job{Kind: "import", Name: "x"}, func(context.Context, *job) error { return nilPointer() })
	next := d.s.jobs.begin(api.Job{Kind: "export", Name: "y"}, func(context.Context, *job) error { return nil })
	ended := func(id int) (one api.Job) {
		d.until("the end of a job", func(api.Snapshot) bool {
			list, err := d.s.Jobs()
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range list {
				if j.ID == id {
					one = j
				}
			}
			return one.State != jobRunning
		})
		return one
	}
	if j := ended(broken.ID); j.State != jobFailed || !strings.HasPrefix(j.Error, mistakeWords) || !strings.Contains(j.Error, "nil pointer") {
		t.Errorf("%+v", j)
	}
	if j := ended(next.ID); j.State != jobDone {
		t.Errorf("%+v", j)
	}
	stillWorks(t, d)
}

func TestAPanicInTheCacheLabIsItsError(t *testing.T) {
	d := newDesk(t)
	id := demoed(d)
	works := d.s.lab.compute
	for _, value := range []any{"sk-secret", &lab.Panic{Value: errors.New("sk-secret"), Stack: []byte("there\n")}} {
		d.s.lab.compute = func(context.Context, lab.Input, lab.Options) (*lab.Result, error) { panic(value) }
		if st := computed(t, d, id); !strings.HasPrefix(st.Error, mistakeWords) || strings.Contains(st.Error, "secret") || st.Running {
			t.Errorf("%+v", st)
		}
	}
	stillWorks(t, d)
	d.s.lab.compute = works
	if st := computed(t, d, id); st.Error != "" || st.Result == nil {
		t.Errorf("the lab after it: %+v", st)
	}
}

func computed(t *testing.T, d *desk, session string) (st api.LabState) {
	t.Helper()
	if err := d.s.StartLab(api.LabOrder{Session: session, Prices: shownPrices(lab.BuiltInPrices())}); err != nil {
		t.Fatal(err)
	}
	d.until("the end of the lab", func(api.Snapshot) bool {
		var err error
		if st, err = d.s.Lab(); err != nil {
			t.Fatal(err)
		}
		return !st.Running
	})
	return st
}

// A turn that panics leaves a session that says so and can be written to.
func TestAPanicInATurnIsTheSessionsError(t *testing.T) {
	d := newDesk(t)
	demoed(d)
	if err := d.s.start(func(context.Context, *agent.Session) (string, error) { return "", nilPointer() }); err != nil {
		t.Fatal(err)
	}
	if s := d.until("the end of the turn", idle); !strings.HasPrefix(s.State.Error, mistakeWords) {
		t.Errorf("%+v", s.State)
	}
	stillWorks(t, d)
}

// What panics while a stored file is read leaves the file closed.
func TestAPanicLeavesNoFileOpen(t *testing.T) {
	d := newDesk(t)
	first := demoed(d)
	demoed(d) // the first is one of the store now
	if err := d.s.onStored(first, func(*store.Session) error { return nilPointer() }); err == nil || !strings.HasPrefix(err.Error(), mistakeWords) {
		t.Fatal(err)
	}
	if _, err := d.s.Open(first); err != nil {
		t.Error(err)
	}
}

// Every goroutine of this package runs through safely: a panic in any other ends the program.
func TestEveryGoroutineEndsItsPanics(t *testing.T) {
	through := map[string]bool{"safely": true, "probe": true, "judge": true, "onStored": true} // all three run through it
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call := started(n)
			if call == nil {
				return true
			}
			seen++
			if !calls(call, through) {
				t.Errorf("%s: a goroutine that does not run through safely", set.Position(n.Pos()))
			}
			return true
		})
	}
	if seen < 9 {
		t.Errorf("only %d goroutines were found", seen)
	}
}

// started gives the call that a node runs in a goroutine of its own: go f(), or f of group.Go(f).
func started(n ast.Node) ast.Node {
	switch x := n.(type) {
	case *ast.GoStmt:
		return x.Call
	case *ast.CallExpr:
		if sel, ok := x.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" {
			return x
		}
	}
	return nil
}

func calls(n ast.Node, names map[string]bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch f := call.Fun.(type) {
			case *ast.Ident:
				found = found || names[f.Name]
			case *ast.SelectorExpr:
				found = found || names[f.Sel.Name]
			}
		}
		return !found
	})
	return found
}
