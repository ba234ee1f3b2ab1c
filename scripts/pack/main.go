// Command pack writes a zip whose bytes depend on its files alone: no time of packing, no owner, names in order.
//
//	go run ./scripts/pack OUT.zip FOLDER SECONDS
//
// SECONDS since 1970 is the time that every file gets.
package main

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("say OUT.zip FOLDER SECONDS")
	}
	seconds, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return err
	}
	file, err := os.Create(args[0])
	if err != nil {
		return err
	}
	z := zip.NewWriter(file)
	err = filepath.WalkDir(args[1], func(name string, d fs.DirEntry, err error) error { // in the order of names
		if err != nil || d.IsDir() {
			return err
		}
		inside, err := filepath.Rel(args[1], name)
		if err != nil {
			return err
		}
		return add(z, name, path.Join(filepath.Base(args[1]), filepath.ToSlash(inside)), time.Unix(seconds, 0).UTC())
	})
	if e := z.Close(); err == nil {
		err = e
	}
	if e := file.Close(); err == nil {
		err = e
	}
	return err
}

func add(z *zip.Writer, from, name string, at time.Time) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}
	h.SetMode(0o644)
	if filepath.Ext(name) == ".exe" {
		h.SetMode(0o755)
	}
	out, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return err
}
