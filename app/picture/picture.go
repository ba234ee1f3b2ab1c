// Package picture takes the pictures that a person gives with a prompt and makes of them what the wire wants.
//
// Contract: what a picture is, its bytes say and not its name. A list is taken whole or not at all, in order; an error is
// a sentence that names the picture it is about. Nothing blocks but reading a file, and no more of one is read than the
// limit. What is taken is sent again with every later request, hence the limits.
package picture

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"

	"zimoscope/backend/transcript"
)

const (
	// MaxBytes bounds one picture, and those of one prompt together, in bytes.
	MaxBytes = 20 << 20
	// MaxCount bounds how many go with one prompt: more than a person looks at together.
	MaxCount = 8
)

// Errors of Images and Read.
var (
	// ErrKind: give a picture of a type that providers take.
	ErrKind = errors.New("it is no PNG, JPEG, GIF or WebP picture")
	// ErrSize: give a smaller picture.
	ErrSize = fmt.Errorf("it is larger than %d MB; give a smaller picture", MaxBytes>>20)
	// ErrTogether: give fewer or smaller pictures.
	ErrTogether = fmt.Errorf("the pictures of one prompt are larger than %d MB together; give fewer or smaller ones", MaxBytes>>20)
	// ErrCount: give the rest with the next prompt.
	ErrCount = fmt.Errorf("more than %d pictures for one prompt; give the rest with the next one", MaxCount)
)

// Given is one picture as it came: its bytes, and the name that a person knows it by, which is not sent.
type Given struct {
	Name string
	Raw  []byte
}

// types are what providers take.
func types() []string { return []string{"image/png", "image/jpeg", "image/gif", "image/webp"} }

// sniffed is how much of a file says what it is, in bytes.
const sniffed = 512

// Is says that a file holds a picture that can be given. What can't be read is none.
func Is(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	start := make([]byte, sniffed)
	n, _ := io.ReadFull(file, start)
	return slices.Contains(types(), http.DetectContentType(start[:n]))
}

// Read reads a file.
func Read(path string) (Given, error) {
	file, err := os.Open(path)
	if err != nil {
		return Given{}, err
	}
	defer func() { _ = file.Close() }()
	raw, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	return Given{Name: path, Raw: raw}, err
}

// Images makes data URLs of pictures.
func Images(list []Given) ([]transcript.Image, error) {
	if len(list) > MaxCount {
		return nil, ErrCount
	}
	var all []transcript.Image
	sum := 0
	for _, g := range list {
		kind := http.DetectContentType(g.Raw)
		switch sum += len(g.Raw); {
		case len(g.Raw) > MaxBytes:
			return nil, fmt.Errorf("%s: %w", g.Name, ErrSize)
		case !slices.Contains(types(), kind):
			return nil, fmt.Errorf("%s: %w", g.Name, ErrKind)
		case sum > MaxBytes:
			return nil, ErrTogether
		}
		all = append(all, transcript.Image{URL: "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(g.Raw)})
	}
	return all, nil
}
