package files

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// Part is a file that is being written, in the directory in which it will be.
type Part struct{ *os.File }

// NewPart begins a file in a directory.
func NewPart(directory string) (*Part, error) {
	name := filepath.Join(directory, fmt.Sprintf(".mockserver-%016x.part", rand.Uint64()))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &Part{file}, nil
}

// End puts the file in its place, or removes it if it could not be written.
func (p *Part) End(path string, err error) error {
	if err = errors.Join(err, p.Close()); err == nil {
		err = os.Rename(p.Name(), path)
	}
	if err != nil {
		os.Remove(p.Name())
	}
	return err
}

// Write writes a file that appears when it is complete, and the directories that it needs.
func Write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	part, err := NewPart(filepath.Dir(path))
	if err != nil {
		return err
	}
	_, err = part.Write(content)
	return part.End(path, err)
}

// Writable makes the directory of a flag, if it is given, and tells why nothing can be written into it.
func Writable(flag, directory string) error {
	if directory == "" {
		return nil
	}
	err := os.MkdirAll(directory, 0o755)
	if err == nil {
		var tried *os.File
		if tried, err = os.CreateTemp(directory, ".mockserver-*.tried"); err == nil {
			err = errors.Join(tried.Close(), os.Remove(tried.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// WriteTree writes files into a directory, by names with slashes.
func WriteTree(directory string, contents map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		if err := Write(filepath.Join(directory, filepath.FromSlash(name)), contents[name]); err != nil {
			return err
		}
	}
	return nil
}
