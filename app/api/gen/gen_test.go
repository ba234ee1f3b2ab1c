package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrittenTypesMatchTheContract(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(filepath.Join(root, "app", "api"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(output)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s is behind app/api: run go run ./app/api/gen", output)
	}
}

func TestWrittenSentencesMatchTheCatalogues(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(outputSentence)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, sentences()) {
		t.Fatalf("%s is behind the catalogues: run go run ./app/api/gen", outputSentence)
	}
}

func TestTypesAreTranslatedAsJSONWritesThem(t *testing.T) {
	got := generateFrom(t, `
// Row is a line.
type Row struct {
	Base
	Flag *bool          `+"`json:\"flag\"`"+` // nil: unknown
	List []string       `+"`json:\"list\"`"+`
	Many []*Row         `+"`json:\"many\"`"+`
	Map  map[string]int `+"`json:\"map\"`"+`
	Raw  json.RawMessage `+"`json:\"raw\"`"+`
}
type Base struct { N uint64 `+"`json:\"n\"`"+` }
type Service interface {
	Get(ctx context.Context, a, b string, n int) ([]Row, error)
	Do() error
}`)
	for _, want := range []string{
		"/** Row is a line. */\nexport interface Row extends Base {",
		"  /** nil: unknown */\n  flag: boolean | null;",
		"list: string[];", "many: (Row | null)[];", "map: Record<string, number>;", "raw: unknown;", "n: number;",
		"Get: { args: [a: string, b: string, n: number]; result: Row[] };",
		"Do: { args: []; result: null };",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
}

func TestUntranslatableTypesAreRefusedByName(t *testing.T) {
	for name, source := range map[string]string{
		"no json tag":        "type T struct { A int }",
		"plain json name":    "type T struct { A int `json:\"a,omitempty\"` }",
		"string keys":        "type T struct { A map[int]int `json:\"a\"` }",
		"no TypeScript form": "type T struct { A chan int `json:\"a\"` }",
		"error last":         "type Service interface { Get() int }",
		"no interface":       "type T struct { A int `json:\"a\"` }",
	} {
		dir := writeSource(t, source)
		if _, err := generate(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", source, err)
		}
	}
}

func generateFrom(t *testing.T, source string) string {
	t.Helper()
	text, err := generate(writeSource(t, source))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeSource(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package api\n"+source), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
