package files

import (
	"fmt"
	"io/fs"
	"os"
)

// directory is a directory of the user in which only files can be opened: a FIFO would be waited for, and a device may have no end.
type directory struct {
	fs.FS
	largest int64 // bytes of a file; 0 for any number
}

// OpenDirectory opens a directory for a flag.
func OpenDirectory(flag, name string, largest int64) (fs.FS, error) {
	information, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	if !information.IsDir() {
		return nil, fmt.Errorf("%s: %s is not a directory", flag, name)
	}
	return directory{os.DirFS(name), largest}, nil
}

// OpenRoot opens a directory for a flag as [OpenDirectory] does, and follows no links that lead out of it.
func OpenRoot(flag, name string) (fs.FS, error) {
	root, err := openRoot(flag, name)
	if err != nil {
		return nil, err
	}
	return directory{root.FS(), 0}, nil // lives as long as the program
}

func openRoot(flag, name string) (*os.Root, error) {
	// Opening a FIFO would wait for a writer. Everything else fails by itself.
	if information, err := os.Stat(name); err == nil && !information.IsDir() && !information.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %s is not a directory", flag, name)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return root, nil
}

// Folder is a directory of the user by its name, which may come, go and be replaced while it is in use: each file is looked for in the
// directory that is there then. No links are followed that lead out of it.
type Folder struct{ Flag, Name string }

// Open implements [fs.FS].
func (f Folder) Open(name string) (fs.File, error) {
	root, err := openRoot(f.Flag, f.Name)
	if err != nil {
		return nil, err
	}
	defer root.Close() // a file that is open stays so
	return directory{root.FS(), 0}.Open(name)
}

// Open implements [fs.FS].
func (d directory) Open(name string) (fs.File, error) {
	information, err := fs.Stat(d.FS, name)
	switch {
	case err != nil:
		return nil, err
	case information.IsDir():
	case !information.Mode().IsRegular():
		return nil, fmt.Errorf("%s: it is %s, not a file", name, kindOf(information.Mode()))
	case d.largest > 0 && information.Size() > d.largest:
		return nil, fmt.Errorf("%s: it has %d bytes, and at most %d are read", name, information.Size(), d.largest)
	}
	return d.FS.Open(name)
}
