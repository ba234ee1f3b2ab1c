// Command gen writes the front end's TypeScript types from package api, and the English sentences that have a code from
// their catalogues, so that both sides of the contract are one text. Run it from anywhere inside the module: go run ./app/api/gen. It reads the Go source, not the running
// program; what it can't translate it refuses with the name of the type. A test fails while the written file differs.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// The generated files, relative to the module's root.
const (
	output         = "frontend/src/api/types.gen.ts"
	outputSentence = "frontend/src/api/sentences.gen.ts"
)

func main() {
	root, err := moduleRoot()
	if err == nil {
		err = write(root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func write(root string) error {
	text, err := generate(filepath.Join(root, "app", "api"))
	if err != nil {
		return err
	}
	return errors.Join(writeFile(root, output, text), writeFile(root, outputSentence, sentences()))
}

func writeFile(root, name string, text []byte) error {
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// moduleRoot is the nearest folder upwards that holds go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("no go.mod above the working folder; run it inside the module")
		}
		dir = up
	}
}
