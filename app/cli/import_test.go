package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const movingState = `{"model":"m","messages":[{"role":"system","content":"be good"},{"role":"user","content":"one"},{"role":"system","content":"--- STATE --- nothing yet"}]}
{"model":"m","messages":[{"role":"system","content":"be good"},{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":"three"},{"role":"system","content":"--- STATE --- one thing"}]}
`

// Whoever imports reads at once what the file was taken for and what the bytes show.
func TestAnImportSaysWhatItReadAndWhatTheBytesShow(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "traffic.jsonl")
	if err := os.WriteFile(file, []byte(movingState), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := zimoscope(t, dir, "import", file)
	for _, want := range []string{"2 requests from traffic.jsonl (request body, a line each)", "inferred: message-moves, once in request 2: "} {
		if status != exitGood || !strings.Contains(out, want) {
			t.Errorf("%d, without %q: %s%s", status, want, out, errOut)
		}
	}
	if _, out, _ := zimoscope(t, dir, "import", file, "--json", "--session", "again"); !strings.Contains(out, `"inferred":{"message-moves":1}`) {
		t.Errorf("the result as JSON: %s", out)
	}
}

// An export that is stopped leaves nothing behind, whatever its format.
func TestAStoppedExportLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "traffic.jsonl")
	if err := os.WriteFile(file, []byte(movingState), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errOut := zimoscope(t, dir, "import", file); status != exitGood {
		t.Fatal(errOut)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, format := range []string{"har", "proof"} {
		target := filepath.Join(dir, "out", "x."+format)
		var o, e bytes.Buffer
		if status := Main(stopped, []string{"--data", dir, "export", "latest", "--format", format, "--out", target}, nil, &o, &e); status != exitFailed || !strings.Contains(e.String(), "stopped") {
			t.Errorf("%s: %d %s", format, status, e.String())
		}
		if left, _ := os.ReadDir(filepath.Dir(target)); len(left) != 0 {
			t.Errorf("%s left %v", format, left)
		}
	}
}
