package bundle

import (
	"io/fs"
	"os"
	"path/filepath"
)

// source is where a bundle's files lie. Names are those of a manifest, with slashes; none leads outside.
type source interface {
	// read gives a whole file. With errChecksum it gives the bytes too: they are not those that were packed.
	read(name string) ([]byte, error)
	names() ([]string, error)
	Close() error
}

// open takes a folder, or a file as a zip of one.
func open(path string) (source, error) {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() {
		return openZip(path)
	}
	root, err := os.OpenRoot(path) // names in a manifest lead nowhere else
	if err != nil {
		return nil, ErrNoBundle
	}
	return folder{root}, nil
}

type folder struct{ *os.Root }

func (f folder) read(name string) ([]byte, error) {
	local := filepath.FromSlash(name)
	if info, err := f.Stat(local); err == nil && info.Size() > maxFile {
		return nil, errLarge
	}
	return f.ReadFile(local)
}

func (f folder) names() (list []string, err error) {
	err = fs.WalkDir(f.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, p)
		}
		return err
	})
	return list, err
}
