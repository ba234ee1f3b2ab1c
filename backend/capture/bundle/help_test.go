package bundle_test

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"zimoscope/backend/capture/bundle"
)

// judgeScript keeps one interpreter for many folders: it loads verify.py as it is written into a bundle, and runs its
// main for each folder that is named on a line. The answer is one line of JSON.
const judgeScript = `
import contextlib, importlib.util, io, json, sys
spec = importlib.util.spec_from_file_location("verify", sys.argv[1])
verify = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verify)
for line in sys.stdin:
    sys.argv = ["verify.py", json.loads(line)]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = verify.main()
    print(json.dumps({"status": status, "out": out.getvalue()}), flush=True)
`

func interpreter(t testing.TB) string {
	t.Helper()
	py, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: python3 is not installed, so the standalone verifier can't run")
	}
	return py
}

// python gives the standalone verifier's judgement of a folder: its exit status and what it prints.
func python(t testing.TB) func(dir string) (status int, out string) {
	t.Helper()
	script := filepath.Join(t.TempDir(), "verify.py")
	raw, err := os.ReadFile(bundle.ScriptFile)
	if err != nil {
		t.Fatal(err)
	}
	put(t, script, raw)
	cmd := exec.Command(interpreter(t), "-B", "-c", judgeScript, script)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the standalone verifier ended: %v", err)
		}
	})
	ask, read := json.NewEncoder(in), json.NewDecoder(bufio.NewReader(answers))
	return func(dir string) (int, string) {
		t.Helper()
		var a struct {
			Status int
			Out    string
		}
		if err := ask.Encode(dir); err != nil {
			t.Fatal(err)
		}
		if err := read.Decode(&a); err != nil {
			t.Fatalf("the standalone verifier gave no judgement of %s: %v", dir, err)
		}
		return a.Status, a.Out
	}
}

// filesOf names every file of a bundle.
func filesOf(t testing.TB, dir string) (names []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, p)
		names = append(names, name)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names
}

func put(t testing.TB, path string, raw []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}
