package bundle

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// ErrZip means that a zip is refused before anything of it is unpacked: no bundle of this program looks like that.
var ErrZip = errors.New("this zip is not read: export the bundle anew, or unpack it and verify the folder")

var (
	errLarge    = errors.New("it is larger than any request")
	errChecksum = errors.New("its bytes are not those that were packed")
)

const (
	// maxDirectory bounds what is read to learn what a zip holds, in bytes: names of some 400,000 files, a session of
	// 200,000 requests.
	maxDirectory = 32 << 20
	// freeSize is what a file may unpack to whatever it is packed in, in bytes: a request of one letter packs to a
	// thousandth of itself.
	freeSize = 64 << 20
	// maxRatio is how many times larger than packed a larger file may be. Long texts of requests reach 20.
	maxRatio = 200
)

// zipped is a bundle in a zip. Nothing is written to disk; a file is unpacked when it is read.
type zipped struct {
	file  *os.File
	files map[string]*zip.File
}

// openZip refuses a zip whose names lead outside, stand twice or are no plain files, and one that unpacks to more than it
// can honestly hold. A folder around all of the files is looked through: packing an unpacked bundle makes one.
func openZip(path string) (source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, ErrNoBundle
	}
	z := &zipped{file: file, files: map[string]*zip.File{}}
	if err := z.index(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return z, nil
}

func (z *zipped) index() error {
	info, err := z.file.Stat()
	if err != nil {
		return ErrNoBundle
	}
	directory := &bounded{from: z.file, left: maxDirectory}
	r, err := zip.NewReader(directory, info.Size())
	if directory.left < 0 {
		return fmt.Errorf("its list of files is too long: %w", ErrZip)
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // those names are refused below, in words
		return ErrNoBundle
	}
	directory.open = true // from here on files are read, each with its own bound
	left, spelled := uint64(info.Size()), map[string]bool{}
	for _, f := range r.File {
		if err := honest(f); err != nil {
			return err
		}
		if f.Mode().IsDir() {
			continue
		}
		low := strings.ToLower(f.Name) // where letters count alike, one would lie over the other
		if spelled[low] {
			return fmt.Errorf("it holds %.60q twice: %w", f.Name, ErrZip)
		}
		if f.CompressedSize64 > left {
			return fmt.Errorf("its files lie over each other: %w", ErrZip)
		}
		left -= f.CompressedSize64
		spelled[low], z.files[f.Name] = true, f
	}
	z.unwrap()
	return nil
}

// honest says what no file of a bundle is.
func honest(f *zip.File) error {
	switch name := strings.TrimSuffix(f.Name, "/"); {
	case !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00"):
		return fmt.Errorf("it names a file that would lie outside of the bundle (%.60q): %w", f.Name, ErrZip)
	case !f.Mode().IsRegular() && !f.Mode().IsDir():
		return fmt.Errorf("%.60q in it is no plain file: %w", f.Name, ErrZip)
	case f.UncompressedSize64 > freeSize && f.UncompressedSize64/maxRatio > f.CompressedSize64:
		return fmt.Errorf("%.60q in it unpacks to more than %d times its size: %w", f.Name, maxRatio, ErrZip)
	}
	return nil
}

// unwrap takes away the one folder that holds everything.
func (z *zipped) unwrap() {
	if z.files[ManifestFile] != nil {
		return
	}
	top := ""
	for name := range z.files {
		first, _, within := strings.Cut(name, "/")
		if !within || top != "" && first != top {
			return
		}
		top = first
	}
	inner := make(map[string]*zip.File, len(z.files))
	for name, f := range z.files {
		inner[strings.TrimPrefix(name, top+"/")] = f
	}
	z.files = inner
}

func (z *zipped) read(name string) ([]byte, error) {
	f := z.files[name]
	if f == nil {
		return nil, fs.ErrNotExist
	}
	if f.UncompressedSize64 > maxFile {
		return nil, errLarge
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	// The reader ends a file that unpacks to more than it says it holds.
	raw, err := io.ReadAll(r)
	_ = r.Close()
	if errors.Is(err, zip.ErrChecksum) {
		return raw, errChecksum
	}
	return raw, err
}

func (z *zipped) names() ([]string, error) {
	list := make([]string, 0, len(z.files))
	for name := range z.files {
		list = append(list, name)
	}
	return list, nil
}

func (z *zipped) Close() error { return z.file.Close() }

// bounded reads at most left bytes until it is opened.
type bounded struct {
	from io.ReaderAt
	left int
	open bool
}

func (b *bounded) ReadAt(p []byte, at int64) (int, error) {
	if !b.open {
		if b.left -= len(p); b.left < 0 {
			return 0, ErrZip
		}
	}
	return b.from.ReadAt(p, at)
}
