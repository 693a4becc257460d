package files

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// OverlaysUsage says what the flag --schemas does.
const OverlaysUsage = "replace embedded schema files with those in `DIR`, or add to them. Repeatable: a file of a later directory wins"

// Overlays are the directories of --schemas, in their order: a schema file of a later one replaces that of an earlier one.
type Overlays []string

// Add adds a directory; the empty name adds none.
func (o *Overlays) Add(name string) error {
	if name != "" {
		*o = append(*o, name)
	}
	return nil
}

// SchemaLimit is the size of the largest schema file, in bytes.
const SchemaLimit = 4 << 20

// Open opens the directories as one; nil without any.
func (o Overlays) Open() (fs.FS, error) {
	if len(o) == 0 {
		return nil, nil
	}
	var all layers
	for _, name := range o {
		overlay, err := OpenDirectory("--schemas", name, SchemaLimit)
		if err != nil {
			return nil, err
		}
		found := map[string][]byte{}
		if err := schemas.ReadFiles(overlay, found); err == nil && len(found) == 0 {
			return nil, fmt.Errorf("--schemas %s: there is no file that ends in .json: files are replaced by those of the same path, "+
				"such as legacy/userbase.row.json", name)
		}
		all = append(all, overlay)
	}
	return all, nil
}

// Library compiles the embedded schema files with those of the directories.
func (o Overlays) Library() (*schemas.Library, error) {
	overlay, err := o.Open()
	if err != nil {
		return nil, err
	}
	library, err := schemas.Open(overlay)
	if err != nil {
		return nil, o.Fault(err)
	}
	return library, nil
}

// Observer holds what services say against the embedded schema files with those of the directories.
func (o Overlays) Observer() (*drift.Observer, error) {
	overlay, err := o.Open()
	if err != nil {
		return nil, err
	}
	observer, err := drift.New(overlay)
	if err != nil {
		return nil, o.Fault(err)
	}
	return observer, nil
}

// Fault names the directory of a schema file that is wrong; any other error stays what it is.
func (o Overlays) Fault(err error) error {
	var fault *schemas.FileError
	if len(o) == 0 || !errors.As(err, &fault) {
		return err
	}
	for _, name := range slices.Backward(o) {
		if _, missing := os.Stat(filepath.Join(name, filepath.FromSlash(fault.File))); missing == nil {
			return fmt.Errorf("--schemas %s: %w", name, fault)
		}
	}
	return fmt.Errorf("--schemas %s: %w", strings.Join(o, ", "), fault)
}

// layers are file systems as one, in which the last that has a file wins.
type layers []fs.FS

func (l layers) Open(name string) (file fs.File, err error) {
	for _, layer := range slices.Backward(l) {
		if file, err = layer.Open(name); !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, err
}

// ReadDir returns the entries of a directory in all of them, sorted.
func (l layers) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, found := map[string]fs.DirEntry{}, false
	for _, layer := range l {
		read, err := fs.ReadDir(layer, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = true
		for _, entry := range read {
			entries[entry.Name()] = entry
		}
	}
	if !found {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return slices.SortedFunc(maps.Values(entries), func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }), nil
}
